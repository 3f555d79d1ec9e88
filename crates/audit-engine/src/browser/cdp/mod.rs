//! A thin client of the Chrome DevTools Protocol over a pipe.
//!
//! Answers are matched to calls by their id before anything else of them is read, so a value that this version
//! does not know fails at most its own call, and no call waits for an answer that was lost: each has a timeout.

pub(crate) mod commands;
mod error;
pub(crate) mod events;
mod session;
mod wire;

pub use error::CdpError;
pub(crate) use error::optional;
pub(crate) use session::{Connection, HUNG, Session, TARGET_CRASHED};
