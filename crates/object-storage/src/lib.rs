//! Object stores: a folder, and with the feature `s3` a bucket of S3-compatible storage.
//!
//! Both implement [`domain::ports::ObjectStore`]: an object appears under its name only when it is complete, reading
//! and writing take bounded memory, and no error contains credentials.
//!
//! ```
//! use std::io::{Read, Write};
//! use domain::ports::{ObjectName, ObjectStore};
//! use object_storage::FolderStore;
//!
//! let folder = std::env::temp_dir().join(format!("assay-objects-doc-{}", std::process::id()));
//! let store = FolderStore::new(&folder);
//! let name = ObjectName::new("greetings/first.txt")?;
//! let mut writer = store.create(&name)?;
//! writer.write_all(b"hello")?;
//! assert_eq!(store.list()?, [], "not complete yet");
//! assert_eq!(writer.finish()?, 5);
//! let mut text = String::new();
//! store.open(&name)?.read_to_string(&mut text)?;
//! assert_eq!(text, "hello");
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate does not read the environment, starts no background work, and does not interpret the contents of objects.

mod folder;
#[cfg(feature = "s3")]
mod s3;
mod url;

use std::io;

use domain::ports::ObjectError;

pub use folder::FolderStore;
#[cfg(feature = "s3")]
pub use s3::{S3Store, S3Timeouts};
pub use url::{InvalidStoreUrl, S3Access, StoreUrl};

/// Returns the [`ObjectError`] inside an error of a reader or writer; other errors are returned unchanged.
#[must_use]
pub fn as_object_error(error: &io::Error) -> ObjectError {
    ObjectError::inside(error).unwrap_or_else(|| folder::translate(error, error.to_string()))
}
