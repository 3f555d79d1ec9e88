//! Turns at the hosts of receivers.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::egress::{HostLimits, Lease, Limiter, Permit, Posted, post_key};
use audit_engine::gather::FetchError;
use domain::target::AllowTargets;
use url::Url;

/// How fast hosts may be asked: by limits like those of audits, but counted apart from them ([`post_key`]).
pub(crate) struct Hosts {
    /// Counts what the process asks of each host.
    pub(crate) limiter: Arc<Limiter>,
    /// Targets of the operator's own, which are asked at full speed.
    pub(crate) allow: AllowTargets,
    /// Requests to one host at once, where the operator says so.
    pub(crate) connections: Option<usize>,
    /// Requests to one host a second, where the operator says so.
    pub(crate) max_rate: Option<f64>,
}

/// Whose turn it is at a host.
pub(super) enum Turn {
    /// Ours.
    Now(Permitted),
    /// Others'.
    Later(Host),
}

/// A host that is kept to its limits.
pub(super) struct Host {
    key: String,
    limiter: Arc<Limiter>,
    adapts: bool,
    lease: Lease,
}

/// The right to one request. It counts until it is dropped.
pub(super) struct Permitted {
    permit: Permit,
    /// Whether the host is asked for less when it refuses.
    adapts: bool,
    _lease: Lease,
}

impl Hosts {
    /// Whether the host of a URL may be asked at this moment.
    pub(super) fn turn(&self, url: &str) -> Turn {
        let url = Url::parse(url).ok();
        // What is no URL is sent nowhere, and needs no limit of its own.
        let key = url.as_ref().map(post_key).unwrap_or_default();
        let limits = url.map_or(HostLimits::POLITE, |url| {
            HostLimits::of(&url, &self.allow, self.connections, self.max_rate)
        });
        let limits = limits.for_posts();
        let host = Host {
            adapts: limits.adapts,
            lease: self.limiter.lease(&key, limits),
            limiter: Arc::clone(&self.limiter),
            key,
        };
        match self.limiter.try_acquire(&host.key) {
            Ok(permit) => Turn::Now(host.permitted(permit)),
            Err(_) => Turn::Later(host),
        }
    }
}

impl Host {
    /// What tells it from others.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Waits in line; none where the turn does not come in time.
    pub(super) async fn wait(self, most: Duration) -> Option<Permitted> {
        let permit = self.limiter.acquire_within(&self.key, most).await?;
        Some(self.permitted(permit))
    }

    fn permitted(self, permit: Permit) -> Permitted {
        Permitted {
            permit,
            adapts: self.adapts,
            _lease: self.lease,
        }
    }
}

impl Permitted {
    /// Tells how the host answered. A stranger's that refuses is sent less, but it is not left alone: a refusal is
    /// about the receiver, which has its retries, and others may have theirs at the same host. For the same reason
    /// a receiver that does not answer says nothing of its host, and the operator's own keep full speed.
    pub(super) fn learn(&self, sent: &Result<Posted, FetchError>) {
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
