//! The workers: threads that claim runs and audit them.

mod auditor;
mod briefs;
mod child;
mod clock;
mod counted;
mod courier;
mod housekeeping;
mod isolation;
mod lookout;
mod scheduler;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::FailureCode;
use domain::ports::{
    AuditEnd, Auditor, Claim, Clock, HandBack, IdSource, QueueRules, StoreError, Stores, WorkerId,
};
use domain::run::RunError;
use domain::score::DimensionWeights;
use domain::usecase::{Attempt, AttemptEnd, Beats};

pub(crate) use auditor::{CrawlOptions, EngineAuditor, egress_options};
pub(crate) use briefs::Desk;
pub(crate) use child::{COMMAND as CHILD_COMMAND, ChildAuditor, run as run_child};
pub(crate) use clock::CautiousClock;
pub(crate) use courier::{Courier, Hosts};
pub(crate) use housekeeping::Housekeeper;
pub(crate) use isolation::{Isolation, RunAuditor};
pub(crate) use lookout::Lookout;
pub(crate) use scheduler::Scheduler;

use crate::signal::{Signal, Waited};

/// How long a worker without work waits before it looks again by itself. The [`Lookout`] calls it much
/// earlier where there is work.
const POLL: Duration = Duration::from_secs(30);
/// How long a worker waits before it asks a database again that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// What all workers of a process share.
pub(crate) struct Shop {
    /// The name of this process among all on the database.
    pub(crate) process: String,
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// New ids.
    pub(crate) ids: Arc<dyn IdSource>,
    /// The engine.
    pub(crate) auditor: Arc<dyn Auditor>,
    /// What the dimensions count.
    pub(crate) weights: DimensionWeights,
    /// How often workers give signs of life.
    pub(crate) beats: Beats,
    /// Whether each run is audited in a process of its own.
    pub(crate) isolation: Isolation,
    /// Wakes workers when there is work, and tells them to stop.
    pub(crate) signal: Arc<Signal>,
}

impl Shop {
    /// Names a worker of this process.
    pub(crate) fn worker(&self, name: &str) -> WorkerId {
        WorkerId(format!("{}-{name}", self.process))
    }

    /// The rules of the queue at this moment.
    pub(crate) fn rules(&self) -> QueueRules {
        QueueRules {
            isolated_runs: self.isolation.is_on(&*self.stores),
            ..self.beats.rules
        }
    }
}

/// The worker threads of a process, and its reaper.
pub(crate) struct Workers(Vec<JoinHandle<()>>);

impl Workers {
    /// Starts `count` workers, and a thread that ends every `reaper` what cannot end by itself.
    pub(crate) fn start(shop: &Arc<Shop>, count: usize, reaper: Duration) -> std::io::Result<Self> {
        let mut threads = Vec::with_capacity(count + 1);
        for number in 1..=count {
            let (shop, id) = (Arc::clone(shop), shop.worker(&number.to_string()));
            let thread = std::thread::Builder::new().name(format!("worker-{number}"));
            threads.push(thread.spawn(move || work(&shop, &id))?);
        }
        let shop = Arc::clone(shop);
        let thread = std::thread::Builder::new().name("reaper".to_owned());
        threads.push(thread.spawn(move || reap(&shop, reaper))?);
        Ok(Self(threads))
    }

    /// Adds a thread that ends after [`Signal::stop`] as well.
    pub(crate) fn and(mut self, thread: JoinHandle<()>) -> Self {
        self.0.push(thread);
        self
    }

