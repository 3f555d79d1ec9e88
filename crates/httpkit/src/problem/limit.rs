//! The limits of callers, as named in metrics.

/// The limit that a rejected request exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Open connections.
    Connections,
    /// The rate limit of a client address without a valid key.
    AddressRate,
    /// Concurrent requests without a valid key.
    AddressCalls,
    /// The rate limit of a key.
    KeyRate,
    /// Concurrent requests, or requests that wait for a thread.
    Calls,
    /// Concurrent agent calls.
    AgentCalls,
    /// Concurrent full reports.
    Reports,
    /// Concurrent exports, comparisons and PDFs.
    Exports,
    /// Concurrent event streams.
    Streams,
}

impl Limit {
    /// All limits.
    pub const ALL: [Self; 9] = [
        Self::Connections,
        Self::AddressRate,
        Self::AddressCalls,
        Self::KeyRate,
        Self::Calls,
        Self::AgentCalls,
        Self::Reports,
        Self::Exports,
        Self::Streams,
    ];

    /// The name of the limit.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::AddressRate => "address_rate",
            Self::AddressCalls => "address_calls",
            Self::KeyRate => "rate_of_key",
            Self::Calls => "calls",
            Self::AgentCalls => "agent_calls",
            Self::Reports => "reports",
            Self::Exports => "exports",
            Self::Streams => "streams",
        }
    }
}
