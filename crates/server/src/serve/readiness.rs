//! The thread that finds out whether the service can work, so that whoever asks `/readyz` waits for no
//! database.

use std::sync::Arc;
use std::thread::JoinHandle;

use domain::ports::NotReady;
use storage::{Database, PROBE_INTERVAL};

use crate::signal::{Signal, Waited};

/// Probes once, and starts the thread. Whoever asked before the first probe would probe himself, and keep the event
/// loop waiting.
pub(super) fn start(database: Database, signal: Arc<Signal>) -> std::io::Result<JoinHandle<()>> {
    let mut reason = probe(&database, None);
    let thread = std::thread::Builder::new().name("readiness".to_owned());
    thread.spawn(move || {
        while signal.wait_for_stop(PROBE_INTERVAL) != Waited::Stopped {
            reason = probe(&database, reason);
        }
    })
}

/// Probes once, and logs where the answer is another than the one before.
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
