//! The workers: threads that claim runs and audit them.

mod auditor;
mod briefs;
mod clock;
mod counted;
mod courier;
mod housekeeping;
mod lookout;
mod scheduler;
mod signal;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::FailureCode;
use domain::ports::{AuditEnd, Auditor, Claim, Clock, IdSource, StoreError, Stores, WorkerId};
use domain::run::RunError;
use domain::score::DimensionWeights;
use domain::usecase::{Attempt, AttemptEnd, Beats};

pub(crate) use auditor::{EngineAuditor, egress_options};
pub(crate) use briefs::Desk;
pub(crate) use clock::CautiousClock;
pub(crate) use courier::{Courier, Hosts};
pub(crate) use housekeeping::Housekeeper;
pub(crate) use lookout::Lookout;
pub(crate) use scheduler::Scheduler;
pub(crate) use signal::{Signal, Waited};

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
    /// Wakes workers when there is work, and tells them to stop.
    pub(crate) signal: Arc<Signal>,
}

impl Shop {
    /// Names a worker of this process.
    pub(crate) fn worker(&self, name: &str) -> WorkerId {
        WorkerId(format!("{}-{name}", self.process))
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
        // A run whose worker panicked is taken up again when its lease has run out; the thread works on.
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

/// Works on one run, or waits for one.
fn take_turn(shop: &Shop, id: &WorkerId) -> Waited {
    // Listen before looking, so that a run started in between is not overlooked.
    let seen = shop.signal.seen();
    if shop.signal.is_stopped() {
        return Waited::Stopped;
    }
    match shop.stores.claim(id, &shop.beats.rules, shop.clock.now()) {
        Ok(Some(claim)) => {
            attempt(shop, &claim);
            Waited::Called
        }
        Ok(None) => shop.signal.wait(seen, POLL),
        Err(error) => {
            tracing::warn!(%error, "no run could be claimed");
            shop.signal.wait_for_stop(PAUSE)
        }
    }
}

fn attempt(shop: &Shop, claim: &Claim) {
    let span = tracing::info_span!(
        "run",
        run.id = %claim.run_id,
        org.id = %claim.org_id,
        run.epoch = claim.epoch,
    );
    let _entered = span.enter();
    let began = Instant::now();
    tracing::info!(run.attempt = claim.attempt, "run started");
    let attempt = Attempt {
        queue: &*shop.stores,
        clock: &*shop.clock,
        ids: &*shop.ids,
        weights: &shop.weights,
        beats: shop.beats,
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
                    AuditEnd::Error(error) => Some(error),
                    AuditEnd::Result(_) | AuditEnd::Stopped => None,
                };
                crate::metrics::attempt_ended(done, error, claimed);
                return log_end(done, &end);
            }
            Err(StoreError::Failed(error)) => {
                tracing::error!(error, "the end of a run was refused by the database");
                let is_last = matches!(&end, AuditEnd::Stopped)
                    || matches!(&end, AuditEnd::Error(error) if error.code == FailureCode::Internal);
                if is_last {
                    // Its lease runs out, and it is attempted again or given up.
                    return;
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
        (AttemptEnd::Completed | AttemptEnd::Failed, _) => tracing::info!("run completed"),
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
