//! The retention sweep: deletes data past its retention period, one organization at a time.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use domain::plan::SharedPlans;
use domain::ports::{Clock, JobKind, ObjectStore, StoreError};
use domain::retention::Retention;
use domain::usecase::{RetentionSweep, SweepReport};

use super::{DueJob, HeldJob, JobEnd, WorkerContext};
use crate::metrics;
use crate::signal::Waited;

/// Pause between two transactions of a sweep, so that other writers get a turn. One transaction takes some
/// milliseconds.
const REST: Duration = Duration::from_millis(20);

/// The recurring sweep of an organization.
pub(crate) struct RetentionJob {
    /// The clock that ages are computed with. It does not follow a jump ahead.
    pub(crate) cautious: Arc<dyn Clock>,
    /// The plans.
    pub(crate) plans: SharedPlans,
    /// Where the pictures of runs are.
    pub(crate) pictures: Arc<dyn ObjectStore>,
    /// The retention periods where neither the organization nor its plan has any.
    pub(crate) retention: Retention,
    /// Interval of the sweeps of an organization. A completed run triggers the next sweep immediately.
    pub(crate) every: TimeDelta,
}

impl DueJob for RetentionJob {
    const KIND: JobKind = JobKind::Retention;

    fn run(&self, context: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        let Some(org) = context.stores.org(&job.claim.org_id)? else {
            return Ok(JobEnd::Done);
        };
        let plans = self.plans.current();
        let sweep = RetentionSweep {
            stores: &*context.stores,
            clock: &*self.cautious,
            plans: &plans,
            retention: self.retention,
            objects: &*self.pictures,
            on_object_failure: &|error| tracing::warn!(%error, "pictures not deleted"),
        };
        let mut keep_going =
            || context.signal.wait_for_stop(REST) != Waited::Stopped && job.keep_going();
        let mut report = SweepReport::default();
        let swept = sweep.sweep(&org, &mut report, &mut keep_going);
        metrics::swept(&report);
        if report != SweepReport::default() {
            tracing::info!(
                org.id = %org.id,
                runs = report.runs,
                audit_lines = report.audit_lines,
                answers = report.answers,
                events = report.events,
                artifacts = report.artifacts,
                "data past its retention period deleted"
            );
        }
        swept?;
        let now = context.clock.now();
        // An interrupted sweep continues at the next start.
        Ok(JobEnd::DueAt(match context.signal.is_stopped() {
            true => now,
            false => now + self.every,
        }))
    }
}
