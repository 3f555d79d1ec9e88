//! The egress guard: the only code of the engine that opens outbound sockets.
//!
//! Every request passes two gates (`domain::target`): one judges the URL, one judges every address
//! its name resolves to. A name with any forbidden address is refused as a whole; the connection
//! goes to an address that this very exchange vetted, and the peer's address is judged once more
//! afterwards. Redirects are returned, never followed. Sizes and times are bounded.
//!
//! The way of an exchange: `client` asks `gate_parsed_url`, then `resolver` for the name's addresses
//! (fixed ones, remembered ones, or `dns`), each of which `gate_address` judges; `pin` carries them with
//! the exchange to `client_resolver`, the HTTP client's hook, which has no other source; `body` and `coding` read the
//! answer's body to its limit. `tls` looks at what an endpoint shows of itself, at addresses vetted
//! in the same way.

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

pub use client::{EgressError, EgressOptions, GuardedFetcher};
pub use dns::{NameServerTrouble, ask_name_server};
pub use limiter::{
    BUSY, HostLimits, Lease, Limiter, MAX_BACK_OFF, MAX_RATE_LIMITED, MAX_RETRY_AFTER, Permit,
    host_key, post_key,
};
pub use post::{Post, Posted};
pub use proxy::{ProxyUrl, ProxyUrlError};
