//! The backups in a store.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::num::NonZeroU32;

use domain::backup::{BackupName, StoredBackup, superseded};
use domain::ports::ObjectStore;

use crate::checksum::object_name;
use crate::failure::BackupFailure;

/// Returns the backups in a store, newest first. Files of other names are left out.
///
/// # Errors
/// If the store cannot be read.
pub fn list(store: &dyn ObjectStore) -> Result<Vec<StoredBackup>, BackupFailure> {
    let objects = store.list()?;
    let names: BTreeSet<&str> = objects.iter().map(|object| object.name.as_str()).collect();
    let mut found: Vec<StoredBackup> = objects
        .iter()
        .filter_map(|object| {
            let name = BackupName::parse(object.name.as_str())?;
            Some(StoredBackup {
                name,
                size_bytes: object.size_bytes,
                is_good: names.contains(name.checksum_name().as_str()),
            })
        })
        .collect();
    found.sort_by_key(|backup| Reverse(backup.name));
    Ok(found)
}

/// Returns the newest good backup; none if there is no good one.
///
/// # Errors
/// If the store cannot be read.
pub fn newest_good(store: &dyn ObjectStore) -> Result<Option<StoredBackup>, BackupFailure> {
    Ok(list(store)?.into_iter().find(|backup| backup.is_good))
}

/// Deletes good backups beyond the newest `keep`, and older ones that were never verified. Returns what was deleted.
///
/// # Errors
/// If the store fails. Backups that were deleted before the failure stay deleted.
pub fn delete_superseded(
    store: &dyn ObjectStore,
    keep: NonZeroU32,
) -> Result<Vec<BackupName>, BackupFailure> {
    let old = superseded(&list(store)?, keep);
    for name in &old {
        delete(store, name)?;
    }
    Ok(old)
}

/// Deletes the checksum of a backup, then the backup: a backup that is only partly deleted is not good.
pub(crate) fn delete(store: &dyn ObjectStore, name: &BackupName) -> Result<(), BackupFailure> {
    store.delete(&object_name(&name.checksum_name())?)?;
    store.delete(&object_name(&name.to_string())?)?;
    Ok(())
}
