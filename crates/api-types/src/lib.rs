//! The request and response structs of the HTTP surface, shared by the server and its clients.
//!
//! JSON with camelCase keys. Absent values are `null`, not missing keys, except in problem documents, which omit
//! them. The comments on fields become the text of the OpenAPI document. The crate has no logic: `domain` has the
//! rules, and `api` converts domain values.
//!
//! ```
//! use api_types::report::Occurrence;
//!
//! let occurrence: Occurrence = serde_json::from_str(
//!     r#"{"url":"https://example.com/","selector":null,"snippet":null,"line":7,"message":"No."}"#,
//! )?;
//! assert_eq!(occurrence.line, Some(7));
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod account;
pub mod action;
pub mod artifact;
pub mod brief;
pub mod check;
pub mod comment;
pub mod dimension;
pub mod event;
mod given;
pub mod handoff;
pub mod member;
pub mod problem;
pub mod report;
pub mod run;
pub mod schedule;
pub mod scoring;
pub mod severity;
pub mod site;
pub mod start_audit;
pub mod waiver;
pub mod webhook;
