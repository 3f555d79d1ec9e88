//! Checks whether there is a recent good backup.

use domain::backup::BackupState;
use domain::ports::Clock;
use storage::Database;

use super::Finding;
use crate::config::{BackupSettings, Service};
use crate::objects;
use crate::sources::SystemClock;

const CHECK: &str = "backup";

pub(super) fn examine(database: &Database, service: &Service) -> Vec<Finding> {
    let Some(settings) = &service.backup else {
        return vec![Finding::warning(
            CHECK,
            "no backups are scheduled",
            "set backup.to to a folder or to s3://BUCKET/PREFIX; if another program makes the backups, check that they succeed",
        )];
    };
    let mut found = vec![match database.backup_state() {
        Ok(state) => age(settings, &state),
        Err(error) => Finding::warning(
            CHECK,
            format!("the state of the backups cannot be read: {error}"),
            "start the service: it migrates the database",
        ),
    }];
    if let Err(error) = objects::open(&settings.to, service.s3.as_ref(), objects::Purpose::Backups)
    {
        found.push(Finding::problem(
            "backup.store",
            error.to_string(),
            "correct the configuration; until then the service does not start",
        ));
    }
    if settings.recipients.is_empty() {
        found.push(Finding::warning(
            "backup.encryption",
            format!("backups in {} are not encrypted", settings.to),
            "make a key with `assay backup --new-identity FILE`, and set backup.recipients to its public key",
        ));
    }
    found
}

/// The finding on the age of the last good backup.
fn age(settings: &BackupSettings, state: &BackupState) -> Finding {
    let now = SystemClock.now();
    let failure = state.failure.as_ref().map(|failure| {
        format!(
            "; {} failed since then, the last at {}: {}",
            failure.count,
            failure.at.format("%Y-%m-%d %H:%M UTC"),
            failure.reason
        )
    });
    let failure = failure.unwrap_or_default();
    let message = match &state.good {
        None => format!("there is no good backup in {}{failure}", settings.to),
        Some(good) => format!(
            "the last good backup is {} hours old: {} in {}, {} bytes, {}{failure}",
            (now - good.at).num_hours().max(0),
            good.name,
            settings.to,
            good.size_bytes,
            match good.verification {
                domain::backup::Verification::Restored => "verified by a restore",
                domain::backup::Verification::Read =>
                    "read back but not restored, because the database role may not create databases",
            }
        ),
    };
    const REMEDY: &str = "run `assay backup`: it makes a backup at once, or prints why that failed; the log has the reasons of earlier failures (`backup failed`)";
    if settings.policy.is_overdue(state, now) {
        Finding::problem(CHECK, message, REMEDY)
    } else if state.failure.is_some() {
        Finding::warning(CHECK, message, REMEDY)
    } else {
        Finding::fine(CHECK, message)
    }
}
