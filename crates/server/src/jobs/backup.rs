//! Scheduled backups.
//!
//! Every process checks the schedule; the lease in the database ensures that only one of them makes the backup. On SQLite
//! there is only one process.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use backup::{BackupFailure, Made, Maker, Source, delete_superseded};
use chrono::TimeDelta;
use domain::audit_log::{Actor, AuditNote};
use domain::ports::{Clock, LeaseStatus, ObjectStore, StoreError, WorkerId};
use storage::Database;

use crate::config::BackupSettings;
use crate::metrics;
use crate::signal::Signal;
use crate::worker_pool::Next;

/// Duration of the lease without a heartbeat. SQLite copies a database in one step, without heartbeats.
const LEASE: TimeDelta = TimeDelta::minutes(15);
/// Interval of heartbeats.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// The longest wait between two checks of the schedule: a clock may be set, and another process may fail.
const POLL: Duration = Duration::from_secs(30);

/// Makes backups when they are due.
pub(crate) struct BackupTask {
    /// The database that is backed up.
    pub(crate) database: Database,
    /// Where backups are stored.
    pub(crate) store: Arc<dyn ObjectStore>,
    /// The schedule, the number of backups to keep, and the encryption.
    pub(crate) settings: BackupSettings,
    /// A folder for temporary copies.
    pub(crate) work_folder: PathBuf,
    /// The name of the worker, unique among all processes on the database.
    pub(crate) worker: WorkerId,
    /// The clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// Reports that the process stops.
    pub(crate) signal: Arc<Signal>,
}

/// The outcome of an attempt.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// A good backup.
    Made(Made),
    /// A failure. It is recorded.
    Failed(BackupFailure),
    /// Another process makes a backup.
    Busy,
}

impl BackupTask {
    /// Makes a backup if one is due.
    pub(crate) fn step(&self) -> Result<Next, StoreError> {
        let (state, now) = (self.database.backup_state()?, self.clock.now());
        let wait = self.settings.policy.due_at(&state, now) - now;
        if wait > TimeDelta::zero() {
            return Ok(Next::Sleep(wait.to_std().unwrap_or(POLL).min(POLL)));
        }
        match self.attempt(true)? {
            None | Some(Attempt::Busy) => Ok(Next::Sleep(POLL)),
            Some(Attempt::Made(_) | Attempt::Failed(_)) => Ok(Next::Continue),
        }
    }

    /// Makes a backup under the lease and records the outcome. Returns `None` if `only_if_due` is set and another
    /// process has made the backup in the meantime.
    pub(crate) fn attempt(&self, only_if_due: bool) -> Result<Option<Attempt>, StoreError> {
        let now = self.clock.now();
        if !self.database.claim_backup(&self.worker, LEASE, now)? {
            return Ok(Some(Attempt::Busy));
        }
        let state = self.database.backup_state()?;
        if only_if_due && self.settings.policy.due_at(&state, now) > now {
            let _: LeaseStatus = self.database.release_backup(&self.worker)?;
            return Ok(None);
        }
        let began = Instant::now();
        let made = self.make();
        let seconds = began.elapsed().as_secs_f64();
        Ok(Some(match made {
            Ok(made) => {
                self.succeeded(&made, seconds)?;
                Attempt::Made(made)
            }
            Err(failure) => {
                self.failed(&failure, seconds)?;
                Attempt::Failed(failure)
            }
        }))
    }

    fn make(&self) -> Result<Made, BackupFailure> {
        let maker = Maker {
            source: Source {
                database: &self.database,
                tools: &self.settings.tools,
            },
            store: &*self.store,
            recipients: &self.settings.recipients,
            work_folder: self.work_folder.clone(),
        };
        let mut renewed = Instant::now();
        let mut keep_going = || {
            if self.signal.is_stopped() {
                return false;
            }
            if renewed.elapsed() < HEARTBEAT {
                return true;
            }
            renewed = Instant::now();
            match (self.database).renew_backup(&self.worker, LEASE, self.clock.now()) {
                Ok(status) => status == LeaseStatus::Held,
                // The next heartbeat may succeed before the lease expires.
                Err(error) => {
                    tracing::debug!(%error, "lease of the backup not renewed");
                    true
                }
            }
        };
        maker.make(self.clock.now(), &mut keep_going)
    }

    fn succeeded(&self, made: &Made, seconds: f64) -> Result<(), StoreError> {
        let good = &made.good;
        metrics::backup_ended(true);
        tracing::info!(
            backup.name = good.name,
            backup.size_bytes = good.size_bytes,
            backup.verification = good.verification.as_str(),
            backup.rows = made.contents.map(|contents| contents.rows),
            backup.store = self.store.location(),
            seconds,
            "backup made"
        );
        if self.database.record_good_backup(&self.worker, good)? == LeaseStatus::Lost {
            tracing::warn!("backup not recorded: another process took over");
        }
        let note = AuditNote {
            event: "backup.made",
            subject: good.name.clone(),
            detail: format!("{} bytes, {}", good.size_bytes, good.verification),
        };
        if let Err(error) = (self.database).note_everywhere(self.clock.now(), &Actor::System, &note)
        {
            tracing::warn!(%error, "backup not recorded in the audit log");
        }
        match delete_superseded(&*self.store, self.settings.policy.keep) {
            Ok(deleted) => {
                for name in deleted {
                    tracing::info!(backup.name = %name, "superseded backup deleted");
                }
            }
            Err(error) => tracing::warn!(%error, "superseded backups not deleted"),
        }
        Ok(())
    }

    fn failed(&self, failure: &BackupFailure, seconds: f64) -> Result<(), StoreError> {
        if *failure == BackupFailure::Stopped {
            tracing::info!("backup interrupted: this process stops, or another process took over");
            let _: LeaseStatus = self.database.release_backup(&self.worker)?;
            return Ok(());
        }
        metrics::backup_ended(false);
        tracing::error!(
            error = %failure,
            backup.store = self.store.location(),
            seconds,
            "backup failed"
        );
        let reason = failure.to_string();
        let recorded =
            (self.database).record_failed_backup(&self.worker, &reason, self.clock.now())?;
        if recorded == LeaseStatus::Lost {
            tracing::warn!("failed backup not recorded: another process took over");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
