//! The checksum beside a backup, in the format of `sha256sum`.

use std::io::{Read, Write};

use domain::backup::BackupName;
use domain::ports::{ObjectError, ObjectName, ObjectStore};

use crate::failure::BackupFailure;

/// The most bytes of a checksum file that are read: a checksum, two spaces and a name.
const MAX_BYTES: u64 = 1_024;

/// Writes the checksum of a verified backup.
pub(crate) fn write(
    store: &dyn ObjectStore,
    name: &BackupName,
    sha256: &str,
) -> Result<(), BackupFailure> {
    let object = object_name(&name.checksum_name())?;
    let mut writer = store.create(&object)?;
    let line = format!("{sha256}  {name}\n");
    writer
        .write_all(line.as_bytes())
        .map_err(|error| BackupFailure::of_store(&error))?;
    writer.finish()?;
    Ok(())
}

/// Reads the checksum of a backup; none if there is none, so that the backup was never verified.
pub(crate) fn read(
    store: &dyn ObjectStore,
    name: &BackupName,
) -> Result<Option<String>, BackupFailure> {
    let reader = match store.open(&object_name(&name.checksum_name())?) {
        Ok(reader) => reader,
        Err(ObjectError::NotFound(_)) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let mut text = String::new();
    reader
        .take(MAX_BYTES)
        .read_to_string(&mut text)
        .map_err(|error| BackupFailure::of_store(&error))?;
    parse(&text).map(Some).ok_or_else(|| {
        BackupFailure::Damaged(format!("{} is not a checksum", name.checksum_name()))
    })
}

/// The checksum in a line of `sha256sum`.
pub(crate) fn parse(text: &str) -> Option<String> {
    let sum = text.split_whitespace().next()?.to_ascii_lowercase();
    let is_sum = sum.len() == 64 && sum.bytes().all(|c| c.is_ascii_hexdigit());
    is_sum.then_some(sum)
}

pub(crate) fn object_name(text: &str) -> Result<ObjectName, BackupFailure> {
    ObjectName::new(text).map_err(|error| BackupFailure::File(format!("{text}: {error}")))
}
