//! Backup and restore of SQLite databases.

use std::fs::{File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either, open_copy};
use crate::database::error::{Error, StorageError};
use crate::database::failpoint::point;
use crate::database::migrations::{self, SchemaState};

/// Why a backup failed, or why a backup cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The database is not an SQLite file.
    #[error("a PostgreSQL database must be backed up with PostgreSQL's own tools")]
    NotSqlite,
    /// There is a file already.
    #[error("{} already exists and is not overwritten; use another file name", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written or read.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// SQLite could not write the copy.
    #[error("{} could not be written: {message}", .path.display())]
    Copy {
        /// The copy.
        path: PathBuf,
        /// The error message of SQLite.
        message: String,
    },
    /// The copy is damaged.
    #[error("{} is damaged: {message}", .path.display())]
    Damaged {
        /// The copy.
        path: PathBuf,
        /// The damage that SQLite reports.
        message: String,
    },
    /// The file is something else.
    #[error("{} is not an Assay database", .0.display())]
    Foreign(PathBuf),
    /// The database cannot be used.
    #[error(transparent)]
    Database(#[from] Error),
}

/// A verified backup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
}

impl Database {
    /// Copies an SQLite database into a new file, as a consistent snapshot. Other processes can write meanwhile and
    /// do not wait. Only the owner can read the file. The file appears under its name when it is complete, verified
    /// and synced to disk; a failed backup leaves no file.
    ///
    /// Encrypted values stay encrypted; the backup does not contain the secret key. It contains accounts and
    /// their second factors, but neither sessions, sign-ins that wait for a code nor one-time links.
    ///
    /// # Errors
    /// Returns [`BackupError`] with the reason. An existing file is never overwritten.
    pub fn back_up(&self, to: &Path) -> Result<Backup, BackupError> {
        if !self.is_sqlite() {
            return Err(BackupError::NotSqlite);
        }
        if to.symlink_metadata().is_ok() {
            return Err(BackupError::Exists(to.to_owned()));
        }
        let part = Part::beside(to)?;
        // Its own connection: a copy can take long, and the pool is for short queries.
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
        delete_sign_ins(&part.0).map_err(|error| error.about(to))?;
        check(&part.0).map_err(|error| error.about(to))?;
        let bytes = part.become_file(to)?;
        Ok(Backup {
            path: to.to_owned(),
            bytes,
        })
    }
}

/// A copy in progress. It is removed on drop, unless it became the final file.
struct Part(PathBuf);

impl Part {
    /// Creates an empty file, readable only by its owner. SQLite can copy into an empty file.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        let mut name = to.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let path = PathBuf::from(name);
        new_file(&path)?;
        Ok(Self(path))
    }

    /// Gives the copy its final name, which must not exist, and syncs it to disk.
    fn become_file(self, to: &Path) -> Result<u64, BackupError> {
        let in_part = in_file(&self.0);
        let file = File::open(&self.0).map_err(&in_part)?;
        file.sync_all().map_err(&in_part)?;
        let bytes = file.metadata().map_err(&in_part)?.len();
        // Linking fails if the name exists; renaming would overwrite the existing file.
        match std::fs::hard_link(&self.0, to) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                return Err(BackupError::Exists(to.to_owned()));
            }
            // Some file systems do not support hard links.
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
            // It no longer exists if it was renamed.
            drop(std::fs::remove_file(name));
        }
    }
}

/// A verified copy that can replace a database; it has its own file.
#[derive(Debug)]
pub struct Restored {
    file: PathBuf,
    /// The state of the copy's schema relative to this version.
    pub schema: SchemaState,
}

impl Restored {
    /// Copies a backup to a new file, readable only by its owner, and checks that it is intact and of this version
    /// or an earlier one. The backup itself is only read. Sessions and one-time links are not restored: some may
    /// have been ended since the backup.
    ///
    /// # Errors
    /// Returns [`BackupError`] with the reason; the new file is then removed.
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
        drop(connection);
        delete_sign_ins(file)?;
        prepared.schema = schema;
        Ok(prepared)
    }

    /// The file of the copy.
    #[must_use]
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Replaces a database, which no process may have open, with the copy. The old database is kept under the name
    /// `aside`, which must not exist. If there is no old database, nothing is kept.
    ///
    /// The database name always leads to a file. While that file is neither the complete old database nor the
    /// complete new one, the copy is beside it, and [`is_being_replaced`] returns it.
    ///
    /// # Errors
    /// If a file cannot be moved.
    pub fn put_in_place(mut self, database: &Path, aside: &Path) -> Result<(), BackupError> {
        // The latest writes may be in the write-ahead log; a checkpoint moves them into the file. The database may
        // be too damaged for a checkpoint, which may be why it is replaced; then the log is kept as a file.
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
        // From here on the file is never removed on drop: it marks the database as incomplete.
        self.file = PathBuf::new();
        sync_folder_of(database)?;
        point!("restore-begun");
        // SQLite would apply a leftover log to the new file.
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

/// The suffix of the copy beside a database while the database is being replaced.
const REPLACING: &str = ".replacing";

/// Returns the restored copy if a restore was interrupted. The database may then lack its latest writes, which
/// are kept in the files moved aside.
#[must_use]
pub fn is_being_replaced(database: &Path) -> Option<PathBuf> {
    let copy = beside(database, REPLACING);
    copy.symlink_metadata().is_ok().then_some(copy)
}

/// Gives a file a second name, if the file exists.
fn keep(file: &Path, aside: &Path) -> Result<(), BackupError> {
    match std::fs::hard_link(file, aside) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // Some file systems do not support hard links.
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
    /// Returns the same error for another file. The temporary name of the copy means nothing to users.
    fn about(self, file: &Path) -> Self {
        let path = file.to_owned();
        match self {
            Self::Damaged { message, .. } => Self::Damaged { path, message },
            Self::Copy { message, .. } => Self::Copy { path, message },
            Self::Foreign(_) => Self::Foreign(path),
            other => other,
        }
    }
}

/// What a copy of a database contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupContents {
    /// The number of tables.
    pub tables: u64,
    /// The number of rows in all tables together.
    pub rows: u64,
}

