//! Health probes of the database, which write a row, and the result of the last one.

use std::time::{Duration, Instant};

use diesel::prelude::*;
use domain::ports::{Health, NotReady};

use crate::database::Database;
use crate::database::connection::{AnyConnection, on_either};
use crate::database::error::{Error, FileChange, StorageError};
use crate::database::last_probe::Finding;
use crate::database::migrations;
use crate::database::schema::{health_probes, jobs};

/// How often a serving process probes its database.
pub const PROBE_INTERVAL: Duration = Duration::from_secs(2);
/// How long the result of a probe is valid. A failing probe fails within 5 s, and a hanging probe lets the
/// previous result expire, so a fault shows within 10 s.
const MAX_AGE: Duration = Duration::from_secs(8);
/// The id of the only row, which probes write.
const ONLY: i64 = 1;

/// Why a probe failed: a public reason, and the cause for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeFailure {
    /// The reason.
    pub reason: NotReady,
    /// The error of the database.
    pub cause: String,
}

impl ProbeFailure {
    #[expect(clippy::needless_pass_by_value, reason = "it consumes the errors")]
    fn new(reason: NotReady, cause: impl ToString) -> Self {
        Self {
            reason,
            cause: cause.to_string(),
        }
    }
}

/// Evaluates a stored result later: a success that is too old means that the next probe hangs.
fn verdict((at, found): Finding, now: Instant) -> Result<(), NotReady> {
    found?;
    if now.saturating_duration_since(at) > MAX_AGE {
        Err(NotReady::NoAnswer)
    } else {
        Ok(())
    }
}

impl Health for Database {
    /// Probes the database first if no result exists.
    fn ready(&self) -> Result<(), NotReady> {
        match self.last_probe().finding() {
            Some(finding) => verdict(finding, Instant::now()),
            None => self.probe().map_err(|failure| failure.reason),
        }
    }
}

impl Database {
    /// Probes the database and stores the result for [`Health::ready`]. The probe checks that the file is in place
    /// and can grow, that the schema is of this version, and that a row can be written.
    ///
    /// # Errors
    /// Returns the reason if the database cannot be used.
    pub fn probe_health(&self) -> Result<(), ProbeFailure> {
        let found = self.probe();
        let verdict = found.as_ref().map_err(|failure| failure.reason);
        self.last_probe().record((Instant::now(), verdict.copied()));
        found
    }

    fn probe(&self) -> Result<(), ProbeFailure> {
        self.check_file().map_err(|error| {
            let reason = match &error {
                Error::FileChanged {
                    change: FileChange::Replaced,
                    ..
                } => NotReady::DatabaseFileReplaced,
                _ => NotReady::DatabaseFileMissing,
            };
            ProbeFailure::new(reason, error)
        })?;
        if !self.can_grow() {
            let cause = "no disk space is left for the database";
            return Err(ProbeFailure::new(NotReady::DiskFull, cause));
        }
        let failed = |fault: StorageError| ProbeFailure::new(fault.not_ready(), fault);
        let pending = self.read(|connection| {
            let pending = migrations::pending(connection)?;
            jobs::table
                .select(jobs::id)
                .limit(1)
                .load::<String>(connection)?;
            Ok(pending)
        });
        match pending.map_err(failed)? {
            0 => self.write(write_row).map_err(failed),
            pending => Err(ProbeFailure::new(
                NotReady::MigrationsPending,
                format!("{pending} migrations are pending"),
            )),
        }
    }
}

fn write_row(connection: &mut AnyConnection) -> Result<(), StorageError> {
    let row = (health_probes::id.eq(ONLY), health_probes::writes.eq(1));
    on_either!(connection, inner => {
        diesel::insert_into(health_probes::table)
            .values(row)
            .on_conflict(health_probes::id)
            .do_update()
            .set(health_probes::writes.eq(health_probes::writes + 1))
            .execute(inner)?;
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_result_is_valid_until_the_next_probe_is_overdue() {
        let at = Instant::now();
        assert_eq!(verdict((at, Ok(())), at), Ok(()));
        assert_eq!(verdict((at, Ok(())), at + MAX_AGE), Ok(()));
        let late = at + MAX_AGE + Duration::from_millis(1);
        assert_eq!(verdict((at, Ok(())), late), Err(NotReady::NoAnswer));
        let full = (at, Err(NotReady::DiskFull));
        assert_eq!(verdict(full, late), Err(NotReady::DiskFull));
        assert!(MAX_AGE < Duration::from_secs(10));
    }
}
