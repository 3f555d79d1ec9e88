//! The file of an SQLite database: whether its path still leads to the file that was opened.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use crate::database::error::{Error, FileChange};

/// Bytes that have to be free beside the database. A probe alone would not notice a full disk: its row fits
/// into pages that the file has already.
const MIN_FREE_BYTES: u64 = 256 << 10;

/// The file that a process opened. SQLite goes on with a file that was moved or deleted, and would make
/// a new one for the next connection.
#[derive(Debug, Clone)]
pub(crate) struct DatabaseFile {
    path: PathBuf,
    identity: Identity,
}

impl DatabaseFile {
    /// The file at a path, which was just opened.
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

    /// Refuses to go on where the path leads to no file or to another one.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let change = match identity(&self.path) {
            Ok(identity) if identity == self.identity => return Ok(()),
            Ok(_) => FileChange::Replaced,
            // It may also be a folder on the way, or the volume.
            Err(_) => FileChange::Missing,
        };
        Err(Error::FileChanged {
            path: self.path.clone(),
            change,
        })
    }

    /// Tells whether the file can grow; where the system cannot say, it can.
    pub(crate) fn can_grow(&self) -> bool {
        rustix::fs::statvfs(&self.path).map_or(true, |room| {
            room.f_frsize.saturating_mul(room.f_bavail) >= MIN_FREE_BYTES
        })
    }
}

/// What tells one file from another.
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
