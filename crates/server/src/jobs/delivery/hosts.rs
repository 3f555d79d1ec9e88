//! Rate limits of receiver hosts.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::egress::{HostLimits, Lease, Limiter, Permit, Posted, post_key};
use audit_engine::gather::FetchError;
use domain::target::AllowTargets;
use url::Url;

/// The rate limits of hosts: like those of audits, but counted separately ([`post_key`]).
pub(crate) struct Hosts {
    /// Counts the requests of the process to each host.
    pub(crate) limiter: Arc<Limiter>,
    /// The operator's own targets, which have no rate limit.
    pub(crate) allow: AllowTargets,
    /// Maximum concurrent requests to one host, if configured.
    pub(crate) connections: Option<usize>,
    /// Maximum requests per second to one host, if configured.
    pub(crate) max_rate: Option<f64>,
}

/// The result of asking for a permit of a host.
pub(super) enum TryPermit {
    /// The permit.
    Granted(HostPermit),
    /// The host, to wait for.
    Busy(Host),
}

/// A host with rate limits.
pub(super) struct Host {
    key: String,
    limiter: Arc<Limiter>,
    adapts: bool,
    lease: Lease,
}

/// The permit for one request. It counts until it is dropped.
pub(super) struct HostPermit {
    permit: Permit,
    /// Whether the rate is reduced when the host rejects requests.
    adapts: bool,
    _lease: Lease,
}

impl Hosts {
    /// Tries to get a permit for the host of a URL.
    pub(super) fn try_permit(&self, url: &str) -> TryPermit {
        let url = Url::parse(url).ok();
        // An invalid URL is never requested, and needs no limit of its own.
        let key = url.as_ref().map(post_key).unwrap_or_default();
        let limits = url.map_or(HostLimits::POLITE, |url| {
            HostLimits::for_target(&url, &self.allow, self.connections, self.max_rate)
        });
        let limits = limits.for_posts();
        let host = Host {
            adapts: limits.adapts,
            lease: self.limiter.lease(&key, limits),
            limiter: Arc::clone(&self.limiter),
            key,
        };
        match self.limiter.try_acquire(&host.key) {
            Ok(permit) => TryPermit::Granted(host.into_permit(permit)),
            Err(_) => TryPermit::Busy(host),
        }
    }
}

impl Host {
    /// The key that identifies the host.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Waits for a permit; `None` on timeout.
    pub(super) async fn wait(self, most: Duration) -> Option<HostPermit> {
        let permit = self.limiter.acquire_within(&self.key, most).await?;
        Some(self.into_permit(permit))
    }

    fn into_permit(self, permit: Permit) -> HostPermit {
        HostPermit {
            permit,
            adapts: self.adapts,
            _lease: self.lease,
        }
    }
}

impl HostPermit {
    /// Adapts the rate to the response of the host. If an external host rejects a request, its rate is reduced, but
    /// the host is not paused: the rejection is about the receiver, which has its own retries, and other receivers
    /// may be on the same host. For the same reason a timeout does not affect the host, and the operator's own
    /// hosts keep full speed.
    pub(super) fn adapt_rate(&self, sent: &Result<Posted, FetchError>) {
        match sent {
            Ok(posted) if matches!(posted.status, 429 | 503) => {
                if self.adapts {
                    self.permit.refused(Duration::ZERO, None, Duration::ZERO);
                }
            }
            Ok(posted) => self.permit.answered(posted.took),
            Err(_) => {}
        }
    }
}
