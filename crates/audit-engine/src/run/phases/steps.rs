//! Which requests are made after the crawl, for the progress of the audit.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::crawl::progress::{OnProgress, Progress, Step, Waiting};
use crate::fetch::exchange::Exchange;

/// The interval at which progress is reported.
const INTERVAL: Duration = Duration::from_millis(250);

/// The step that is under way.
#[derive(Default)]
pub(super) struct Steps(Mutex<Option<Current>>);

#[derive(Clone, Copy)]
struct Current {
    step: Step,
    begun: Instant,
    until: Instant,
}

impl Steps {
    /// Begins a step that ends by `until`.
    pub(super) fn begin(&self, step: Step, until: Instant) {
        let begun = Instant::now();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Current { step, begun, until });
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
            let current = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(current) = current {
                let waiting = Waiting {
                    step: current.step,
                    requests: exchange.requests().saturating_sub(before),
                    at_most: current.until.saturating_duration_since(Instant::now()),
                };
                let whole = current.until.saturating_duration_since(current.begun);
                on_progress(&crawled.waiting(waiting, whole));
            }
        }
    }
}
