//! Deleting data past its retention period, and what an organization stores beyond its plan.

use chrono::DateTime;

use crate::org::Organization;
use crate::plan::Plans;
use crate::ports::{Clock, ObjectError, ObjectStore, Removed, StoreError, Stores};
use crate::retention::Retention;
use crate::usecase::{ArtifactNotRead, Artifacts, RetentionSettings};

/// Rows that one transaction deletes at most, about: some milliseconds of work.
const ROWS_A_STEP: u32 = 500;

/// Deletes data past its retention period.
#[derive(Clone, Copy)]
pub struct RetentionSweep<'a> {
    /// All stores.
    pub stores: &'a dyn Stores,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The plans, which have retention periods and storage limits of their organizations.
    pub plans: &'a Plans,
    /// The retention periods where neither the organization nor its plan has any.
    pub retention: Retention,
    /// Where the pictures of runs are.
    pub objects: &'a dyn ObjectStore,
    /// Called with the reason if a picture could not be deleted. The next sweep tries again.
    pub on_object_failure: &'a dyn Fn(&ObjectError),
}

/// What a sweep deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SweepReport {
    /// Runs, by age or beyond the storage limit of the plan.
    pub runs: u64,
    /// Lines of the audit log.
    pub audit_lines: u64,
    /// Responses stored for calls with an `Idempotency-Key`.
    pub answers: u64,
    /// Events of webhooks, with their deliveries.
    pub events: u64,
    /// Pictures of runs.
    pub artifacts: u64,
}

impl RetentionSweep<'_> {
    /// Deletes what an organization has past its retention periods and beyond the storage limit of its
    /// plan, in small transactions, and adds it to `report`. `keep_going` is called between two of them and may
    /// sleep; the sweep ends where it returns false.
    ///
    /// # Errors
    /// When the database fails. What is wrong with one kind of data keeps no other from being deleted, and
    /// what was deleted stays deleted.
    pub fn sweep(
        &self,
        org: &Organization,
        report: &mut SweepReport,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), StoreError> {
        let settings = RetentionSettings {
            stores: self.stores,
            plans: self.plans,
            installation: self.retention,
        };
        let retention = settings.of(org)?.effective();
        let (now, id, stores) = (self.clock.now(), &org.id, self.stores);
        let mut refused = None;
        let mut delete =
            |count: &mut u64, step: &dyn Fn() -> Result<Removed, StoreError>| match repeat(
                step, count, keep_going,
            ) {
                Err(error @ StoreError::Failed(_)) => {
                    refused.get_or_insert(error);
                    Ok(())
                }
                done => done,
            };
        // Runs that are kept for ever are swept all the same: deleting a site leaves rows behind.
        let end = retention.reports.ends_before(now);
        let end = end.unwrap_or(DateTime::UNIX_EPOCH);
        delete(&mut report.runs, &|| {
            stores.remove_runs(id, end, ROWS_A_STEP)
        })?;
        if let Some(bytes) = self.storage_limit(org) {
            delete(&mut report.runs, &|| {
                stores.remove_runs_beyond(id, bytes, now, ROWS_A_STEP)
            })?;
        }
        if let Some(end) = retention.audit_log.ends_before(now) {
            delete(&mut report.audit_lines, &|| {
                stores.remove_audit_lines(id, end, ROWS_A_STEP)
            })?;
        }
        delete(&mut report.answers, &|| {
            stores.remove_answers(id, now, ROWS_A_STEP)
        })?;
        if let Some(end) = retention.events.ends_before(now) {
            delete(&mut report.events, &|| {
                stores.remove_events(id, end, ROWS_A_STEP)
            })?;
        }
        // After the runs, whose pictures are due with them.
        let artifacts = Artifacts {
            records: stores,
            objects: self.objects,
        };
        match artifacts.sweep(id, now, &mut report.artifacts, keep_going) {
            Ok(()) | Err(ArtifactNotRead::NotFound | ArtifactNotRead::Altered(_)) => {}
            Err(ArtifactNotRead::Object(error)) => (self.on_object_failure)(&error),
            Err(ArtifactNotRead::Store(error)) => return Err(refused.unwrap_or(error)),
        }
        refused.map_or(Ok(()), Err)
    }

    fn storage_limit(&self, org: &Organization) -> Option<u64> {
        let plan = self.plans.get(&org.plan)?;
        plan.limits.storage_bytes
    }
}

/// Repeats a step until nothing is left or it is not to go on, and counts the rows that it deleted.
fn repeat(
    step: &dyn Fn() -> Result<Removed, StoreError>,
    count: &mut u64,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), StoreError> {
    loop {
        let removed = step()?;
        *count += removed.count;
        if removed.is_all || !keep_going() {
            return Ok(());
        }
    }
}
