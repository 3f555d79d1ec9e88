//! The limits of callers, as measurements name them.

/// Which limit a refused request met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Open connections.
    Connections,
    /// The rate of a client address without a valid key.
    AddressRate,
    /// Calls without a valid key under way.
    AddressCalls,
    /// The rate of a key.
    KeyRate,
    /// Calls under way, or waiting for a thread.
    Calls,
    /// Calls of agents under way.
    AgentCalls,
    /// Whole reports under way.
    Reports,
    /// Exports, comparisons and PDFs under way.
    Exports,
    /// Event streams.
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

    /// Its name.
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
