//! The port for HTTP metrics.

use std::time::Duration;

use crate::problem::Limit;

/// A response, as recorded in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answered<'a> {
    /// The method: a standard HTTP method, or `OTHER`.
    pub method: &'static str,
    /// The path template, such as `/api/mcp/runs/{runId}`, or `unknown` if no route matches. Never the path itself,
    /// which has unbounded cardinality.
    pub route: &'a str,
    /// The status code.
    pub status: u16,
    /// Time from the request to the head of the response.
    pub took: Duration,
}

/// Records HTTP metrics, and serves them at `/metrics`.
pub trait Meter: Send + Sync {
    /// A response was sent. Called on the event loop: it must not block.
    fn answered(&self, answered: &Answered<'_>);

    /// A request or a connection was rejected because of a limit. Called on the event loop: it must not block.
    fn refused(&self, limit: Limit);

    /// A run was cancelled. It must not block for long.
    fn run_cancelled(&self);

    /// Whether a token grants access to the metrics. The comparison takes constant time.
    fn admits(&self, token: &str) -> bool;

    /// Returns the metrics in the Prometheus text format. May be called only on a blocking thread.
    fn page(&self) -> String;
}
