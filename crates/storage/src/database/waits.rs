//! Counters of callers that waited for a connection.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often and how long callers waited for a connection.
#[derive(Debug, Default)]
pub(crate) struct Waits {
    count: AtomicU64,
    micros: AtomicU64,
    timeouts: AtomicU64,
}

impl Waits {
    pub(crate) fn add(&self, began: Instant, is_in_vain: bool) {
        let micros = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
        self.timeouts
            .fetch_add(u64::from(is_in_vain), Ordering::Relaxed);
    }

    /// How often a caller waited.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// Total wait time of all callers.
    pub(crate) fn waited(&self) -> Duration {
        Duration::from_micros(self.micros.load(Ordering::Relaxed))
    }

    /// How often a wait ended in a timeout.
    pub(crate) fn timeouts(&self) -> u64 {
        self.timeouts.load(Ordering::Relaxed)
    }
}
