//! Rate limits and concurrency limits of callers.

use std::num::NonZeroU32;
use std::time::Duration;

use ipnet::IpNet;

/// The rate limit of a key. Each process counts separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Sustained requests per minute.
    pub per_minute: NonZeroU32,
    /// Burst size.
    pub burst: NonZeroU32,
}

/// Concurrency limits for a key, for its organization, and for all callers of the process together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiers {
    /// Limit of one key.
    pub key: usize,
    /// Limit of all keys of an organization together.
    pub organization: usize,
    /// Limit of all callers together.
    pub total: usize,
}

/// Concurrency limits of callers, so that one caller leaves room for the others. Each process counts separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerLimits {
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// Maximum open connections of one client address. Trusted proxies are exempt.
    pub connections_per_address: usize,
    /// Maximum open connections in total.
    pub connections: usize,
    /// Maximum concurrent requests of one client address without a known key.
    pub anonymous_per_address: usize,
    /// Maximum concurrent requests without a known key, in total.
    pub anonymous: usize,
    /// Rate limit of one client address without a known key. It applies only if keys have a rate limit.
    pub anonymous_rate: RateLimit,
    /// Maximum concurrent requests with a key.
    pub calls: Tiers,
    /// Maximum concurrent requests to `/mcp`. Each also counts as a call.
    pub agent_calls: Tiers,
    /// Maximum full reports being read or sent. Further requests wait for a few seconds.
    pub reports: Tiers,
    /// Maximum exports and comparisons that wait, are built or are sent, and PDFs that wait or are built. PDFs are
    /// requested by signed links, and count for no key.
    pub exports: Tiers,
    /// Event streams. The session of a person counts as a key.
    pub streams: Tiers,
    /// Timeout for receiving the body of a request.
    pub body_time: Duration,
    /// Timeout after which a connection is closed if its client does not read the response.
    pub stall_time: Duration,
}

impl Default for CallerLimits {
    fn default() -> Self {
        Self {
            trusted_proxies: Vec::new(),
            connections_per_address: 512,
            connections: 4_096,
            anonymous_per_address: 16,
            anonymous: 256,
            anonymous_rate: RateLimit {
                per_minute: NonZeroU32::new(600).unwrap_or(NonZeroU32::MIN),
                burst: NonZeroU32::new(240).unwrap_or(NonZeroU32::MIN),
            },
            calls: Tiers {
                key: 64,
                organization: 128,
                total: 1_024,
            },
            agent_calls: Tiers {
                key: 8,
                organization: 16,
                total: 64,
            },
            reports: Tiers {
                key: 2,
                organization: 4,
                total: 32,
            },
            exports: Tiers {
                key: 2,
                organization: 4,
                total: 32,
            },
            streams: Tiers {
                key: 32,
                organization: 64,
                total: 1_024,
            },
            body_time: Duration::from_secs(30),
            stall_time: Duration::from_secs(15),
        }
    }
}
