//! Removing what is kept no more.

use chrono::DateTime;

use crate::org::Organization;
use crate::plan::Plans;
use crate::ports::{Clock, Removed, StoreError, Stores};
use crate::retention::Retention;

/// Rows removed in one step at most, about: some milliseconds of work.
const ROWS_A_STEP: u32 = 500;

/// Removes what is kept no more.
#[derive(Clone, Copy)]
pub struct House<'a> {
    /// Where everything is kept.
    pub stores: &'a dyn Stores,
    /// The time.
    pub clock: &'a dyn Clock,
    /// The plans, which say how long the things of their organizations are kept.
    pub plans: &'a Plans,
    /// How long things are kept of which neither organization nor plan says anything.
    pub retention: Retention,
}

/// What was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tidied {
    /// Runs.
    pub runs: u64,
    /// Lines of the audit log.
    pub audit_lines: u64,
    /// Answers of calls with an `Idempotency-Key`.
    pub answers: u64,
}

impl House<'_> {
    /// Removes all that is kept no more, in small steps. `goes_on` is asked between two steps, and may
    /// take its time; after a no this ends.
    ///
    /// # Errors
    /// When the database fails. What was removed until then stays removed, and the rest goes the next
    /// time.
    pub fn tidy(&self, goes_on: &mut dyn FnMut() -> bool) -> Result<Tidied, StoreError> {
        let mut tidied = Tidied::default();
        let mut refused = None;
        for org in self.stores.orgs()? {
            match self.tidy_one(&org, &mut tidied, goes_on) {
                // What is wrong with one is no matter of the others.
                Err(StoreError::Failed(error)) => {
                    refused = Some(StoreError::Failed(format!("{}: {error}", org.id)));
                }
                done => done?,
            }
            if !goes_on() {
                break;
            }
        }
        refused.map_or(Ok(tidied), Err)
    }

    /// Removes the oldest runs of organizations that store more than their plan allows, in small steps,
    /// and answers how many. `goes_on` is as for [`House::tidy`].
    ///
    /// # Errors
    /// When the database fails. What was removed until then stays removed.
    pub fn enforce_quotas(&self, goes_on: &mut dyn FnMut() -> bool) -> Result<u64, StoreError> {
        if !(self.plans.iter()).any(|plan| plan.limits.storage_bytes.is_some()) {
            return Ok(0);
        }
        let mut removed = 0;
        for org in self.stores.orgs()? {
            let limits = self.plans.get(&org.plan).map(|plan| plan.limits);
            let Some(bytes) = limits.and_then(|limits| limits.storage_bytes) else {
                continue;
            };
            let (now, id) = (self.clock.now(), &org.id);
            let step = || self.stores.remove_runs_beyond(id, bytes, now, ROWS_A_STEP);
            removed += steps(step, goes_on)?;
            if !goes_on() {
                break;
            }
        }
        Ok(removed)
    }

    fn tidy_one(
        &self,
        org: &Organization,
        tidied: &mut Tidied,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), StoreError> {
        let retention = self.retention_of(org)?;
        let (now, id) = (self.clock.now(), &org.id);
        // Where they are kept for ever, this ends what was begun, as by removing a site.
        let end = retention.reports.ends_before(now);
        let end = end.unwrap_or(DateTime::UNIX_EPOCH);
        let step = || self.stores.remove_runs(id, end, ROWS_A_STEP);
        tidied.runs += steps(step, goes_on)?;
        if let Some(end) = retention.audit_log.ends_before(now) {
            let step = || self.stores.remove_audit_lines(id, end, ROWS_A_STEP);
            tidied.audit_lines += steps(step, goes_on)?;
        }
        let step = || self.stores.remove_answers(id, now, ROWS_A_STEP);
        tidied.answers += steps(step, goes_on)?;
        Ok(())
    }

    /// How long the things of an organization are kept: as it chose itself, else as its plan says, else
    /// as is usual.
    ///
    /// # Errors
    /// When the database fails.
    pub fn retention_of(&self, org: &Organization) -> Result<Retention, StoreError> {
        let own = self.stores.retention(&org.id)?;
        let plan = self.plans.get(&org.plan).map(|plan| plan.retention);
        Ok(own.or(plan.unwrap_or_default()).over(self.retention))
    }
}

/// Repeats a step until nothing is left, or it is enough.
fn steps(
    step: impl Fn() -> Result<Removed, StoreError>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<u64, StoreError> {
    let mut count = 0;
    loop {
        let removed = step()?;
        count += removed.count;
        if removed.is_all || !goes_on() {
            return Ok(count);
        }
    }
}
