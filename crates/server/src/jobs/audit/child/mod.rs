//! Audits in a child process.
//!
//! The child is this program with [`COMMAND`] as its only argument and an almost empty environment. It reads its order
//! from the standard input ([`order`]), and writes messages to the standard output ([`message`]). It has no access to
//! the database and no key. It ends with its parent, and its parent can kill it at any moment. Its memory is limited
//! ([`limits`]).

mod artifact;
mod limits;
mod links;
mod measurement;
mod message;
mod order;
mod output;
mod parent;
mod process;
mod result;
mod waiver;

pub(crate) use parent::ChildAuditor;
pub(crate) use process::run;

/// The argument that runs this program as a child.
pub(crate) const COMMAND: &str = "audit-process";
