//! The audit job: claims runs and audits their sites.

mod auditor;
mod browser;
mod child;
mod counted;
mod isolation;
mod pictures;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::FailureCode;
use domain::plan::SharedPlans;
use domain::ports::{
    AuditEnd, Auditor, Claim, HandBack, JobKind, ObjectError, QueueRules, Reaped,
    RenderReservation, RunModes, StoreError, WorkerId,
};
use domain::run::{Mode, RunError};
use domain::score::DimensionWeights;
use domain::usecase::{ArtifactRules, Artifacts, Attempt, AttemptEnd, HeartbeatConfig};
use domain::waiver::AuditWaivers;

pub(crate) use auditor::{CrawlOptions, EngineAuditor, egress_options};
pub(crate) use browser::RunBrowser;
pub(crate) use child::{COMMAND as CHILD_COMMAND, ChildAuditor, run as run_child};
pub(crate) use isolation::{Isolation, RunAuditor};
pub(crate) use pictures::PictureStore;

use super::{POLL, WorkerContext};
use crate::signal::Waited;
use crate::worker_pool::{Next, PAUSE, WorkerPool};

/// Shared state of the threads that audit.
pub(crate) struct AuditJob {
    /// Shared state of the workers.
    pub(crate) context: WorkerContext,
    /// The engine.
    pub(crate) auditor: Arc<dyn Auditor>,
    /// The weight of each dimension.
    pub(crate) weights: DimensionWeights,
    /// Heartbeat settings of the workers.
    pub(crate) heartbeat: HeartbeatConfig,
    /// Whether each run is audited in a child process.
    pub(crate) isolation: Isolation,
    /// Which runs this process takes.
    pub(crate) modes: RunModes,
    /// Where the pictures of runs are stored.
    pub(crate) pictures: PictureStore,
    /// The plans of the configuration.
    pub(crate) plans: SharedPlans,
}

impl AuditJob {
    /// Returns the present rules of the queue.
    pub(crate) fn rules(&self) -> QueueRules {
        QueueRules {
            isolated_runs: self.isolation.is_on(&*self.context.stores),
            modes: self.modes,
            ..self.heartbeat.rules
        }
    }

    /// Starts `count` audit threads, and the reaper: a thread that ends abandoned runs every `reap_every`.
    pub(crate) fn spawn(
        self: &Arc<Self>,
        pool: &mut WorkerPool,
        count: usize,
        reap_every: Duration,
    ) -> std::io::Result<()> {
        for number in 1..=count {
            let (job, worker) = (Arc::clone(self), self.context.worker(&number.to_string()));
            pool.spawn(JobKind::Run.as_str(), move || job.do_next(&worker))?;
        }
        let job = Arc::clone(self);
        pool.spawn("reaper", move || {
            job.reap().map(|()| Next::Sleep(reap_every))
        })
    }

    /// Claims a run and audits it. If the worker panics, the run is handed back, and the panic continues.
    fn do_next(&self, worker: &WorkerId) -> Result<Next, StoreError> {
        let (stores, rules) = (&self.context.stores, self.rules());
        let claimed = stores.claim(worker, &rules, self.context.clock.now())?;
        let Some(claim) = claimed else {
            return Ok(Next::WaitForWork(POLL));
        };
        let tried = catch_unwind(AssertUnwindSafe(|| attempt(self, &claim, rules)));
        if let Err(panic) = tried {
            hand_back_after_fault(self, &claim);
            resume_unwind(panic);
        }
        Ok(Next::Continue)
    }

    /// Ends abandoned runs.
    fn reap(&self) -> Result<(), StoreError> {
        let context = &self.context;
        let reaped = (context.stores).reap(&self.heartbeat.rules, context.clock.now())?;
        if reaped != Reaped::default() {
            crate::metrics::reaped(reaped);
            tracing::warn!(
                past_deadline = reaped.past_deadline,
                given_up = reaped.given_up,
                "runs ended by the reaper"
            );
        }
        Ok(())
    }
}

/// Hands a run back after an internal failure. If that also fails, its lease expires.
fn hand_back_after_fault(job: &AuditJob, claim: &Claim) {
    let now = job.context.clock.now();
    if let Err(error) = job.context.stores.hand_back(claim, HandBack::Fault, now) {
        tracing::warn!(%error, run.id = %claim.run_id, "run not requeued");
    }
}

