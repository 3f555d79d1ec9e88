//! Copies of a database in SQLite, and the file of one put in the place of another.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::database::Database;
use crate::database::connection::{AnyConnection, open_copy};
use crate::database::error::Error;
use crate::database::failpoint::point;
use crate::database::migrations::{self, SchemaState};

/// Why a database was not copied, or a copy cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not a file of SQLite.
    #[error("a PostgreSQL database is backed up with PostgreSQL's own tools")]
    NotSqlite,
    /// There is a file already.
    #[error("{} already exists and is not overwritten; use another file name", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written or read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// SQLite could not copy.
    #[error("{} could not be written: {message}", .path.display())]
    Copy {
        /// The copy.
        path: PathBuf,
        /// What SQLite said.
        message: String,
    },
    /// The copy is broken.
    #[error("{} is damaged: {message}", .path.display())]
    Damaged {
        /// The copy.
        path: PathBuf,
        /// What SQLite found.
        message: String,
    },
    /// The file is something else.
    #[error("{} is not an Assay database", .0.display())]
    Foreign(PathBuf),
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] Error),
}

/// A copy that was made and found whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

impl Database {
    /// Copies a database in SQLite into a new file, as it is at one moment, also while others write: they
    /// do not wait for it. The file is readable by its owner alone. Under its name it is there once it
    /// is complete, found whole and on the disk; a copy that failed leaves nothing.
    ///
    /// What is encrypted stays encrypted: the secret key is not part of it.
    ///
    /// # Errors
    /// [`BackupError`] says why not. A file that is there is never overwritten.
    pub fn back_up(&self, to: &Path) -> Result<Backup, BackupError> {
        if !self.is_sqlite() {
            return Err(BackupError::NotSqlite);
        }
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(to.to_owned()));
        }
        let part = Part::beside(to)?;
        // A connection of its own: copying takes as long as it takes, and the pool is for short queries.
        let mut connection = self.open_another()?;
        let AnyConnection::Sqlite(sqlite) = &mut connection else {
            return Err(BackupError::NotSqlite);
        };
        diesel::sql_query("VACUUM INTO ?")
            .bind::<Text, _>(sqlite_name(&part.0)?)
            .execute(sqlite)
            .map_err(|error| BackupError::Copy {
                path: to.to_owned(),
                message: error.to_string(),
            })?;
        drop(connection);
        point!("backup-copied");
        check(&part.0).map_err(|error| error.about(to))?;
        let bytes = part.become_file(to)?;
        Ok(Backup {
            path: to.to_owned(),
            bytes,
        })
    }
}

/// A copy under way; it goes when this is dropped, unless it became the file.
struct Part(PathBuf);

impl Part {
    /// An empty file, for its owner alone; SQLite copies into a file that is empty.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        let mut name = to.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(name);
        new_file(&path)?;
        Ok(Self(path))
    }

    /// Puts the copy under its name, where nothing may be, and on the disk.
    fn become_file(self, to: &Path) -> Result<u64, BackupError> {
        let in_part = in_file(&self.0);
        let file = File::open(&self.0).map_err(&in_part)?;
        file.sync_all().map_err(&in_part)?;
        let bytes = file.metadata().map_err(&in_part)?.len();
        // A link is refused where the name is taken, which a renamed file would overwrite.
        match std::fs::hard_link(&self.0, to) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(BackupError::Exists(to.to_owned()));
            }
            // Some file systems have no links.
            Err(_) if to.symlink_metadata().is_err() => {
                std::fs::rename(&self.0, to).map_err(in_file(to))?;
            }
            Err(error) => return Err(in_file(to)(error)),
        }
        sync_folder_of(to)?;
        Ok(bytes)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        for suffix in ["", "-journal"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(suffix);
            // It is gone where it was renamed.
            drop(std::fs::remove_file(name));
        }
    }
}

/// A copy that is to take the place of a database: a file of its own, found whole.
#[derive(Debug)]
pub struct Restored {
    file: PathBuf,
    /// What the copy lacks of this version's schema.
    pub schema: SchemaState,
}

impl Restored {
    /// Copies a backup to a new file, for its owner alone, and looks whether it is whole and of this
    /// version or an earlier one. The backup itself is only read.
    ///
    /// # Errors
    /// [`BackupError`] says why not; the new file is gone then.
    pub fn prepare(backup: &Path, file: &Path) -> Result<Self, BackupError> {
        let mut from = File::open(backup).map_err(in_file(backup))?;
        let mut prepared = Self {
            schema: SchemaState::default(),
            file: file.to_owned(),
        };
        let mut to = new_file(file)?;
        std::io::copy(&mut from, &mut to).map_err(in_file(file))?;
        to.sync_all().map_err(in_file(file))?;
        drop(to);
        check(file).map_err(|error| error.about(backup))?;
        let mut connection = AnyConnection::Sqlite(open_copy(file)?);
        let schema = migrations::state(&mut connection)
            .map_err(|_| BackupError::Foreign(backup.to_owned()))?;
        if !schema.unknown.is_empty() {
            return Err(Error::NewerSchema(schema.unknown).into());
        }
        prepared.schema = schema;
        Ok(prepared)
    }

