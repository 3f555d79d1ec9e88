//! The domain rules of Assay: allowed targets, scoring, reports.
//!
//! Everything here is pure: no I/O, no clock, no random source, no wire format. The engine, the
//! storage and the HTTP surface depend on this crate; it depends on none of them.

pub mod account;
pub mod action;
pub mod artifact;
pub mod audit_log;
pub mod backup;
mod cursor;
pub mod dimension;
pub mod event;
pub mod failure;
mod fingerprint;
pub mod id;
pub mod idempotency;
pub mod key;
pub mod link;
mod named_enum;
pub mod org;
mod page_key;
pub mod plan;
pub mod ports;
pub mod render_allowance;
pub mod report;
pub mod retention;
pub mod run;
pub mod schedule;
pub mod score;
mod serde_text;
pub mod severity;
pub mod site;
mod sources;
mod subject;
pub mod target;
pub mod text;
pub mod usecase;
pub mod waiver;
pub mod webhook;

pub use dimension::Dimension;
pub use failure::FailureCode;
pub use severity::{Confidence, Severity};
pub use subject::SubjectKind;
