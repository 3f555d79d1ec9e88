//! The file of an SQLite database: detects that its path no longer leads to the file that was opened.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::database::error::{Error, FileChange};

/// Minimum free disk space beside the database, in bytes. A health probe alone would not detect a full disk,
/// because its row fits into pages that the file already has.
const MIN_FREE_BYTES: u64 = 256 << 10;

/// The file that the process opened. SQLite keeps using a file that was moved or deleted, and would create a
/// new one for the next connection.
#[derive(Debug, Clone)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    identity: Identity,
}

impl DatabaseFile {
    /// Records the identity of a file that was just opened.
    pub(crate) fn opened(path: &Path) -> Result<Self, Error> {
        match identity(path) {
            Ok(identity) => Ok(Self {
                path: path.to_owned(),
                identity,
            }),
            Err(error) => Err(Error::Open {
                path: path.to_owned(),
                message: error.to_string(),
            }),
        }
    }

    /// Returns an error if the path leads to no file or to another file.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let change = match identity(&self.path) {
            Ok(identity) if identity == self.identity => return Ok(()),
            Ok(_) => FileChange::Replaced,
            // A parent folder or the volume may also be missing.
            Err(_) => FileChange::Missing,
        };
        Err(Error::FileChanged {
            path: self.path.clone(),
            change,
        })
    }

    /// Reports whether the disk has room for the file to grow. Returns `true` if the system cannot report it.
    pub(crate) fn can_grow(&self) -> bool {
        rustix::fs::statvfs(&self.path).map_or(true, |room| {
            room.f_frsize.saturating_mul(room.f_bavail) >= MIN_FREE_BYTES
        })
    }
}

/// Identifies a file, independent of its path.
#[cfg(unix)]
type Identity = (u64, u64);
#[cfg(not(unix))]
type Identity = ();

fn identity(path: &Path) -> std::io::Result<Identity> {
    std::fs::metadata(path).map(|metadata| identity_in(&metadata))
}

/// Device and inode.
#[cfg(unix)]
fn identity_in(metadata: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt;

    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity_in(_metadata: &Metadata) -> Identity {}
