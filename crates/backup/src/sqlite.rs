//! Copies and restores of SQLite databases.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use storage::{BackupContents, Database, inspect_backup};

use crate::failure::BackupFailure;

/// A file in the work folder, removed on drop.
pub(crate) struct WorkFile(pub(crate) PathBuf);

impl WorkFile {
    /// Reserves a name; a file that an earlier process left there is removed.
    pub(crate) fn new(folder: &Path, name: &str) -> Result<Self, BackupFailure> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(folder)
            .map_err(BackupFailure::in_file(folder))?;
        let file = Self(folder.join(name));
        file.remove();
        Ok(file)
    }

    /// Creates the file, readable only by its owner.
    pub(crate) fn create(&self) -> Result<File, BackupFailure> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options
            .open(&self.0)
            .map_err(BackupFailure::in_file(&self.0))
    }

    fn remove(&self) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(suffix);
            drop(std::fs::remove_file(name));
        }
    }
}

impl Drop for WorkFile {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Copies the database into a work file, and counts what it contains.
pub(crate) fn copy(
    database: &Database,
    folder: &Path,
) -> Result<(WorkFile, BackupContents), BackupFailure> {
    let copy = WorkFile::new(folder, "copy.db")?;
    let failed = |error: storage::BackupError| BackupFailure::Source(error.to_string());
    database.back_up(&copy.0).map_err(failed)?;
    let contents = inspect_backup(&copy.0).map_err(failed)?;
    Ok((copy, contents))
}

/// Checks that a restored file is an intact database with the same contents.
pub(crate) fn verify(restored: &WorkFile, expected: BackupContents) -> Result<(), BackupFailure> {
    let found = inspect_backup(&restored.0)
        .map_err(|error| BackupFailure::Verification(error.to_string()))?;
    if found == expected {
        return Ok(());
    }
    Err(BackupFailure::Verification(format!(
        "the restored database has {} rows in {} tables, the copy had {} in {}",
        found.rows, found.tables, expected.rows, expected.tables
    )))
}
