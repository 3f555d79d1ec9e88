//! Reads backups: decrypts them and compares their checksums.

use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use domain::backup::BackupName;
use domain::ports::{ObjectError, ObjectStore};

use crate::checksum;
use crate::digest::Digested;
use crate::encryption::{self, Identities, MAGIC, Opened};
use crate::failure::BackupFailure;

/// The most bytes of the checksum file beside a backup that are read.
const MAX_CHECKSUM_BYTES: u64 = 1_024;
/// The first bytes of a dump of `pg_dump` in its custom format.
const DUMP_MAGIC: &[u8] = b"PGDMP";
/// Bytes that are copied between two calls of `keep_going`.
const CHUNK_BYTES: usize = 256 << 10;

/// Receives a chunk of a decrypted backup.
pub(crate) type Take<'a> = dyn FnMut(&[u8]) -> Result<(), BackupFailure> + 'a;

/// Where a backup is.
#[derive(Clone, Copy)]
pub enum BackupFile<'a> {
    /// A file of this machine; its checksum, if there is one, is beside it in `NAME.sha256`.
    Path(&'a Path),
    /// A backup in a store. Without a checksum it is refused, because it was never verified.
    Stored(&'a dyn ObjectStore, &'a BackupName),
}

/// What a decrypted backup contains, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A dump of PostgreSQL.
    PostgresDump,
    /// Anything else: an SQLite database, or no backup at all.
    Other,
}

/// A backup that was read to its end, without damage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadBackup {
    /// What it contains.
    pub kind: FileKind,
    /// Whether it was encrypted.
    pub was_encrypted: bool,
    /// Whether a checksum was compared. Without one, damage of an unencrypted file may remain undetected.
    pub had_checksum: bool,
}

impl BackupFile<'_> {
    /// Reads the backup, decrypts it if it is encrypted, and writes it to `to`. After an error the caller must not use
    /// the output.
    ///
    /// # Errors
    /// If the backup is damaged or incomplete, is encrypted for other keys, or cannot be read.
    pub fn read(
        self,
        identities: Option<&Identities>,
        to: &mut dyn Write,
    ) -> Result<ReadBackup, BackupFailure> {
        let (reader, name, expected): (Box<dyn Read + Send>, String, Option<String>) = match self {
            Self::Path(path) => {
                let file = File::open(path).map_err(BackupFailure::in_file(path))?;
                (Box::new(file), path.display().to_string(), beside(path)?)
            }
            Self::Stored(store, name) => {
                let Some(sum) = checksum::read(store, name)? else {
                    return Err(BackupFailure::Damaged(format!(
                        "{name} in {} has no checksum beside it: it is incomplete or was never verified",
                        store.location()
                    )));
                };
                let reader = store.open(&checksum::object_name(&name.to_string())?)?;
                (reader, name.to_string(), Some(sum))
            }
        };
        let mut read = Digested::new(reader);
        let mut kind = None;
        let was_encrypted = pour(&mut read, &name, identities, &mut |bytes| {
            kind.get_or_insert(match bytes.starts_with(DUMP_MAGIC) {
                true => FileKind::PostgresDump,
                false => FileKind::Other,
            });
            to.write_all(bytes)
                .map_err(|error| BackupFailure::File(format!("{name} cannot be copied: {error}")))
        })?;
        let (_, sum) = read.into_parts();
        if let Some(expected) = &expected
            && *expected != sum.sha256
        {
            return Err(BackupFailure::Damaged(format!(
                "{name} is damaged: its checksum (SHA-256) is {}, and not {expected} as recorded when it was made",
                sum.sha256
            )));
        }
        Ok(ReadBackup {
            kind: kind.unwrap_or(FileKind::Other),
            was_encrypted,
            had_checksum: expected.is_some(),
        })
    }
}

/// The checksum in the file beside a backup.
fn beside(path: &Path) -> Result<Option<String>, BackupFailure> {
    let mut name = path.as_os_str().to_owned();
    name.push(".sha256");
    let name = PathBuf::from(name);
    let file = match File::open(&name) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(BackupFailure::in_file(&name)(error)),
    };
    let mut text = String::new();
    file.take(MAX_CHECKSUM_BYTES)
        .read_to_string(&mut text)
        .map_err(BackupFailure::in_file(&name))?;
    let sum = checksum::parse(&text);
    sum.map(Some)
        .ok_or_else(|| BackupFailure::Damaged(format!("{} is not a checksum", name.display())))
}

/// Reads to the end, decrypts if the file is encrypted, and passes on each chunk. Returns whether it was encrypted.
pub(crate) fn pour(
    from: &mut dyn Read,
    name: &str,
    identities: Option<&Identities>,
    take: &mut Take<'_>,
) -> Result<bool, BackupFailure> {
    let mut head = Vec::new();
    let magic = u64::try_from(MAGIC.len()).unwrap_or_default();
    from.take(magic)
        .read_to_end(&mut head)
        .map_err(|error| unreadable(name, &error))?;
    let was_encrypted = head == MAGIC;
    let whole = Cursor::new(head).chain(from);
    let mut opened = match was_encrypted {
        true => encryption::open(whole, name, identities)?,
        false => Opened::Plain(whole),
    };
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut bytes = 0_u64;
    loop {
        let read = match opened.read(&mut buffer) {
            Ok(0) => return Ok(was_encrypted),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if !was_encrypted || encryption::is_of_store(&error) => {
                return Err(unreadable(name, &error));
            }
            Err(error) => {
                return Err(BackupFailure::Damaged(format!(
                    "{name} is damaged or incomplete after {bytes} bytes of its contents: {error}"
                )));
            }
        };
        take(buffer.get(..read).unwrap_or_default())?;
        bytes += u64::try_from(read).unwrap_or(u64::MAX);
    }
}

/// An error of the store, or of the file of this machine.
fn unreadable(name: &str, error: &io::Error) -> BackupFailure {
    let inner = error.get_ref();
    match inner.is_some_and(|inner| inner.is::<ObjectError>()) {
        true => BackupFailure::of_store(error),
        false => BackupFailure::File(format!("{name}: {error}")),
    }
}
