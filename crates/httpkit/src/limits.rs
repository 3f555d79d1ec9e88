//! What callers may use at once.

use std::num::NonZeroU32;
use std::time::Duration;

use ipnet::IpNet;

/// How often a key may call. Each process counts for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls a minute in the long run.
    pub per_minute: NonZeroU32,
    /// Calls at once.
    pub burst: NonZeroU32,
}

/// A limit for one, for the organization it belongs to, and for all callers of the process together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tiers {
    /// Of one key.
    pub key: usize,
    /// Of all keys of an organization together.
    pub organization: usize,
    /// Of all callers together.
    pub total: usize,
}

/// The limits of callers: what one of them uses leaves room for the others. Each process counts for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallerLimits {
    /// Proxies whose `X-Forwarded-For` names the client address.
    pub trusted_proxies: Vec<IpNet>,
    /// Open connections of one client address. Trusted proxies are exempt.
    pub connections_per_address: usize,
    /// Open connections in all.
    pub connections: usize,
    /// Requests without a known key under way, of one client address.
    pub anonymous_per_address: usize,
    /// Requests without a known key under way, in all.
    pub anonymous: usize,
    /// How often one client address may call without a known key. It applies where keys have a rate limit.
    pub anonymous_rate: RateLimit,
    /// Requests with a key under way.
    pub calls: Tiers,
    /// Requests to `/mcp` under way. Each also counts as a call.
    pub agent_calls: Tiers,
    /// Whole reports that are read or sent. Further requests wait for a few seconds.
    pub reports: Tiers,
    /// Exports and comparisons that wait, are built or are sent, and PDFs that wait or are made. PDFs are asked for
    /// by links, and count for no key.
    pub exports: Tiers,
    /// Event streams.
    pub streams: Tiers,
    /// Time in which the body of a request has to arrive.
    pub body_time: Duration,
    /// Time after which a connection is closed whose client reads nothing of an answer.
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