fn attempt(job: &AuditJob, claim: &Claim, rules: QueueRules) {
    let span = tracing::info_span!(
        "run",
        run.id = %claim.run_id,
        org.id = %claim.org_id,
        run.epoch = claim.epoch,
    );
    let heartbeat = HeartbeatConfig {
        rules,
        ..job.heartbeat
    };
    let _entered = span.enter();
    let began = Instant::now();
    tracing::info!(
        run.attempt = claim.attempt,
        run.alone = claim.alone,
        run.crashes = claim.crashes,
        "run started"
    );
    let waivers = match waivers(job, claim) {
        Ok(waivers) => waivers,
        Err(error) => {
            tracing::warn!(%error, "waivers not read");
            hand_back_after_fault(job, claim);
            return;
        }
    };
    let on_failure = |error: &ObjectError| {
        crate::metrics::artifacts_not_stored();
        tracing::warn!(%error, "pictures not stored; the run completes without them");
    };
    let rendering = match rendering(job, claim) {
        Ok(RenderReservation::Reserved(allowance)) => allowance,
        Ok(RenderReservation::Lost) => return log_end(AttemptEnd::Lost, &AuditEnd::Stopped),
        Err(error) => {
            tracing::warn!(%error, "rendered pages not reserved");
            hand_back_after_fault(job, claim);
            return;
        }
    };
    let attempt = Attempt {
        artifacts: Some(ArtifactRules {
            artifacts: Artifacts {
                records: &*job.context.stores,
                objects: &*job.pictures.objects,
            },
            keep: job.pictures.keep,
            on_failure: &on_failure,
        }),
        waivers: &waivers,
        rendering,
        queue: &*job.context.stores,
        clock: &*job.context.clock,
        ids: &*job.context.ids,
        weights: &job.weights,
        heartbeat,
        claim,
    };
    let end = attempt.audit(&*job.auditor, &|| job.context.signal.is_stopped());
    finish(job, &attempt, end, began);
}

/// Returns the waivers of the site, as they are now.
fn waivers(job: &AuditJob, claim: &Claim) -> Result<AuditWaivers, StoreError> {
    let stored = (job.context.stores).waivers(&claim.org_id, &claim.site_id)?;
    Ok(AuditWaivers::at(
        stored.unwrap_or_default(),
        job.context.clock.now(),
    ))
}

/// Reserves the rendered pages of the run, by the plans as they are now. One in static mode needs none.
fn rendering(job: &AuditJob, claim: &Claim) -> Result<RenderReservation, StoreError> {
    match claim.options.mode {
        Mode::Static => Ok(RenderReservation::Reserved(None)),
        Mode::Auto | Mode::Rendered => {
            (job.context.stores).reserve_rendering(claim, &job.plans.current())
        }
    }
}

/// Stores the outcome of an attempt. If the database is unavailable, it retries until the lease expires; then another
/// worker takes the run. If the database rejects the outcome, the run fails with an internal error.
fn finish(job: &AuditJob, attempt: &Attempt<'_>, mut end: AuditEnd, claimed: Instant) {
    let patience = job.heartbeat.rules.lease.to_std().unwrap_or_default();
    let began = Instant::now();
    loop {
        match attempt.finish(&end) {
            Ok(done) => {
                let error = match &end {
                    AuditEnd::Error(error) => Some(error.code),
                    AuditEnd::Crashed(_) => Some(FailureCode::ResourceLimit),
                    AuditEnd::Result(_) | AuditEnd::Stopped | AuditEnd::NotStarted => None,
                };
                crate::metrics::attempt_ended(done, error, claimed);
                return log_end(done, &end);
            }
            Err(StoreError::Failed(error)) => {
                tracing::error!(error, "run outcome rejected by the database");
                let is_last = match &end {
                    AuditEnd::Stopped | AuditEnd::NotStarted | AuditEnd::Crashed(_) => true,
                    AuditEnd::Error(error) => error.code == FailureCode::Internal,
                    AuditEnd::Result(_) => false,
                };
                if is_last {
                    return hand_back_after_fault(job, attempt.claim);
                }
                end = AuditEnd::Error(RunError::internal());
            }
            Err(StoreError::Unavailable(error)) => {
                tracing::warn!(error, "run outcome not stored");
                if began.elapsed() >= patience
                    || job.context.signal.wait_for_stop(PAUSE) == Waited::Stopped
                {
                    return;
                }
            }
        }
    }
}

fn log_end(done: AttemptEnd, end: &AuditEnd) {
    match (done, end) {
        (AttemptEnd::Failed, AuditEnd::Error(error)) => {
            tracing::info!(error.code = error.code.as_str(), "run failed");
        }
        (AttemptEnd::Failed, AuditEnd::Crashed(_)) => {
            let code = FailureCode::ResourceLimit.as_str();
            tracing::warn!(error.code = code, "run failed");
        }
        (AttemptEnd::Completed | AttemptEnd::Failed, _) => tracing::info!("run completed"),
        (AttemptEnd::HandedBack, AuditEnd::Crashed(_)) => {
            tracing::warn!("audit process crashed; the run is retried");
        }
        (AttemptEnd::HandedBack, _) => tracing::info!("run requeued"),
        (AttemptEnd::Lost, _) => tracing::warn!("run lease lost: taken over, cancelled or removed"),
    }
}

#[cfg(test)]
mod tests;
