//! Shared code of both HTTP adapters, the API and the dashboard: request ids, response headers, timeouts, rate
//! limits, compression, problems, and the server itself.
//!
//! [`middleware::around`] wraps an app and [`server::server`] serves it, both with an
//! [`HttpContext`](context::HttpContext), in which the adapter sets the metrics, the rate limit of keys and the limits
//! of paths. [`RateLimits`](rate_limits::RateLimits) counts what each caller uses.
//! [`Problem`](problem::Problem) is every error as a client sees it:
//!
//! ```
//! use httpkit::problem::{Code, Problem};
//!
//! let problem = Problem::not_found();
//! assert_eq!(problem.code(), Code::NotFound);
//! assert_eq!(problem.code().status().as_u16(), 404);
//! ```
//!
//! It has no routes and no templates, calls no store itself, reads no configuration and has no clock of its own.

pub mod accept;
pub mod bearer;
mod chunked_body;
pub mod compression;
pub mod context;
mod head_requests;
pub mod limits;
pub mod measure;
pub mod middleware;
pub mod page_cache;
pub mod problem;
pub mod rate_limits;
mod redact;
mod request_body;
mod request_guard;
pub mod request_timeout;
pub mod run_events;
pub mod server;
mod throttle;

/// The log target of request log lines; operators use this name in `logs.filter`.
const LOG_TARGET: &str = "api";
