//! Background readiness probes, so that a request to `/readyz` does not wait for the database.

use std::convert::Infallible;

use domain::ports::NotReady;
use storage::{Database, PROBE_INTERVAL};

use crate::worker_pool::{Next, WorkerPool};

/// Probes once, and starts the thread. A request before the first probe would run a probe itself and block the event
/// loop.
pub(super) fn spawn(database: Database, pool: &mut WorkerPool) -> std::io::Result<()> {
    let mut reason = probe(&database, None);
    let mut is_first = true;
    pool.spawn("readiness", move || {
        if !std::mem::take(&mut is_first) {
            reason = probe(&database, reason);
        }
        Ok::<_, Infallible>(Next::Sleep(PROBE_INTERVAL))
    })
}

/// Probes once, and logs a change of the result.
fn probe(database: &Database, before: Option<NotReady>) -> Option<NotReady> {
    match database.probe_health() {
        Ok(()) => {
            if before.is_some() {
                tracing::info!("ready again");
            }
            None
        }
        Err(failure) => {
            if before != Some(failure.reason) {
                let reason = failure.reason.as_str();
                tracing::error!(reason, error = failure.cause, "not ready");
            }
            Some(failure.reason)
        }
    }
}
