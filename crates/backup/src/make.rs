//! Makes and verifies a backup.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use domain::backup::{BackupKind, BackupName, GoodBackup, Verification};
use domain::ports::{ObjectStore, ObjectWriter};
use storage::{BackupContents, Database, TemporaryDatabase};

use crate::checksum;
use crate::digest::{Digested, Sum};
use crate::encryption::{Identities, Recipients, Sealed, seal};
use crate::failure::BackupFailure;
use crate::list::delete;
use crate::postgres::{PostgresTools, feed};
use crate::read::{Take, pour};
use crate::sqlite::{self, WorkFile};

/// Bytes that are copied between two calls of `keep_going`.
const CHUNK_BYTES: usize = 256 << 10;

/// What is backed up.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The database.
    pub database: &'a Database,
    /// PostgreSQL's programs; not used for SQLite.
    pub tools: &'a PostgresTools,
}

/// Makes backups in a store.
pub struct Maker<'a> {
    /// The database, and the programs that dump it.
    pub source: Source<'a>,
    /// Where backups are stored.
    pub store: &'a dyn ObjectStore,
    /// The keys they are encrypted for.
    pub recipients: &'a Recipients,
    /// A folder for temporary copies, which no other process uses.
    pub work_folder: PathBuf,
}

/// A good backup, and what it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The backup.
    pub good: GoodBackup,
    /// Tables and rows of the verified copy; none if a dump was only read.
    pub contents: Option<BackupContents>,
}

/// The writer that encrypts a backup and uploads it. The checksum is that of the encrypted bytes.
type Upload = Sealed<Digested<Box<dyn ObjectWriter>>>;
/// Reads a backup to its end, and passes on each chunk.
type ReadBack<'a> = dyn FnMut(&mut Take<'_>) -> Result<bool, BackupFailure> + 'a;

/// What the verification compares with.
enum Expected {
    Sqlite(BackupContents),
    Postgres,
}

