//! What keeps the service well: backups, the doctor, a look at the configuration.

mod backup;
mod config;
mod doctor;
mod forget_secrets;
mod restore;

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

pub(crate) use backup::backup;
pub(crate) use config::config;
pub(crate) use doctor::doctor;
pub(crate) use forget_secrets::forget_secrets;
pub(crate) use restore::restore;

/// A moment as names of files have it.
fn stamp(now: DateTime<Utc>) -> String {
    now.format("%Y%m%d-%H%M%SZ").to_string()
}

/// The name of a file as the audit log has it, which needs no folders of this machine.
fn name_of(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// What stands beside a file under its name and more.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
