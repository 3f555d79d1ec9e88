//! A word to an audit that it shall end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Asks an audit to end early. Its clones ask the same.
///
/// The pages seen until then are judged and scored, and the coverage says `cancelled`. Nothing is
/// requested any more from when it is asked.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    is_asked: AtomicBool,
    changed: Notify,
}

impl Stop {
    /// Asks. It can be asked once; it is no harm to ask again.
    pub fn ask(&self) {
        self.0.is_asked.store(true, Ordering::SeqCst);
        self.0.changed.notify_waiters();
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.0.is_asked.load(Ordering::SeqCst)
    }

    /// Comes back when somebody has asked.
    pub(crate) async fn asked(&self) {
        // From here on it is woken, so nobody can ask unheard between the look and the wait.
        let changed = self.0.changed.notified();
        if !self.is_asked() {
            changed.await;
        }
    }
}
