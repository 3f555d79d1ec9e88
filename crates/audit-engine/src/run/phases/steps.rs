//! What is done after the crawl, for the progress of the audit.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::crawl::progress::{LoadCounts, OnProgress, Progress, Step, Waiting};
use crate::fetch::exchange::Exchange;

/// The interval at which progress is reported.
const INTERVAL: Duration = Duration::from_millis(250);

/// The step that is under way, and the pages measured before.
#[derive(Default)]
pub(super) struct Steps(Mutex<State>);

#[derive(Clone, Copy, Default)]
struct State {
    current: Option<Current>,
    /// Loads of measured pages; `None` if none is measured.
    loads: Option<LoadCounts>,
}

#[derive(Clone, Copy)]
struct Current {
    doing: Doing,
    begun: Instant,
    until: Instant,
}

#[derive(Clone, Copy)]
enum Doing {
    /// A browser measures pages. Nothing is requested beside them.
    Measuring,
    /// Requests.
    Requesting(Step),
}

impl Steps {
    /// Begins requests that end by `until`.
    pub(super) fn begin(&self, step: Step, until: Instant) {
        self.begin_doing(Doing::Requesting(step), until);
    }

    /// Begins the measurement of pages, which ends by `until`.
    pub(super) fn begin_measuring(&self, until: Instant) {
        self.begin_doing(Doing::Measuring, until);
    }

    fn begin_doing(&self, doing: Doing, until: Instant) {
        let begun = Instant::now();
        self.lock().current = Some(Current {
            doing,
            begun,
            until,
        });
    }

    /// Records the loads of measured pages so far.
    pub(super) fn record_loads(&self, loads: LoadCounts) {
        self.lock().loads = Some(loads);
    }

    /// The progress with the pages measured so far.
    pub(super) fn add_measured(&self, crawled: Progress) -> Progress {
        crawled.with_measured(self.lock().loads)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports the step under way at intervals; never returns.
    pub(super) async fn report(
        &self,
        crawled: Progress,
        exchange: &Exchange,
        on_progress: OnProgress<'_>,
    ) -> std::convert::Infallible {
        let before = exchange.requests();
        loop {
            tokio::time::sleep(INTERVAL).await;
            let State { current, loads } = *self.lock();
            let Some(current) = current else {
                continue;
            };
            let at_most = current.until.saturating_duration_since(Instant::now());
            let progress = match current.doing {
                Doing::Measuring => {
                    let Some(loads) = loads else { continue };
                    crawled.measuring(loads, current.begun.elapsed(), at_most)
                }
                Doing::Requesting(step) => {
                    let waiting = Waiting {
                        step,
                        requests: exchange.requests().saturating_sub(before),
                        at_most,
                    };
                    let whole = current.until.saturating_duration_since(current.begun);
                    crawled.with_measured(loads).waiting(waiting, whole)
                }
            };
            on_progress(&progress);
        }
    }
}
