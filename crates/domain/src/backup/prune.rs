//! Which backups are deleted.

use std::num::NonZeroU32;

use super::BackupName;

/// A backup in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBackup {
    /// Its name.
    pub name: BackupName,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Whether its checksum is beside it, so that it was verified.
    pub is_good: bool,
}

/// The backups to delete: good ones beyond the newest `keep`, and those that were never verified and are older than the
/// newest good one. None if there is no good backup.
#[must_use]
pub fn superseded(stored: &[StoredBackup], keep: NonZeroU32) -> Vec<BackupName> {
    let mut good: Vec<BackupName> = (stored.iter().filter(|backup| backup.is_good))
        .map(|backup| backup.name)
        .collect();
    good.sort_unstable_by(|a, b| b.cmp(a));
    let Some(newest) = good.first().copied() else {
        return Vec::new();
    };
    let keep = usize::try_from(keep.get()).unwrap_or(usize::MAX);
    let abandoned = stored
        .iter()
        .filter(|backup| !backup.is_good && backup.name.at < newest.at)
        .map(|backup| backup.name);
    good.iter().skip(keep).copied().chain(abandoned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(day: u32, is_good: bool) -> StoredBackup {
        let name = format!("assay-backup-202611{day:02}-032000Z.db");
        StoredBackup {
            name: BackupName::parse(&name).unwrap(),
            size_bytes: 1,
            is_good,
        }
    }

    fn days(stored: &[StoredBackup], keep: u32) -> Vec<String> {
        let names = superseded(stored, NonZeroU32::new(keep).unwrap());
        let mut days: Vec<String> = names
            .iter()
            .map(|name| name.at.format("%d").to_string())
            .collect();
        days.sort();
        days
    }

    #[test]
    fn the_newest_good_backups_are_kept() {
        let all: Vec<_> = [3, 1, 5, 2, 4].map(|day| stored(day, true)).to_vec();
        assert_eq!(days(&all, 2), ["01", "02", "03"]);
        assert_eq!(days(&all, 5), Vec::<String>::new());
    }

    #[test]
    fn a_backup_that_was_never_verified_counts_for_nothing() {
        let all = [
            stored(1, true),
            stored(2, false),
            stored(3, true),
            stored(4, false),
        ];
        assert_eq!(days(&all, 2), ["02"]);
        let none_good = [stored(1, false), stored(2, false)];
        assert_eq!(days(&none_good, 1), Vec::<String>::new());
    }
}
