//! Audits in a process of their own.
//!
//! The child is this program once more, with [`COMMAND`] as its only argument and an empty environment.
//! It gets what it needs on its standard input ([`order`]), and answers on its standard output
//! ([`message`]). It knows no database and no key. It ends with its parent, and its parent can end it
//! at any moment. What it may allocate is limited ([`limits`]).

mod limits;
mod message;
mod order;
mod output;
mod parent;
mod process;
mod result;

pub(crate) use parent::ChildAuditor;
pub(crate) use process::run;

/// The argument that makes this program a child.
pub(crate) const COMMAND: &str = "audit-process";