    /// The file it is in.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Puts the copy in the place of a database that nobody has open. What was there is kept under
    /// `aside`, where nothing may be; none is needed where nothing was there.
    ///
    /// At every moment there is a database under its name. As long as it is neither the one nor the
    /// other, the copy stands beside it, and [`is_being_replaced`] says so.
    ///
    /// # Errors
    /// When a file cannot be moved.
    pub fn put_in_place(mut self, database: &Path, aside: &Path) -> Result<(), BackupError> {
        // What was written last may stand in the log beside the file; then it belongs into the file. It
        // may be too damaged for that, which may be why it is replaced; then the log is kept as it is.
        if database.exists()
            && let Ok(mut old) = open_copy(database)
        {
            drop(old.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)"));
        }
        let parts = ["", "-wal", "-shm", "-journal"];
        for suffix in parts {
            let kept = beside(aside, suffix);
            if kept.symlink_metadata().is_ok() {
                return Err(BackupError::Exists(kept));
            }
        }
        for suffix in parts {
            keep(&beside(database, suffix), &beside(aside, suffix))?;
        }
        let ready = beside(database, REPLACING);
        std::fs::rename(&self.file, &ready).map_err(in_file(&ready))?;
        // From here on it stays, whatever becomes of this: it says that the database is not whole.
        self.file = PathBuf::new();
        sync_folder_of(database)?;
        point!("restore-begun");
        // One that was left behind would be read as that of the new file.
        for suffix in ["-wal", "-shm", "-journal"] {
            let old = beside(database, suffix);
            match std::fs::remove_file(&old) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(in_file(&old)(error));
                }
                _ => {}
            }
        }
        point!("restore-between");
        std::fs::rename(&ready, database).map_err(in_file(database))?;
        sync_folder_of(database)
    }
}

/// What stands beside a database, under its name and this, while it is replaced.
const REPLACING: &str = ".replacing";

/// The file that says that a database was being replaced by a copy when that was cut off: the restored copy
/// itself. Such a database may lack what was written last, which is kept aside.
#[must_use]
pub fn is_being_replaced(database: &Path) -> Option<PathBuf> {
    let copy = beside(database, REPLACING);
    copy.symlink_metadata().is_ok().then_some(copy)
}

/// Gives a file, where there is one, a second name.
fn keep(file: &Path, aside: &Path) -> Result<(), BackupError> {
    match std::fs::hard_link(file, aside) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Some file systems have no links.
        Err(_) => std::fs::copy(file, aside)
            .and_then(|_| File::open(aside)?.sync_all())
            .map_err(in_file(aside)),
    }
}

impl Drop for Restored {
    fn drop(&mut self) {
        if self.file.as_os_str().is_empty() {
            return;
        }
        for suffix in ["", "-wal", "-shm", "-journal"] {
            drop(std::fs::remove_file(beside(&self.file, suffix)));
        }
    }
}

impl BackupError {
    /// The same of another file, where the copy has a name of its own that nobody knows.
    fn about(self, file: &Path) -> Self {
        let path = file.to_owned();
        match self {
            Self::Damaged { message, .. } => Self::Damaged { path, message },
            Self::Foreign(_) => Self::Foreign(path),
            other => other,
        }
    }
}

#[derive(QueryableByName)]
struct Complaint {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

/// Reads a copy through, and refuses it where something is broken.
fn check(file: &Path) -> Result<(), BackupError> {
    let damaged = |message: String| BackupError::Damaged {
        path: file.to_owned(),
        message,
    };
    let mut connection = open_copy(file)?;
    let complaints: Vec<Complaint> = diesel::sql_query("PRAGMA integrity_check(5)")
        .load(&mut connection)
        .map_err(|error| match error.to_string() {
            text if text.contains("not a database") => BackupError::Foreign(file.to_owned()),
            text => damaged(text),
        })?;
    match complaints.as_slice() {
        [only] if only.integrity_check == "ok" => Ok(()),
        all => Err(damaged(
            all.iter()
                .map(|complaint| complaint.integrity_check.as_str())
                .collect::<Vec<_>>()
                .join("; "),
        )),
    }
}

/// Creates a file that only its owner can read.
fn new_file(path: &Path) -> Result<File, BackupError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => BackupError::Exists(path.to_owned()),
        _ => in_file(path)(error),
    })
}

/// The name as SQLite takes it: one that begins with `file:` it would read as a URL.
fn sqlite_name(path: &Path) -> Result<String, BackupError> {
    let text = path.to_str().ok_or_else(|| BackupError::Copy {
        path: path.to_owned(),
        message: "its path is not UTF-8".to_owned(),
    })?;
    Ok(match text.starts_with("file:") {
        true => format!("./{text}"),
        false => text.to_owned(),
    })
}

fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn in_file(path: &Path) -> impl Fn(std::io::Error) -> BackupError {
    move |error| BackupError::File {
        path: path.to_owned(),
        error,
    }
}

/// A name is on the disk once its folder is.
fn sync_folder_of(file: &Path) -> Result<(), BackupError> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if cfg!(unix) {
        let opened = File::open(folder).and_then(|folder| folder.sync_all());
        opened.map_err(in_file(folder))?;
    }
    Ok(())
}
