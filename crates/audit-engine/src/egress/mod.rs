//! The egress guard: the only code of the engine that opens outbound sockets.
//!
//! Every request passes two gates (`domain::target`): one judges the URL, one judges every address
//! its name resolves to. A name with any forbidden address is refused as a whole; the connection
//! goes to an address that was vetted, and the peer's address is compared once more afterwards.
//! Redirects are returned, never followed. Sizes and times are bounded.

mod body;
mod client;
mod coding;
mod dns;
mod error;
mod limiter;
mod pin;
mod resolver;

pub use client::{EgressError, EgressOptions, GuardedFetcher};
pub use limiter::{HostLimits, Limiter, Permit};
