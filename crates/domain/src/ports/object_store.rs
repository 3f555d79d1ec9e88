//! Objects (files) outside of the database, for data that is too large for a row: backups, pictures of pages.

use std::fmt;
use std::io::{Read, Write};

use chrono::{DateTime, Utc};

/// The most bytes of a name.
const MAX_NAME_BYTES: usize = 200;

/// The most objects that [`ObjectStore::list`] returns.
pub const MAX_LISTED_OBJECTS: usize = 10_000;

/// The name of an object in its store: ASCII letters, digits, `.`, `-` and `_`, in parts separated by `/`. No part is
/// empty or starts with `.`, so no name leads out of a folder.
///
/// ```
/// use domain::ports::ObjectName;
///
/// assert!(ObjectName::new("runs/17/first.png").is_ok());
/// for wrong in ["", "/a", "a//b", "../a", ".a", "a b"] {
///     assert!(ObjectName::new(wrong).is_err(), "{wrong}");
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectName(String);

/// The text is not the name of an object.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "not a name of an object: use letters, digits, `.`, `-`, `_` and `/`, at most {MAX_NAME_BYTES} bytes, and no part that starts with `.`"
)]
pub struct InvalidObjectName;

impl ObjectName {
    /// Validates a name.
    ///
    /// # Errors
    /// If the text is not a name.
    pub fn new(text: impl Into<String>) -> Result<Self, InvalidObjectName> {
        let text = text.into();
        let is_part = |part: &str| {
            !part.is_empty()
                && !part.starts_with('.')
                && part
                    .bytes()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'-' | b'_'))
        };
        if text.len() <= MAX_NAME_BYTES && text.split('/').all(is_part) {
            Ok(Self(text))
        } else {
            Err(InvalidObjectName)
        }
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ObjectName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An object that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectInfo {
    /// Its name.
    pub name: ObjectName,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// When it was written, by the clock of the store.
    pub written_at: DateTime<Utc>,
}

/// Why an operation on an object store failed. The texts name the store and never contain credentials.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    /// There is no such object.
    #[error("{0} does not exist")]
    NotFound(String),
    /// The store does not accept the credentials, or they do not allow the operation.
    #[error("{0}")]
    Denied(String),
    /// The store has no space left.
    #[error("{0}")]
    Full(String),
    /// The store cannot be reached, or did not answer in time.
    #[error("{0}")]
    Unavailable(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

impl ObjectError {
    /// The error inside an error of a reader or writer; none in other errors.
    #[must_use]
    pub fn inside(error: &std::io::Error) -> Option<Self> {
        let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
        inner.cloned()
    }
}

/// An object store. All calls block; a call to a store on the network has a timeout.
pub trait ObjectStore: Send + Sync {
    /// Where the objects are, for messages; without credentials.
    fn location(&self) -> String;

    /// Starts to write an object. It appears under its name only when [`ObjectWriter::finish`] returns, complete, and
    /// then replaces an older object of that name.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn create(&self, name: &ObjectName) -> Result<Box<dyn ObjectWriter>, ObjectError>;

    /// Reads an object from its start. An error while reading is an [`std::io::Error`] with an [`ObjectError`] inside.
    ///
    /// # Errors
    /// If the object does not exist or cannot be read.
    fn open(&self, name: &ObjectName) -> Result<Box<dyn Read + Send>, ObjectError>;

    /// Lists all complete objects, at most [`MAX_LISTED_OBJECTS`], in the order of their names.
    ///
    /// # Errors
    /// If the store cannot be read, or has more objects.
    fn list(&self) -> Result<Vec<ObjectInfo>, ObjectError>;

    /// Deletes an object. Does nothing if there is none.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn delete(&self, name: &ObjectName) -> Result<(), ObjectError>;

    /// Removes the unfinished objects of writers that were killed. The caller ensures that no writer is active.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn remove_unfinished(&self) -> Result<(), ObjectError>;
}

/// An object being written, in bounded memory. Dropping it discards what was written. An error of a write is an
/// [`std::io::Error`] with an [`ObjectError`] inside.
pub trait ObjectWriter: Write + Send {
    /// Makes the object appear under its name, and returns its size in bytes.
    ///
    /// # Errors
    /// If the store did not accept all of it. The object does not exist then.
    fn finish(self: Box<Self>) -> Result<u64, ObjectError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_at_most_two_hundred_bytes() {
        assert!(ObjectName::new("a".repeat(MAX_NAME_BYTES)).is_ok());
        assert!(ObjectName::new("a".repeat(MAX_NAME_BYTES + 1)).is_err());
    }
}
