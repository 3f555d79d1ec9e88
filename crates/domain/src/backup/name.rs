//! Names of backups.

use std::fmt;

use chrono::{DateTime, NaiveDateTime, Utc};

use crate::named_enum::named_enum;

/// How the time is written in a name.
const STAMP: &str = "%Y%m%d-%H%M%SZ";
const PREFIX: &str = "assay-backup-";
const ENCRYPTED: &str = ".age";

named_enum! {
    /// What a backup contains; the value is the file extension.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum BackupKind {
        /// A copy of an SQLite database.
        Sqlite = "db",
        /// A dump of `pg_dump` in its custom format.
        PostgresDump = "dump",
    }
}

/// The name of a scheduled backup. Names sort by time.
///
/// ```
/// use domain::backup::{BackupKind, BackupName};
///
/// let name = BackupName::parse("assay-backup-20261126-032000Z.db.age").unwrap();
/// assert_eq!(name.kind, BackupKind::Sqlite);
/// assert!(name.is_encrypted);
/// assert_eq!(name.to_string(), "assay-backup-20261126-032000Z.db.age");
/// assert_eq!(name.checksum_name(), "assay-backup-20261126-032000Z.db.age.sha256");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct BackupName {
    /// When the backup was begun; whole seconds.
    pub at: DateTime<Utc>,
    /// What it contains.
    pub kind: BackupKind,
    /// Whether it is encrypted.
    pub is_encrypted: bool,
}

impl BackupName {
    /// Parses a name; `None` if the text is not exactly the name of a scheduled backup.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(PREFIX)?;
        let (stamp, extension) = rest.split_once('.')?;
        let (extension, is_encrypted) = match extension.strip_suffix(ENCRYPTED) {
            Some(extension) => (extension, true),
            None => (extension, false),
        };
        let name = Self {
            at: NaiveDateTime::parse_from_str(stamp, STAMP).ok()?.and_utc(),
            kind: BackupKind::named(extension)?,
            is_encrypted,
        };
        (name.to_string() == text).then_some(name)
    }

    /// The name of the object with the checksum. It is written after the backup was verified, so a backup without it
    /// is not good.
    #[must_use]
    pub fn checksum_name(&self) -> String {
        format!("{self}.sha256")
    }
}

impl fmt::Display for BackupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (at, kind) = (self.at.format(STAMP), self.kind.as_str());
        let encrypted = if self.is_encrypted { ENCRYPTED } else { "" };
        write!(f, "{PREFIX}{at}.{kind}{encrypted}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_are_not_taken_for_backups() {
        for text in [
            "assay-20261126-032000Z.db",
            "assay-backup-20261126-032000Z.db.sha256",
            "assay-backup-20261126-032000Z.db.age.sha256",
            "assay-backup-20261126-032000Z",
            "assay-backup-20261126-032000Z.zip",
            "assay-backup-20261332-032000Z.db",
            "assay-backup-2026112-0320000Z.db",
            "x-assay-backup-20261126-032000Z.db",
        ] {
            assert_eq!(BackupName::parse(text), None, "{text}");
        }
    }
}
