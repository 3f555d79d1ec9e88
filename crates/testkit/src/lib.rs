//! Test doubles for the engine, the service and the binary. Development only: no product code depends on it.
//!
//! [`ReplayFetcher`] responds from a recording and logs the requests, and [`ReplayRenderer`] shows pages without a
//! browser. [`LoopbackServer`] is a programmable
//! HTTP/1.1 server on 127.0.0.1, for valid and hostile responses. [`FixedClock`], [`SequentialIds`] and
//! [`sample`] make stored data. [`TestPostgres`] creates databases on a given server, or on a server that it
//! starts. [`SampleChecks`] is a small catalog. [`golden`] is a site without findings, [`large_site`] one of any
//! size with defects at known places. [`SampleSigner`] and [`SampleRenderer`] replace the signatures and
//! documents of the service, and [`MemoryObjects`] is an object store that can fail. [`TrustedBrowser`]
//! is the browser of this machine.
//!
//! ```
//! use testkit::{LoopbackServer, TestResponse};
//!
//! let server = LoopbackServer::start(|request| match request.path() {
//!     "/" => TestResponse::html("<!doctype html><a href=/slow>Slow</a>"),
//!     "/slow" => TestResponse::hang(),
//!     _ => TestResponse::not_found(),
//! })?;
//! assert!(server.url("/").as_str().starts_with("http://127.0.0.1:"));
//! assert_eq!(server.hits("/"), 0);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Integration tests of `audit-engine` may use it; its unit tests may not, because there the
//! engine's types are compiled a second time and differ from those of this crate.

mod canary;
mod catalogue;
mod clock;
mod dns;
mod documents;
pub mod golden;
pub mod h2;
pub mod hostile;
mod ids;
pub mod large_site;
mod loopback;
mod memory_objects;
mod packed;
mod peer;
mod postgres;
mod replay;
mod replay_renderer;
pub mod sample;
mod tls;
mod trusted_browser;

pub use canary::Canary;
pub use catalogue::SampleChecks;
pub use clock::FixedClock;
pub use dns::{DnsAnswer, DnsQuestion, DnsRecord, DnsServer};
pub use documents::{SampleRenderer, SampleSigner};
pub use ids::SequentialIds;
pub use loopback::{LoopbackServer, TestRequest, TestResponse};
pub use memory_objects::MemoryObjects;
pub use peer::Peer;
pub use postgres::{TestDatabase, TestPostgres};
pub use replay::{ReplayFetcher, Requested};
pub use replay_renderer::ReplayRenderer;
pub use tls::{TestAuthority, TestCertificate, TlsStream, accept_tls};
pub use trusted_browser::{TrustedBrowser, has_browser};
