//! The rules of Assay: which targets may be visited, how outcomes become scores, what a report says.
//!
//! Everything here is pure: no I/O, no clock, no random source, no wire format. The engine, the
//! storage and the HTTP surface depend on this crate; it depends on none of them.

pub mod dimension;
pub mod failure;
pub mod report;
pub mod score;
pub mod severity;
pub mod target;
pub mod text;

pub use dimension::Dimension;
pub use failure::FailureCode;
pub use severity::{Confidence, Severity};
