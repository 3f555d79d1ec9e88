//! Operator commands: backup, restore, doctor, configuration.

mod backup;
mod config;
mod doctor;
mod forget_secrets;
mod restore;
mod stored_backup;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub(crate) use backup::backup;
pub(crate) use config::config;
pub(crate) use doctor::{diagnose, doctor};
pub(crate) use forget_secrets::forget_secrets;
pub(crate) use restore::restore;

/// The folder in the data folder for temporary copies of backups.
pub(crate) const WORK_FOLDER: &str = "backup-work";

/// Formats a time for file names.
fn stamp(now: DateTime<Utc>) -> String {
    now.format("%Y%m%d-%H%M%SZ").to_string()
}

/// Returns the file name for the audit log, without the folders of this machine.
fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Returns the path with a suffix appended.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