    /// Waits until all have ended, which they do after [`Signal::stop`], but no longer than `most`:
    /// what is still held then is taken up by another process when its lease has run out.
    pub(crate) fn join(self, most: Duration) {
        let end = Instant::now() + most;
        while self.0.iter().any(|thread| !thread.is_finished()) {
            if Instant::now() >= end {
                tracing::warn!("a worker did not end in time");
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Claims and audits until told to stop.
fn work(shop: &Shop, id: &WorkerId) {
    loop {
        // The thread works on after a panic.
        let turn = catch_unwind(AssertUnwindSafe(|| take_turn(shop, id)));
        let waited = turn.unwrap_or_else(|_| {
            tracing::error!(worker = %id, "a worker panicked");
            shop.signal.wait_for_stop(PAUSE)
        });
        if waited == Waited::Stopped {
            return;
        }
    }
}

/// Works on one run, or waits for one. A run whose worker panics is handed back, and the panic goes on.
fn take_turn(shop: &Shop, id: &WorkerId) -> Waited {
    // Listen before looking, so that a run started in between is not overlooked.
    let seen = shop.signal.seen();
    if shop.signal.is_stopped() {
        return Waited::Stopped;
    }
    let rules = shop.rules();
    match shop.stores.claim(id, &rules, shop.clock.now()) {
        Ok(Some(claim)) => {
            let tried = catch_unwind(AssertUnwindSafe(|| attempt(shop, &claim, rules)));
            if let Err(panic) = tried {
                hand_back_after_fault(shop, &claim);
                resume_unwind(panic);
            }
            Waited::Called
        }
        Ok(None) => shop.signal.wait(seen, POLL),
        Err(error) => {
            tracing::warn!(%error, "no run could be claimed");
            shop.signal.wait_for_stop(PAUSE)
        }
    }
}

/// Gives a run back that failed through a fault of ours. Where that fails too, its lease runs out.
fn hand_back_after_fault(shop: &Shop, claim: &Claim) {
    let now = shop.clock.now();
    if let Err(error) = shop.stores.hand_back(claim, HandBack::Fault, now) {
        tracing::warn!(%error, run.id = %claim.run_id, "a run could not be handed back");
    }
}

fn attempt(shop: &Shop, claim: &Claim, rules: QueueRules) {
    let span = tracing::info_span!(
        "run",
        run.id = %claim.run_id,
        org.id = %claim.org_id,
        run.epoch = claim.epoch,
    );
    let beats = Beats {
        rules,
        ..shop.beats
    };
    let _entered = span.enter();
    let began = Instant::now();
    tracing::info!(
        run.attempt = claim.attempt,
        run.alone = claim.alone,
        run.crashes = claim.crashes,
        "run started"
    );
    let attempt = Attempt {
        queue: &*shop.stores,
        clock: &*shop.clock,
        ids: &*shop.ids,
        weights: &shop.weights,
        beats,
        claim,
    };
    let end = attempt.audit(&*shop.auditor, &|| shop.signal.is_stopped());
    finish(shop, &attempt, end, began);
}

/// Writes down how an attempt ended. A database that is away is asked again for as long as the lease;
/// then another worker has the run. What the database refuses ends the run as a fault of ours.
fn finish(shop: &Shop, attempt: &Attempt<'_>, mut end: AuditEnd, claimed: Instant) {
    let patience = shop.beats.rules.lease.to_std().unwrap_or_default();
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
                tracing::error!(error, "the end of a run was refused by the database");
                let is_last = match &end {
                    AuditEnd::Stopped | AuditEnd::NotStarted | AuditEnd::Crashed(_) => true,
                    AuditEnd::Error(error) => error.code == FailureCode::Internal,
                    AuditEnd::Result(_) => false,
                };
                if is_last {
                    return hand_back_after_fault(shop, attempt.claim);
                }
                end = AuditEnd::Error(RunError::internal());
            }
            Err(StoreError::Unavailable(error)) => {
                tracing::warn!(error, "the end of a run could not be stored");
                if began.elapsed() >= patience
                    || shop.signal.wait_for_stop(PAUSE) == Waited::Stopped
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
            tracing::warn!("the process of the run crashed; the run is tried again");
        }
        (AttemptEnd::HandedBack, _) => tracing::info!("run handed back"),
        (AttemptEnd::Lost, _) => tracing::warn!("run lost: taken over, cancelled or removed"),
    }
}

fn reap(shop: &Shop, every: Duration) {
    while shop.signal.wait_for_stop(every) != Waited::Stopped {
        match shop.stores.reap(&shop.beats.rules, shop.clock.now()) {
            Ok(reaped) if reaped == domain::ports::Reaped::default() => {}
            Ok(reaped) => {
                crate::metrics::reaped(reaped);
                tracing::warn!(
                    past_deadline = reaped.past_deadline,
                    given_up = reaped.given_up,
                    "runs ended that could not end by themselves"
                );
            }
            Err(error) => tracing::warn!(%error, "the queue could not be looked through"),
        }
    }
}

#[cfg(test)]
mod tests;
