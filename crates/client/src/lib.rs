//! A client of the HTTP API, for the command line and the MCP server.
//!
//! [`Client`] has a method for each operation. It returns types of `api-types` with the raw bytes ([`Reply`]).
//! Its errors distinguish error responses of the server ([`Error::Refused`]) from an unreachable server.
//! Requests that change something send an `Idempotency-Key` where the API supports one, so that a request
//! whose response was lost is retried without being executed twice.
//!
//! ```no_run
//! use client::{ApiKey, Client, ServerUrl};
//!
//! # async fn play() -> Result<(), client::Error> {
//! let server = ServerUrl::parse("http://127.0.0.1:8080", false)?;
//! let client = Client::new(server, &ApiKey::parse("sk_service_…")?)?;
//! let started = client.start_audit(&client::start("https://example.com/")).await?.value;
//! let run = client.watch(&started.run_id, &mut |_run| {}).await?;
//! println!("{:?}", run.value.report_id);
//! # Ok(())
//! # }
//! ```
//!
//! It reads no files or environment variables and follows no redirects. It sends the key over unencrypted http
//! only to the local machine, unless the caller allows more.

mod actions;
mod call;
mod checks;
mod error;
mod events;
mod health;
mod http;
mod key;
mod organization;
mod reports;
mod runs;
mod server;
mod sites;
mod waivers;
mod watch;
mod webhooks;

pub use actions::ActionFilter;
pub use error::{Error, Refusal};
pub use health::Health;
pub use http::{Client, Reply};
pub use key::ApiKey;
pub use reports::{Document, PageFilter};
pub use runs::start;
pub use server::ServerUrl;
