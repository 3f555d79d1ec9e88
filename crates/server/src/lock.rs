//! The lock file that lets only one server process use an SQLite database.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Why the lock was not acquired.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Another process holds it.
    #[error(
        "another `assay serve` uses {0}: an SQLite database allows only one process. Stop the other process, use another --data-dir, or use PostgreSQL"
    )]
    Taken(PathBuf),
    /// The lock file cannot be used.
    #[error("{path}: {error}; the folder of the database must be writable")]
    File {
        path: PathBuf,
        error: std::io::Error,
    },
}

/// Held while the process serves. The system releases it however the process ends.
#[derive(Debug)]
pub(crate) struct Lock(
    #[expect(dead_code, reason = "the file stays open while the lock is held")] File,
);

impl Lock {
    /// Acquires the lock of a database file. Every path to the file leads to the same lock.
    pub(crate) fn take(database: &Path) -> Result<Self, LockError> {
        let mut path = resolved(database).into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        let in_file = |error| LockError::File {
            path: path.clone(),
            error,
        };
        let mut options = OpenOptions::new();
        options.create(true).truncate(false).write(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(in_file)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(database.to_owned())),
            Err(TryLockError::Error(error)) => Err(in_file(error)),
        }
    }
}

/// Resolves symbolic links. For a file that does not exist yet, only those of its folder are resolved.
fn resolved(database: &Path) -> PathBuf {
    if let Ok(path) = database.canonicalize() {
        return path;
    }
    let folder = database.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    match (folder.canonicalize(), database.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => database.to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_lock_by_whatever_path() {
        let folder = std::env::temp_dir().join(format!("assay-lock-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("data")).unwrap();
        let database = folder.join("data/assay.db");
        std::os::unix::fs::symlink(folder.join("data"), folder.join("linked")).unwrap();
        std::os::unix::fs::symlink(&database, folder.join("link.db")).unwrap();
        let held = Lock::take(&database).unwrap();
        std::fs::write(&database, "").unwrap();
        for path in ["linked/assay.db", "data/../data/assay.db", "link.db"] {
            let taken = Lock::take(&folder.join(path));
            assert!(matches!(taken, Err(LockError::Taken(_))), "{path}");
        }
        drop(held);
        assert!(Lock::take(&folder.join("link.db")).is_ok());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
