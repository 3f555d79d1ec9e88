//! A client of the HTTP surface, for the command line and the MCP server.
//!
//! [`Client`] has a method for each operation. It answers what `api-types` says, beside the bytes as they
//! came ([`Reply`]), and its errors tell what the server said ([`Error::Refused`]) from a server that was
//! not reached. Calls that change something carry an `Idempotency-Key` where the interface honours one, so
//! that a call whose answer was lost is sent again without being done twice.
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
//! It reads no file and no environment variable, follows no redirect, and shows the key to nobody: it is sent
//! over plain http only to this machine, unless the caller says otherwise.

mod actions;
mod call;
mod checks;
mod error;
mod events;
mod http;
mod key;
mod organization;
mod reports;
mod runs;
mod server;
mod sites;
mod watch;
mod webhooks;

pub use actions::ActionFilter;
pub use error::{Error, Refusal};
pub use http::{Client, Reply};
pub use key::ApiKey;
pub use reports::Document;
pub use runs::start;
pub use server::ServerUrl;
