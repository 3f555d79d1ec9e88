//! How fast one host may be asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// What a host is asked for at most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostLimits {
    /// Requests under way at once; at least one.
    pub connections: usize,
    /// Time between the starts of two requests; zero for none.
    pub interval: Duration,
}

impl HostLimits {
    /// For hosts of strangers: 8 connections, 20 requests a second.
    pub const POLITE: Self = Self {
        connections: 8,
        interval: Duration::from_millis(50),
    };

    /// For hosts that the operator listed as his own: 32 connections, no rate.
    pub const OWN: Self = Self {
        connections: 32,
        interval: Duration::ZERO,
    };

    /// The limits with robots.txt's `Crawl-delay` honoured up to 10 s: one request at a time.
    #[must_use]
    pub fn with_crawl_delay(self, seconds: f64) -> Self {
        let delay = Duration::try_from_secs_f64(seconds.clamp(0.0, 10.0)).unwrap_or_default();
        if delay <= self.interval {
            return self;
        }
        Self {
            connections: 1,
            interval: delay,
        }
    }
}

#[derive(Debug)]
struct Host {
    limits: HostLimits,
    slots: Arc<Semaphore>,
    next: Instant,
}

/// Per-host limits, shared by everything that sends requests in this process.
#[derive(Debug, Default)]
pub struct Limiter {
    hosts: Mutex<HashMap<String, Host>>,
}

/// The right to one request; give it back by dropping it when the answer has been read.
#[derive(Debug)]
pub struct Permit {
    _slot: Option<OwnedSemaphorePermit>,
}

impl Limiter {
    /// Sets what the host is asked for at most from now on.
    pub fn set(&self, host: &str, limits: HostLimits) {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        match hosts.get_mut(host) {
            Some(known) if known.limits == limits => {}
            _ => {
                hosts.insert(host.to_owned(), Host::new(limits));
            }
        }
    }

    /// Waits until the host may be asked again. Hosts without limits set get [`HostLimits::POLITE`].
    pub async fn acquire(&self, host: &str) -> Permit {
        let (slots, start) = {
            let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
            let known = hosts
                .entry(host.to_owned())
                .or_insert_with(|| Host::new(HostLimits::POLITE));
            let start = known.next.max(Instant::now());
            known.next = start + known.limits.interval;
            (Arc::clone(&known.slots), start)
        };
        // The semaphore is never closed.
        let slot = slots.acquire_owned().await.ok();
        if start > Instant::now() {
            tokio::time::sleep_until(start).await;
        }
        Permit { _slot: slot }
    }
}

impl Host {
    fn new(limits: HostLimits) -> Self {
        Self {
            limits,
            slots: Arc::new(Semaphore::new(limits.connections.max(1))),
            next: Instant::now(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn requests_start_an_interval_apart() {
        let limiter = Limiter::default();
        limiter.set(
            "a",
            HostLimits {
                connections: 8,
                interval: Duration::from_millis(50),
            },
        );
        let begin = Instant::now();
        for _ in 0..5 {
            drop(limiter.acquire("a").await);
        }
        assert_eq!(begin.elapsed().as_millis(), 200);
    }

    #[tokio::test(start_paused = true)]
    async fn no_more_requests_are_under_way_than_allowed() {
        let limiter = Arc::new(Limiter::default());
        limiter.set(
            "a",
            HostLimits {
                connections: 2,
                interval: Duration::ZERO,
            },
        );
        let held = (limiter.acquire("a").await, limiter.acquire("a").await);
        let third = tokio::time::timeout(Duration::from_secs(1), limiter.acquire("a"));
        assert!(third.await.is_err());
        drop(held);
        let third = tokio::time::timeout(Duration::from_secs(1), limiter.acquire("a"));
        assert!(third.await.is_ok());
    }

    #[test]
    fn a_crawl_delay_is_honoured_up_to_ten_seconds() {
        let limits = HostLimits::POLITE.with_crawl_delay(3_600.0);
        assert_eq!(
            limits,
            HostLimits {
                connections: 1,
                interval: Duration::from_secs(10)
            }
        );
        assert_eq!(HostLimits::POLITE.with_crawl_delay(0.0), HostLimits::POLITE);
    }
}
