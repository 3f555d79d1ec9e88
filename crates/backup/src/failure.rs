//! Why a backup failed or cannot be read.

use std::io;

use domain::ports::ObjectError;
use object_storage::as_object_error;

/// Why a backup failed, or cannot be read. The texts contain no credentials.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackupFailure {
    /// The process is stopping, or another process took over.
    #[error("interrupted")]
    Stopped,
    /// The store failed.
    #[error("{0}")]
    Store(#[from] ObjectError),
    /// The database could not be copied.
    #[error("the database could not be copied: {0}")]
    Source(String),
    /// The backup was written, but its verification failed.
    #[error("the backup was written, but its verification failed, so it was deleted: {0}")]
    Verification(String),
    /// A backup that cannot be decrypted with these keys.
    #[error("{0}")]
    Key(String),
    /// A backup that is damaged or incomplete.
    #[error("{0}")]
    Damaged(String),
    /// A file of this machine cannot be read or written.
    #[error("{0}")]
    File(String),
}

impl BackupFailure {
    /// An error of the store that a reader or writer returned.
    pub(crate) fn of_store(error: &io::Error) -> Self {
        Self::Store(as_object_error(error))
    }

    pub(crate) fn in_file(path: &std::path::Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::File(format!("{}: {error}", path.display()))
    }
}
