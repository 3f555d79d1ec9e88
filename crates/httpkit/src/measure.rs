//! Who measures what happens here.

use std::time::Duration;

use crate::problem::Limit;

/// An answer, as it is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered<'a> {
    /// The method: one of HTTP's, or `OTHER`.
    pub method: &'static str,
    /// The template of the path, such as `/api/mcp/runs/{runId}`; `unknown` where nothing stands
    /// there. Never the path itself, of which there are as many as callers like.
    pub route: &'a str,
    /// The status code.
    pub status: u16,
    /// From the request to the head of the answer.
    pub took: Duration,
}

/// Who measures what happens here, and tells it at `/metrics`.
pub trait Meter: Send + Sync {
    /// A request was answered. Called on the event loop: it must not block.
    fn answered(&self, answered: &Answered<'_>);

    /// A request or a connection was refused because of a limit. Called on the event loop: it must not block.
    fn refused(&self, limit: Limit);

    /// A run was cancelled. It must not block for long.
    fn run_cancelled(&self);

    /// Whether a token opens the measurements. It takes as long for every wrong one.
    fn admits(&self, token: &str) -> bool;

    /// The measurements in the text format of Prometheus. Called where it may block.
    fn page(&self) -> String;
}
