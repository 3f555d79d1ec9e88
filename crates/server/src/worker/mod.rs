//! The workers: threads that claim runs and audit them.

mod auditor;
mod signal;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use domain::ports::{Auditor, Claim, Clock, IdSource, Stores, WorkerId};
use domain::score::DimensionWeights;
use domain::usecase::{Attempt, AttemptEnd, Beats};

pub(crate) use auditor::{EngineAuditor, egress_options};
pub(crate) use signal::{Signal, Waited};

/// How long a worker without work waits before it looks again by itself: another process may have
/// started a run.
const POLL: Duration = Duration::from_secs(1);
/// How long a worker waits before it asks a database again that failed.
const PAUSE: Duration = Duration::from_secs(1);

/// What all workers of a process share.
pub(crate) struct Shop {
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

/// The worker threads of a process, and its reaper.
pub(crate) struct Workers(Vec<JoinHandle<()>>);

impl Workers {
    /// Starts `count` workers, and a thread that ends every `reaper` what cannot end by itself.
    pub(crate) fn start(shop: &Arc<Shop>, count: usize, reaper: Duration) -> std::io::Result<Self> {
        let process = shop.ids.ulid();
        let mut threads = Vec::with_capacity(count + 1);
        for number in 1..=count {
            let (shop, id) = (Arc::clone(shop), WorkerId(format!("{process}-{number}")));
            let thread = std::thread::Builder::new().name(format!("worker-{number}"));
            threads.push(thread.spawn(move || work(&shop, &id))?);
        }
        let shop = Arc::clone(shop);
        let thread = std::thread::Builder::new().name("reaper".to_owned());
        threads.push(thread.spawn(move || reap(&shop, reaper))?);
        Ok(Self(threads))
    }

    /// Waits until all have ended; they do so after [`Signal::stop`].
    pub(crate) fn join(self) {
        for thread in self.0 {
            if thread.join().is_err() {
                tracing::error!("a worker panicked");
            }
        }
    }
}

/// Claims and audits until told to stop.
fn work(shop: &Shop, id: &WorkerId) {
    loop {
        // Listen before looking, so that a run started in between is not overlooked.
        let seen = shop.signal.seen();
        if shop.signal.is_stopped() {
            return;
        }
        let claimed = shop.stores.claim(id, &shop.beats.rules, shop.clock.now());
        let waited = match claimed {
            Ok(Some(claim)) => {
                // The run is taken up again when its lease has run out; the thread works on.
                if catch_unwind(AssertUnwindSafe(|| attempt(shop, &claim))).is_err() {
                    tracing::error!(run.id = %claim.run_id, "a worker panicked");
                }
                continue;
            }
            Ok(None) => shop.signal.wait(seen, POLL),
            Err(error) => {
                tracing::warn!(%error, "no run could be claimed");
                shop.signal.wait_for_stop(PAUSE)
            }
        };
        if waited == Waited::Stopped {
            return;
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
    loop {
        match attempt.finish(&end) {
            Ok(AttemptEnd::Completed) => tracing::info!("run completed"),
            Ok(AttemptEnd::Failed) => tracing::info!("run failed"),
            Ok(AttemptEnd::HandedBack) => tracing::info!("run handed back"),
            Ok(AttemptEnd::Lost) => {
                tracing::warn!("run lost: it was cancelled, removed or taken over");
            }
            Err(error) => {
                tracing::warn!(%error, "the end of a run could not be stored; trying again");
                // When this process stops, the lease runs out and another takes the run up.
                if shop.signal.wait_for_stop(PAUSE) == Waited::Stopped {
                    return;
                }
                continue;
            }
        }
        return;
    }
}

fn reap(shop: &Shop, every: Duration) {
    while shop.signal.wait_for_stop(every) != Waited::Stopped {
        match shop.stores.reap(&shop.beats.rules, shop.clock.now()) {
            Ok(reaped) if reaped == domain::ports::Reaped::default() => {}
            Ok(reaped) => tracing::warn!(
                past_deadline = reaped.past_deadline,
                given_up = reaped.given_up,
                "runs ended that could not end by themselves"
            ),
            Err(error) => tracing::warn!(%error, "the queue could not be looked through"),
        }
    }
}