impl Maker<'_> {
    /// Makes a backup, reads it back and verifies it. `keep_going` is called often, at least for each 256 KiB; the
    /// backup is abandoned when it returns `false`. A backup that failed is deleted from the store if the store still
    /// works. In any case it has no checksum, so it is not good.
    ///
    /// # Errors
    /// Returns the reason. The database is unchanged in any case.
    pub fn make(
        &self,
        now: DateTime<Utc>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Made, BackupFailure> {
        self.store.remove_unfinished()?;
        let kind = match self.source.database.is_sqlite() {
            true => BackupKind::Sqlite,
            false => BackupKind::PostgresDump,
        };
        let mut name = BackupName {
            at: now.trunc_subsecs(0),
            kind,
            is_encrypted: !self.recipients.is_empty(),
        };
        // A good backup is never overwritten.
        while checksum::read(self.store, &name)?.is_some() {
            name.at += TimeDelta::seconds(1);
        }
        let made = self.make_as(&name, keep_going);
        if made.is_err() {
            // The store may be what failed; a later backup deletes the rest.
            drop(delete(self.store, &name));
        }
        made
    }

    fn make_as(
        &self,
        name: &BackupName,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<Made, BackupFailure> {
        let (sum, verifier, expected) = self.write(name, keep_going)?;
        let (verification, contents) =
            self.verify(name, &sum, verifier.as_ref(), &expected, keep_going)?;
        checksum::write(self.store, name, &sum.sha256)?;
        Ok(Made {
            good: GoodBackup {
                at: name.at,
                name: name.to_string(),
                size_bytes: sum.bytes,
                verification,
            },
            contents,
        })
    }

    /// Writes the backup. Returns its checksum, the key and the contents that the verification compares with.
    fn write(
        &self,
        name: &BackupName,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(Sum, Option<Identities>, Expected), BackupFailure> {
        match self.source.database.connection_string() {
            None => {
                let (copy, contents) = sqlite::copy(self.source.database, &self.work_folder)?;
                let mut file = File::open(&copy.0).map_err(BackupFailure::in_file(&copy.0))?;
                let (writer, verifier) = self.start(name)?;
                let writer = self.copy(&mut file, writer, keep_going)?;
                Ok((finish(writer)?, verifier, Expected::Sqlite(contents)))
            }
            Some(database) => {
                let (dump, mut output) = self.source.tools.dump(&database)?;
                let (writer, verifier) = self.start(name)?;
                let writer = self.copy(&mut output, writer, keep_going)?;
                // Before the object appears: the output of a dump that failed ends early.
                dump.wait().map_err(BackupFailure::Source)?;
                Ok((finish(writer)?, verifier, Expected::Postgres))
            }
        }
    }

    /// Starts the upload, and returns the key for the verification.
    fn start(&self, name: &BackupName) -> Result<(Upload, Option<Identities>), BackupFailure> {
        let object = checksum::object_name(&name.to_string())?;
        let writer = Digested::new(self.store.create(&object)?);
        seal(writer, self.recipients).map_err(|error| BackupFailure::of_store(&error))
    }

    fn copy<W: Write>(
        &self,
        from: &mut dyn Read,
        mut to: W,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<W, BackupFailure> {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            if !keep_going() {
                return Err(BackupFailure::Stopped);
            }
            let read = match from.read(&mut buffer) {
                Ok(0) => return Ok(to),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(BackupFailure::Source(error.to_string())),
            };
            to.write_all(buffer.get(..read).unwrap_or_default())
                .map_err(|error| BackupFailure::of_store(&error))?;
        }
    }

    /// Reads the backup back from the store and restores it.
    fn verify(
        &self,
        name: &BackupName,
        written: &Sum,
        verifier: Option<&Identities>,
        expected: &Expected,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(Verification, Option<BackupContents>), BackupFailure> {
        let object = checksum::object_name(&name.to_string())?;
        let mut stored = Digested::new(self.store.open(&object)?);
        let text = name.to_string();
        let mut read_back = |take: &mut Take<'_>| {
            pour(
                &mut stored,
                &text,
                verifier,
                &mut |bytes| match keep_going() {
                    true => take(bytes),
                    false => Err(BackupFailure::Stopped),
                },
            )
            .map_err(|error| match error {
                BackupFailure::Damaged(reason) | BackupFailure::Key(reason) => {
                    BackupFailure::Verification(reason)
                }
                other => other,
            })
        };
        let result = match expected {
            Expected::Sqlite(contents) => {
                let restored = WorkFile::new(&self.work_folder, "restored.db")?;
                let mut file = restored.create()?;
                read_back(&mut |bytes| {
                    file.write_all(bytes)
                        .map_err(BackupFailure::in_file(&restored.0))
                })?;
                drop(file);
                sqlite::verify(&restored, *contents)?;
                (Verification::Restored, Some(*contents))
            }
            Expected::Postgres => self.restore_dump(&mut read_back)?,
        };
        let (_, sum) = stored.into_parts();
        if sum == *written {
            return Ok(result);
        }
        Err(BackupFailure::Verification(format!(
            "{} bytes were written and {} read back, or their checksums differ",
            written.bytes, sum.bytes
        )))
    }

    /// Restores a dump into a temporary database of the same server, or reads it to its end if this is not allowed.
    fn restore_dump(
        &self,
        read_back: &mut ReadBack<'_>,
    ) -> Result<(Verification, Option<BackupContents>), BackupFailure> {
        let failed = |error: storage::Error| BackupFailure::Verification(error.to_string());
        let temporary: Option<TemporaryDatabase> =
            self.source.database.create_temporary().map_err(failed)?;
        let into = temporary.as_ref().map(TemporaryDatabase::connection_string);
        let (restore, mut input) = self.source.tools.restore(into)?;
        let mut is_open = true;
        read_back(&mut |bytes| {
            is_open = is_open && feed(&mut input, bytes);
            Ok(())
        })?;
        drop(input);
        restore.wait().map_err(BackupFailure::Verification)?;
        match &temporary {
            None => Ok((Verification::Read, None)),
            Some(temporary) => {
                let contents = temporary.contents().map_err(failed)?;
                Ok((Verification::Restored, Some(contents)))
            }
        }
    }
}

/// Ends encryption and upload.
fn finish(writer: Upload) -> Result<Sum, BackupFailure> {
    let digested = writer
        .finish()
        .map_err(|error| BackupFailure::of_store(&error))?;
    let (writer, sum) = digested.into_parts();
    let stored = writer.finish()?;
    if stored == sum.bytes {
        return Ok(sum);
    }
    Err(BackupFailure::Verification(format!(
        "{} bytes were written, and the store has {stored}",
        sum.bytes
    )))
}
