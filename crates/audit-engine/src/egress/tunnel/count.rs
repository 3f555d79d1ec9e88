//! The bytes and requests of a tunnel.

use std::sync::atomic::{AtomicU64, Ordering};

use super::TunnelLimits;

/// The traffic of a tunnel so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TunnelCounts {
    /// Connections to sites.
    pub connections: u64,
    /// Requests whose target is not allowed.
    pub refused: u64,
    /// Requests for which no connection could be made.
    pub unreachable: u64,
    /// Bytes that sites sent.
    pub received_bytes: u64,
    /// Bytes that the browser sent to sites.
    pub sent_bytes: u64,
    /// Whether a connection was ended because the page or the run had loaded as much as it may.
    pub is_cut: bool,
}

/// The counters, shared by all connections of a tunnel.
#[derive(Debug)]
pub(super) struct Counters {
    limits: TunnelLimits,
    connections: AtomicU64,
    refused: AtomicU64,
    unreachable: AtomicU64,
    received: AtomicU64,
    sent: AtomicU64,
    /// The bytes of both directions before the current page.
    before_page: AtomicU64,
    cut: AtomicU64,
}

/// The direction in which bytes flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    FromSite,
    ToSite,
}

impl Counters {
    pub(super) fn new(limits: TunnelLimits) -> Self {
        Self {
            limits,
            connections: AtomicU64::default(),
            refused: AtomicU64::default(),
            unreachable: AtomicU64::default(),
            received: AtomicU64::default(),
            sent: AtomicU64::default(),
            before_page: AtomicU64::default(),
            cut: AtomicU64::default(),
        }
    }

    pub(super) fn count_connection(&self) {
        self.connections.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_refusal(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_unreachable(&self) {
        self.unreachable.fetch_add(1, Ordering::Relaxed);
    }

    /// Resets the count of the page.
    pub(super) fn begin_page(&self) {
        self.before_page.store(self.total(), Ordering::Relaxed);
    }

    /// Counts bytes that arrived. Returns `false` if the page or the run has loaded more than it may.
    pub(super) fn admit(&self, direction: Direction, bytes: usize) -> bool {
        let counter = match direction {
            Direction::FromSite => &self.received,
            Direction::ToSite => &self.sent,
        };
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        counter.fetch_add(bytes, Ordering::Relaxed);
        let total = self.total();
        let of_page = total.saturating_sub(self.before_page.load(Ordering::Relaxed));
        let fits = total <= self.limits.run_bytes && of_page <= self.limits.page_bytes;
        if !fits {
            self.cut.fetch_add(1, Ordering::Relaxed);
        }
        fits
    }

    fn total(&self) -> u64 {
        let received = self.received.load(Ordering::Relaxed);
        received.saturating_add(self.sent.load(Ordering::Relaxed))
    }

    pub(super) fn read(&self) -> TunnelCounts {
        TunnelCounts {
            connections: self.connections.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            unreachable: self.unreachable.load(Ordering::Relaxed),
            received_bytes: self.received.load(Ordering::Relaxed),
            sent_bytes: self.sent.load(Ordering::Relaxed),
            is_cut: self.cut.load(Ordering::Relaxed) > 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_a_run_have_their_own_limits() {
        let counters = Counters::new(TunnelLimits {
            page_bytes: 100,
            run_bytes: 250,
        });
        assert!(counters.admit(Direction::FromSite, 60));
        assert!(counters.admit(Direction::ToSite, 40));
        assert!(!counters.admit(Direction::FromSite, 1));
        counters.begin_page();
        assert!(counters.admit(Direction::FromSite, 100));
        counters.begin_page();
        assert!(!counters.admit(Direction::FromSite, 100));
        let counts = counters.read();
        assert_eq!((counts.received_bytes, counts.sent_bytes), (261, 40));
        assert!(counts.is_cut);
    }
}
