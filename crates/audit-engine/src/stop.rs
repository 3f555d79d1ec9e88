//! Cancels a running audit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A cancellation token for an audit. Clones share their state.
///
/// After cancellation no further requests are sent. The pages crawled so far are evaluated and
/// scored, and the coverage reports `cancelled`.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_cancelled: AtomicBool,
    changed: Notify,
}

impl Stop {
    /// Cancels the audit. Further calls have no effect.
    pub fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Whether the audit was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::SeqCst)
    }

    /// Completes when the audit is cancelled.
    pub(crate) async fn cancelled(&self) {
        // Registered before the check, so that no cancellation is missed between check and wait.
        let changed = self.0.changed.notified();
        if !self.is_cancelled() {
            changed.await;
        }
    }
}
