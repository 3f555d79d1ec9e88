//! Tools for agents, over the Model Context Protocol.
//!
//! Each tool calls the HTTP API through `client` with the caller's key, so it can do nothing that the key cannot do
//! there. [`serve_stdio`] serves the program that started this process; [`mount`] adds the same tools to a web
//! server. In the legacy variant, the tools for action items are absent.
//!
//! Guarantees of the tools:
//!
//! - a result has at most 64 KiB of JSON; lists continue with a cursor;
//! - it matches the tool's output schema, and says under `next` what to call next;
//! - its text does not repeat its structured content;
//! - text of audited sites is truncated, cleaned, fenced and marked as data;
//! - the list of all tools costs at most 9,000 tokens;
//! - a call that the service rejects is a result with `isError` and advice on what to do.
//!
//! The MCP library has a new major version every few months, so only `protocol` uses it.

mod answer;
mod arguments;
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
