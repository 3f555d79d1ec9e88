//! One server process owns an SQLite database.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Why the database is not ours.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Another process has it.
    #[error(
        "another `assay serve` owns {0}: one process serves an SQLite database. Stop it, give this one another --data-dir, or use PostgreSQL"
    )]
    Taken(PathBuf),
    /// The lock file cannot be used.
    #[error("{path}: {error}")]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
}

/// Held as long as the process serves; the system lets go of it however the process ends.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "open as long as it is held")] File);

impl Lock {
    /// Takes the lock of a database file.
    pub(crate) fn take(database: &Path) -> Result<Self, LockError> {
        let mut path = database.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let in_file = |error| LockError::File {
            path: path.clone(),
            error,
        };
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(in_file)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(database.to_owned())),
            Err(TryLockError::Error(error)) => Err(in_file(error)),
        }
    }
}
