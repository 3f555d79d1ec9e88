//! How fast one host may be asked, by all audits of the process together, and beside them by all posts.
//!
//! A host is asked for at most what the strictest [`Lease`] on it allows, or
//! [`HostLimits::POLITE`] where there is none. Strangers' hosts are asked for less while they answer
//! slower than they used to. A host that answers 429 or 503 is left alone by everybody for a while.

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

/// The longest `Retry-After` of a 503 that is waited for. Whoever asks for more means what was refused, which
/// is not asked for again; anything else is asked for after a shorter pause, see [`Permit::refused`].
pub const MAX_RETRY_AFTER: Duration = Duration::from_secs(30);

/// The longest `Retry-After` of a 429 that is waited for. A 429 is about the visitor and not about the page
/// (RFC 6585, section 4), so everything else would be refused as well; many servers count by the minute.
pub const MAX_RATE_LIMITED: Duration = Duration::from_secs(120);

/// The longest pause after refusals that name none.
pub const MAX_BACK_OFF: Duration = Duration::from_secs(10);

/// How long a host is let be that is asked by as many as it may be asked by.
pub const BUSY: Duration = Duration::from_millis(250);

/// Hosts that are remembered before those that nobody asks are forgotten.
const MANY: usize = 1_024;

/// How long what was learned of a host is kept when nobody asks it.
const KEPT: Duration = Duration::from_secs(60);

/// What the limits of a URL's host are kept by: the site, so that http and https, with and without `www.`,
/// share them. Empty where the URL has no host.
#[must_use]
pub fn host_key(url: &Url) -> String {
    SiteKey::of(url)
        .map(|key| key.to_string())
        .unwrap_or_default()
}

/// What the limits of posts to a URL's host are kept by, which are their own: a `Crawl-delay` is for those who
/// crawl, and what a receiver refuses is no sign of what its host can bear.
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
    /// How many there may be before idle ones are looked for.
    sweep_at: usize,
}

/// What one run asks a host for at most, for as long as this is kept. Runs on one host share what
/// the strictest of them allows.
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
    /// Limits the host until the lease is dropped. Requests that are under way already count.
    #[must_use]
    pub fn lease(&self, host: &str, limits: HostLimits) -> Lease {
        let id = self.leases.fetch_add(1, Ordering::Relaxed);
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.get(host);
        // Within the lock: a host without leases may be forgotten.
        host.add_lease(id, limits);
        Lease { host, id }
    }

    /// Waits until the host may be asked; none where it wants to be left alone for longer than `patience`.
    pub async fn acquire(&self, host: &str, patience: Duration) -> Option<Permit> {
        self.host(host).enter(patience).await
    }

    /// The right to one request where the host may be asked at this very moment; else how long it is at least
    /// until it may. A busy host says no more than [`BUSY`]: an answer may free it at any time.
    ///
    /// # Errors
    /// How long to wait before asking again.
    pub fn try_acquire(&self, host: &str) -> Result<Permit, Duration> {
        self.host(host).try_enter()
    }

    /// Waits until the host may be asked, behind those who wait already; none where its turn does not come
    /// within `most`. A turn that would come later is not taken from others.
    pub async fn acquire_within(&self, host: &str, most: Duration) -> Option<Permit> {
        let by = Instant::now() + most;
        let entering = self.host(host).enter_by(by);
        tokio::time::timeout_at(by, entering).await.ok().flatten()
    }

    fn host(&self, name: &str) -> Arc<Host> {
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.get(name)
    }

    /// How many hosts are remembered.
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
        if self.known.len() >= self.sweep_at.max(MANY) {
            self.sweep();
        }
        let host = Arc::new(Host::new());
        self.known.insert(name.to_owned(), Arc::clone(&host));
        host
    }

    /// Forgets hosts that nobody asks or waits for. What remains is bounded by the runs under way.
    fn sweep(&mut self) {
        let now = Instant::now();
        for forget_after in [KEPT, Duration::ZERO] {
            self.known
                .retain(|_, host| Arc::strong_count(host) > 1 || !host.is_idle(now, forget_after));
            if self.known.len() < MANY {
                break;
            }
        }
        // So that sweeping stays cheap where many are in use.
        self.sweep_at = self.known.len().saturating_mul(2);
    }
}
