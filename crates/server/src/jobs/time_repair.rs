//! Repairs due times that were set by a clock far ahead.

use std::time::Duration;

use chrono::TimeDelta;
use domain::ports::{JobKind, LONGEST_BACKOFF, StoreError};
use domain::usecase::{RepairedTimestamps, repair_future_timestamps};
use domain::webhook::RetryDelays;

use super::WorkerContext;
use crate::clock::ClockChange;
use crate::worker_pool::Next;

/// Interval of the clock checks.
const POLL: Duration = Duration::from_secs(1);

/// Resets due times that are too far ahead, at the start and whenever the clock moves back.
pub(crate) struct TimeRepair {
    /// Shared state of the workers.
    pub(crate) context: WorkerContext,
    /// Retry delays of failed deliveries.
    pub(crate) delays: RetryDelays,
    /// Interval of the retention sweeps of an organization.
    pub(crate) sweep_every: TimeDelta,
    /// Detects clock changes. Initially unknown, because the clock may have been wrong while no process ran.
    pub(crate) clock_change: ClockChange,
}

impl TimeRepair {
    /// Checks the clock, and repairs due times if it moved back.
    pub(crate) fn step(&mut self) -> Result<Next, StoreError> {
        if self.clock_change.is_back(&*self.context.clock) {
            self.repair()?;
            self.clock_change.mark_handled();
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
