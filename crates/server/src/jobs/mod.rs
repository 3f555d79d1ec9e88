//! The kinds of background jobs, one file or folder each.
//!
//! A kind whose jobs are claimed in the order in which they become due implements [`DueJob`]: its name, and how to run
//! one job. Claim, lease, heartbeat, retry and giving up are implemented here once. [`audit`] and [`delivery`] have
//! their own claim rules.

pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod brief;
pub(crate) mod delivery;
pub(crate) mod listener;
pub(crate) mod retention;
pub(crate) mod scheduled_start;
pub(crate) mod time_repair;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use domain::ports::{
    Clock, IdSource, JobClaim, JobKind, LeaseStatus, StoreError, Stores, WorkerId,
};

use crate::metrics;
use crate::signal::{Signal, Waited};
use crate::worker_pool::{Next, PAUSE, WorkerPool, message_of};

/// Duration of a lease without a heartbeat.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// Heartbeat interval of a long job.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// How long an idle worker waits before it looks for work on its own. The [`listener`] wakes it much earlier if there
/// is work.
const POLL: Duration = Duration::from_secs(30);

/// Shared state of the workers of a process.
#[derive(Clone)]
pub(crate) struct WorkerContext {
    /// The unique name of this process among all processes on the database.
    pub(crate) process: String,
    /// All stores.
    pub(crate) stores: Arc<dyn Stores>,
    /// The clock.
    pub(crate) clock: Arc<dyn Clock>,
    /// The source of new ids.
    pub(crate) ids: Arc<dyn IdSource>,
    /// Wakes workers when there is work, and when they must stop.
    pub(crate) signal: Arc<Signal>,
}

impl WorkerContext {
    /// Returns the id of a worker of this process.
    pub(crate) fn worker(&self, name: &str) -> WorkerId {
        WorkerId(format!("{}-{name}", self.process))
    }
}

/// A kind of background job that is claimed in the order of due times.
pub(crate) trait DueJob: Send + 'static {
    /// The kind. Its name is also the name of the thread, in logs and in metrics.
    const KIND: JobKind;
    /// Maximum attempts of a job; `None` for no limit.
    const MAX_ATTEMPTS: Option<u32> = None;

    /// Runs one job. An error or a panic leads to a retry after a backoff.
    fn run(&self, context: &WorkerContext, job: &HeldJob<'_>) -> Result<JobEnd, StoreError>;

    /// Ends a job that has no attempts left.
    fn give_up(&self, _: &WorkerContext, _: &HeldJob<'_>) -> Result<JobEnd, StoreError> {
        Ok(JobEnd::Done)
    }
}

/// What happens to a job after it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JobEnd {
    /// It is removed.
    Done,
    /// It is due again at this time.
    DueAt(DateTime<Utc>),
    /// The store has already ended or rescheduled it, in the transaction that changed its subject.
    Settled,
}

/// A running job.
pub(crate) struct HeldJob<'a> {
    context: &'a WorkerContext,
    /// The claim.
    pub(crate) claim: JobClaim,
    renewed: Cell<Instant>,
}

impl HeldJob<'_> {
    /// Sends a heartbeat if one is due. Returns `false` if the lease is lost or the process is stopping.
    pub(crate) fn keep_going(&self) -> bool {
        if self.context.signal.is_stopped() {
            return false;
        }
        if self.renewed.get().elapsed() < HEARTBEAT {
            return true;
        }
        let now = self.context.clock.now();
        match self.context.stores.renew_job(&self.claim, LEASE, now) {
            Ok(LeaseStatus::Held) => {
                self.renewed.set(Instant::now());
                true
            }
            Ok(LeaseStatus::Lost) => false,
            // The next heartbeat may succeed before the lease expires.
            Err(error) => {
                tracing::debug!(%error, "lease not renewed");
                true
            }
        }
    }
}

impl WorkerPool {
    /// Starts the thread of a kind of job.
    pub(crate) fn spawn_job<J: DueJob>(
        &mut self,
        context: &WorkerContext,
        job: J,
    ) -> std::io::Result<()> {
        let context = context.clone();
        let name = J::KIND.as_str();
        let worker = context.worker(name);
        self.spawn(name, move || do_next(&context, &job, &worker))
    }
}

/// Claims one job and runs it.
fn do_next<J: DueJob>(
    context: &WorkerContext,
    job: &J,
    worker: &WorkerId,
) -> Result<Next, StoreError> {
    let stores = &context.stores;
    let claimed = stores.claim_job(J::KIND, worker, LEASE, context.clock.now())?;
    let Some(claim) = claimed else {
        return Ok(Next::WaitForWork(POLL));
    };
    let held = HeldJob {
        context,
        claim,
        renewed: Cell::new(Instant::now()),
    };
    let claim = &held.claim;
    let is_too_often = J::MAX_ATTEMPTS.is_some_and(|most| claim.attempt > most);
    let done = catch_unwind(AssertUnwindSafe(|| {
        if is_too_often {
            tracing::error!(job.kind = %claim.kind, job.subject = claim.subject, "job given up");
            job.give_up(context, &held)
        } else {
            job.run(context, &held)
        }
    }));
    let done = done.unwrap_or_else(|panic| {
        metrics::task_panicked(J::KIND.as_str());
        Err(StoreError::Failed(message_of(&*panic).to_owned()))
    });
    metrics::job_ended(J::KIND, done.is_ok());
    settle(context, claim, &done)?;
    Ok(Next::Continue)
}

/// Stores the outcome of a job. If the database is unavailable, it retries until the lease expires; then the job is
/// attempted again.
fn settle(
    context: &WorkerContext,
    claim: &JobClaim,
    done: &Result<JobEnd, StoreError>,
) -> Result<(), StoreError> {
    if let Err(error) = done {
        tracing::warn!(
            job.kind = %claim.kind,
            job.subject = claim.subject,
            job.attempt = claim.attempt,
            %error,
            "job failed; retrying"
        );
    }
    let stores = &context.stores;
    let began = Instant::now();
    let patience = LEASE.to_std().unwrap_or_default();
    loop {
        let settled = match done {
            Ok(JobEnd::Done) => stores.end_job(claim),
            Ok(JobEnd::DueAt(at)) => stores.postpone_job(claim, *at),
            Ok(JobEnd::Settled) => return Ok(()),
            Err(_) => stores.retry_job(claim, context.clock.now()),
        };
        match settled {
            Ok(LeaseStatus::Held) => return Ok(()),
            Ok(LeaseStatus::Lost) => {
                tracing::debug!(job.kind = %claim.kind, job.subject = claim.subject, "job lost");
                return Ok(());
            }
            Err(StoreError::Unavailable(_)) if began.elapsed() < patience => {
                if context.signal.wait_for_stop(PAUSE) == Waited::Stopped {
                    return Ok(());
                }
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
