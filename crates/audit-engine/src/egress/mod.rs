//! The egress guard: the only code of the engine that opens outbound sockets.
//!
//! Every request passes two gates (`domain::target`): one checks the URL, and one checks every address that its
//! name resolves to. A name with any forbidden address is refused as a whole. The connection goes to an address
//! that the same exchange vetted, and the peer's address is checked again afterwards. Redirects are returned,
//! never followed. Sizes and times are limited.
//!
//! The steps of an exchange: `client` calls `gate_parsed_url`, then `resolver` for the addresses of the name
//! (fixed, cached, or from `dns`), each of which `gate_address` checks. `pin` carries them with the exchange to
//! `client_resolver`, the DNS hook of the HTTP client, which has no other source. `body` and `coding` read the
//! response body up to its limit. `tls` inspects what an endpoint presents, at addresses that are vetted in the
//! same way. `tunnel` is the proxy through which a browser loads: it connects after the same two gates.

mod body;
mod client;
mod client_resolver;
mod coding;
mod dns;
mod error;
mod limiter;
mod own;
mod pin;
mod post;
mod proxy;
mod resolver;
mod tls;
#[cfg(feature = "browser")]
mod tunnel;

pub use client::{EgressError, EgressOptions, GuardedFetcher};
pub use dns::{NameServerTrouble, ask_name_server};
pub use limiter::{
    BUSY, HostLimits, Lease, Limiter, MAX_BACKOFF, MAX_RATE_LIMITED, MAX_RETRY_AFTER, Permit,
    host_key, post_key,
};
pub use post::{Post, Posted};
pub use proxy::{ProxyUrl, ProxyUrlError};
#[cfg(feature = "browser")]
pub use tunnel::{Tunnel, TunnelCounts, TunnelError, TunnelLimits};
