//! The rate limiter per host, shared by all audits of the process. Webhook deliveries have separate limits.
//!
//! A host receives at most the requests that the strictest [`Lease`] on it allows, or [`HostLimits::POLITE`]
//! without a lease. Third-party hosts receive fewer requests while they respond slower than they used to. After
//! a 429 or 503, a host receives no requests from any audit for a while.

mod host;
mod limits;
mod pace;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use host::Host;
pub use host::Permit;
pub use limits::HostLimits;

use crate::address::SiteKey;

/// The longest `Retry-After` of a 503 that is honored. A longer one applies only to the refused URL, which is
/// not retried. Other URLs are requested after a shorter pause, see [`Permit::refused`].
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// The longest `Retry-After` of a 429 that is honored. A 429 applies to the client and not to the page (RFC
/// 6585, section 4), so all other requests would be refused as well. Many servers count requests per minute.
pub const MAX_RATE_LIMITED: Duration = Duration::from_secs(120);

/// The longest pause after refusals without `Retry-After`.
pub const MAX_BACKOFF: Duration = Duration::from_secs(10);

/// How long to wait before retrying a host on which all connections are in use.
pub const BUSY: Duration = Duration::from_millis(250);

/// The number of hosts that are remembered before unused ones are removed.
const SWEEP_THRESHOLD: usize = 1_024;

/// How long the state of an unused host is kept.
const IDLE_RETENTION: Duration = Duration::from_secs(60);

/// The key of the limits of a URL's host: the site, so that http and https, with and without `www.`, share
/// them. Empty if the URL has no host.
#[must_use]
pub fn host_key(url: &Url) -> String {
    SiteKey::from_url(url)
        .map(|key| key.to_string())
        .unwrap_or_default()
}

/// The key of the limits for webhook deliveries to a URL's host. They are separate: a `Crawl-delay` applies to
/// crawlers, and a receiver that refuses says nothing about the capacity of its host.
#[must_use]
pub fn post_key(url: &Url) -> String {
    format!("post {}", host_key(url))
}

/// Per-host limits, shared by everything that sends requests in this process.
#[derive(Debug, Default)]
pub struct Limiter {
    hosts: Mutex<Hosts>,
    leases: AtomicU64,
}

#[derive(Debug, Default)]
struct Hosts {
    known: HashMap<String, Arc<Host>>,
    /// The number of hosts at which the next sweep runs.
    sweep_at: usize,
}

/// The limits of one run for a host, in effect until this is dropped. Runs on the same host share what the
/// strictest of them allows.
#[derive(Debug)]
pub struct Lease {
    host: Arc<Host>,
    id: u64,
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.host.end_lease(self.id);
    }
}

impl Limiter {
    /// Limits the host until the lease is dropped. Requests that are already in flight count.
    #[must_use]
    pub fn lease(&self, host: &str, limits: HostLimits) -> Lease {
        let id = self.leases.fetch_add(1, Ordering::Relaxed);
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.get(host);
        // Within the lock, because a host without leases may be removed.
        host.add_lease(id, limits);
        Lease { host, id }
    }

    /// Waits until a request to the host may start; none if the pause of the host is longer than `max_wait`.
    pub async fn acquire(&self, host: &str, max_wait: Duration) -> Option<Permit> {
        self.host(host).enter(max_wait).await
    }

    /// Permission for one request if it may start right now. A host on which all connections are in use returns
    /// at most [`BUSY`], because a response may free a connection at any time.
    ///
    /// # Errors
    /// The minimum time until the next request may start.
    pub fn try_acquire(&self, host: &str) -> Result<Permit, Duration> {
        self.host(host).try_enter()
    }

    /// Waits in line until a request to the host may start; none if it cannot start within `most`. A start time
    /// after that is left to others.
    pub async fn acquire_within(&self, host: &str, most: Duration) -> Option<Permit> {
        let by = Instant::now() + most;
        let entering = self.host(host).enter_by(by);
        tokio::time::timeout_at(by, entering).await.ok().flatten()
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(name)
    }

    /// The number of hosts that are remembered.
    #[must_use]
    pub fn remembered(&self) -> usize {
        let hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.known.len()
    }
}

impl Hosts {
    fn get(&mut self, name: &str) -> Arc<Host> {
        if let Some(host) = self.known.get(name) {
            return Arc::clone(host);
        }
        if self.known.len() >= self.sweep_at.max(SWEEP_THRESHOLD) {
            self.sweep();
        }
        let host = Arc::new(Host::new());
        self.known.insert(name.to_owned(), Arc::clone(&host));
        host
    }

    /// Removes hosts without requests. The number of the remaining ones is limited by the runs in progress.
    fn sweep(&mut self) {
        let now = Instant::now();
        for forget_after in [IDLE_RETENTION, Duration::ZERO] {
            self.known
                .retain(|_, host| Arc::strong_count(host) > 1 || !host.is_idle(now, forget_after));
            if self.known.len() < SWEEP_THRESHOLD {
                break;
            }
        }
        // Keeps sweeping cheap if many hosts are in use.
        self.sweep_at = self.known.len().saturating_mul(2);
    }
}