/// Checks that a copy of an SQLite database is intact and of this version or an earlier one, and counts its rows. Reads
/// the whole file, and changes nothing.
///
/// # Errors
/// Returns [`BackupError`] with the reason.
pub fn inspect_backup(file: &Path) -> Result<BackupContents, BackupError> {
    check(file)?;
    let mut connection = AnyConnection::Sqlite(open_copy(file)?);
    let schema =
        migrations::state(&mut connection).map_err(|_| BackupError::Foreign(file.to_owned()))?;
    if !schema.unknown.is_empty() {
        return Err(Error::NewerSchema(schema.unknown).into());
    }
    Ok(count(&mut connection)?)
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    rows: i64,
}

/// Counts the rows of all tables.
pub(crate) fn count(connection: &mut AnyConnection) -> Result<BackupContents, Error> {
    let failed = |error: diesel::result::Error| Error::Store(StorageError::from(error).into());
    let tables = match connection {
        AnyConnection::Sqlite(_) => {
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        }
        AnyConnection::Postgres(_) => {
            "SELECT CAST(tablename AS TEXT) AS name FROM pg_tables
             WHERE schemaname = current_schema() ORDER BY tablename"
        }
    };
    let tables: Vec<Table> =
        on_either!(connection, one => diesel::sql_query(tables).load(one)).map_err(failed)?;
    let mut contents = BackupContents { tables: 0, rows: 0 };
    for Table { name } in tables {
        let sql = format!(
            "SELECT count(*) AS rows FROM \"{}\"",
            name.replace('"', "\"\"")
        );
        let counted: Count = on_either!(connection, one => diesel::sql_query(sql).get_result(one))
            .map_err(failed)?;
        contents.tables += 1;
        contents.rows += u64::try_from(counted.rows).unwrap_or_default();
    }
    Ok(contents)
}

#[derive(QueryableByName)]
struct Complaint {
    #[diesel(sql_type = Text)]
    integrity_check: String,
}

/// Reads the whole copy and returns an error if it is damaged.
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

/// Tables whose rows let somebody sign in without entering a password.
const SIGN_INS: [&str; 3] = ["sessions", "pending_sign_ins", "one_time_links"];

#[derive(QueryableByName)]
struct Table {
    #[diesel(sql_type = Text)]
    name: String,
}

/// Deletes sessions and one-time links from a copy, and overwrites the pages that had them. A copy of an earlier
/// version has no tables for them.
fn delete_sign_ins(file: &Path) -> Result<(), BackupError> {
    let failed = |error: diesel::result::Error| BackupError::Copy {
        path: file.to_owned(),
        message: error.to_string(),
    };
    let mut connection = open_copy(file)?;
    let tables: Vec<Table> =
        diesel::sql_query("SELECT name FROM sqlite_schema WHERE type = 'table'")
            .load(&mut connection)
            .map_err(failed)?;
    // With foreign keys SQLite deletes row by row, and leaves parts of rows that it moved within a page.
    connection
        .batch_execute("PRAGMA secure_delete = ON; PRAGMA foreign_keys = OFF")
        .map_err(failed)?;
    for name in SIGN_INS {
        if tables.iter().any(|table| table.name == name) {
            connection
                .batch_execute(&format!("DELETE FROM {name}"))
                .map_err(failed)?;
        }
    }
    Ok(())
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

/// Returns the name in a form that SQLite does not parse as a URL; it would parse a name with the prefix `file:`.
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

/// Syncs the folder, which makes a new file name durable.
fn sync_folder_of(file: &Path) -> Result<(), BackupError> {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    if cfg!(unix) {
        let opened = File::open(folder).and_then(|folder| folder.sync_all());
        opened.map_err(in_file(folder))?;
    }
    Ok(())
}
