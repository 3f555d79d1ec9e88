//! The most requests that a host receives.

use std::time::Duration;

use domain::target::AllowTargets;
use url::Url;

/// The longest `Crawl-delay` that is honored.
const MAX_CRAWL_DELAY: f64 = 10.0;

/// The most requests that a host receives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostLimits {
    /// Requests in flight at the same time; at least one.
    pub connections: usize,
    /// Time between the starts of two requests; zero for none.
    pub interval: Duration,
    /// Whether the rate falls when responses take longer than they used to.
    pub adapts: bool,
}

impl HostLimits {
    /// For third-party hosts: 8 connections, 20 requests per second, fewer when the host slows down.
    pub const POLITE: Self = Self {
        connections: 8,
        interval: Duration::from_millis(50),
        adapts: true,
    };

    /// For the operator's own hosts: 32 connections, no rate limit, regardless of latency.
    pub const OWN: Self = Self {
        connections: 32,
        interval: Duration::ZERO,
        adapts: false,
    };

    /// The limits of the host of a URL: [`Self::OWN`] if it is one of the operator's own
    /// ([`AllowTargets::owns_host`]), else [`Self::POLITE`]. The operator's settings for connections and requests per second replace these values.
    #[must_use]
    pub fn for_target(
        url: &Url,
        allow: &AllowTargets,
        connections: Option<usize>,
        max_rate: Option<f64>,
    ) -> Self {
        let port = url.port_or_known_default().unwrap_or(0);
        let own = url.host().is_some_and(|host| allow.owns_host(&host, port));
        let mut limits = if own { Self::OWN } else { Self::POLITE };
        if let Some(connections) = connections {
            limits.connections = connections.max(1);
        }
        if let Some(rate) = max_rate.filter(|rate| *rate > 0.0) {
            limits.interval = Duration::try_from_secs_f64(1.0 / rate).unwrap_or_default();
        }
        limits
    }

    /// The limits for webhook deliveries, in addition to audits: half at a third-party host, all at the
    /// operator's own hosts.
    #[must_use]
    pub fn for_posts(self) -> Self {
        if !self.adapts {
            return self;
        }
        Self {
            connections: self.connections.div_ceil(2),
            interval: self.interval.saturating_mul(2),
            ..self
        }
    }

    /// The limits with the `Crawl-delay` of robots.txt, up to 10 s: one request at a time.
    #[must_use]
    pub fn with_crawl_delay(self, seconds: f64) -> Self {
        let seconds = seconds.clamp(0.0, MAX_CRAWL_DELAY);
        let delay = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        if delay <= self.interval {
            return self;
        }
        Self {
            connections: 1,
            interval: delay,
            ..self
        }
    }

    /// The stricter value of each limit.
    #[must_use]
    pub fn strictest(self, other: Self) -> Self {
        Self {
            connections: self.connections.min(other.connections),
            interval: self.interval.max(other.interval),
            adapts: self.adapts || other.adapts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_delay_is_honored_up_to_ten_seconds() {
        let limits = HostLimits::POLITE.with_crawl_delay(3_600.0);
        assert_eq!(limits.connections, 1);
        assert_eq!(limits.interval, Duration::from_secs(10));
        assert_eq!(HostLimits::POLITE.with_crawl_delay(0.0), HostLimits::POLITE);
        assert_eq!(
            HostLimits::OWN.with_crawl_delay(0.5).interval,
            Duration::from_millis(500)
        );
    }

    #[test]
    fn deliveries_get_half_at_third_party_hosts_and_all_at_own_hosts() {
        let posts = HostLimits::POLITE.for_posts();
        assert_eq!(posts.connections, 4);
        assert_eq!(posts.interval, Duration::from_millis(100));
        assert_eq!(HostLimits::OWN.for_posts(), HostLimits::OWN);
    }

    #[test]
    fn the_strictest_limits_are_the_minimum_of_each() {
        let slow = HostLimits::OWN.with_crawl_delay(2.0);
        let both = slow.strictest(HostLimits::POLITE);
        assert_eq!(both.connections, 1);
        assert_eq!(both.interval, Duration::from_secs(2));
        assert!(both.adapts);
    }
}
