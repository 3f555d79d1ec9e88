//! Tools for agents, over the Model Context Protocol.
//!
//! Each tool is a call of the HTTP surface, made by `client` with the caller's key: nothing can be done here
//! that a key could not do there. [`serve_stdio`] speaks with the program that started us; [`mount`] adds the
//! same to a web server. In the legacy variant the tools on action items are absent.
//!
//! What the tools promise:
//!
//! - an answer has at most 64 KiB of JSON, whatever the site; lists go on with a cursor;
//! - it fits the schema that the tool announced;
//! - text of audited sites is cut, cleaned, fenced and marked as data;
//! - a call that the service refuses is an answer with `isError`, which says what to do about it.
//!
//! The protocol's library has a new major version every few months: it is named in `protocol` alone.

mod answer;
mod context;
mod failure;
mod page;
mod prompts;
mod protocol;
mod resources;
mod schema;
mod tool;
mod tools;
mod variant;

pub use answer::MOST_BYTES;
#[doc(hidden)]
pub use protocol::adapter;
pub use protocol::{Admission, HttpSettings, Mount, StdioError, mount, serve_stdio};
pub use tools::{descriptions, names};
pub use variant::Offers;
