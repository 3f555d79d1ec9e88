//! Repairs times that a clock left which was far ahead.

use std::time::Duration;

use chrono::TimeDelta;
use domain::ports::{JobKind, LONGEST_BACKOFF, StoreError};
use domain::usecase::{RepairedTimestamps, repair_future_timestamps};
use domain::webhook::RetryDelays;

use super::WorkerContext;
use crate::clock::Leap;
use crate::worker_pool::Next;

/// Between two looks at the clock.
const POLL: Duration = Duration::from_secs(1);

/// Makes what waits for a time too far ahead due at its time again, when the clock went back and at the
/// start.
pub(crate) struct TimeRepair {
    /// What all workers share.
    pub(crate) context: WorkerContext,
    /// When deliveries that fail are tried again.
    pub(crate) delays: RetryDelays,
    /// Between two retention sweeps of an organization.
    pub(crate) sweep_every: TimeDelta,
    /// What is known of the clock: nothing at first, as it may have been wrong while no process ran.
    pub(crate) leap: Leap,
}

impl TimeRepair {
    /// Looks at the clock, and repairs where it went back.
    pub(crate) fn step(&mut self) -> Result<Next, StoreError> {
        if self.leap.is_back(&*self.context.clock) {
            self.repair()?;
            self.leap.is_settled();
        }
        Ok(Next::Sleep(POLL))
    }

    fn repair(&self) -> Result<(), StoreError> {
        let (stores, clock) = (&*self.context.stores, &*self.context.clock);
        let now = clock.now();
        let mut jobs = 0;
        for (kind, longest) in [
            (JobKind::Retention, self.sweep_every),
            (JobKind::Brief, LONGEST_BACKOFF),
            (JobKind::Schedule, LONGEST_BACKOFF),
        ] {
            jobs += stores.repair_job_times(kind, now + longest, now)?;
        }
        let brought = repair_future_timestamps(stores, clock, &self.delays)?;
        if brought != RepairedTimestamps::default() || jobs > 0 {
            tracing::warn!(
                schedules = brought.schedules,
                deliveries = brought.deliveries,
                jobs,
                "future timestamps repaired after a clock change"
            );
        }
        Ok(())
    }
}
