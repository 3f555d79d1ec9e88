//! What both HTTP adapters need, the API and the pages for people: request ids, headers of every answer, time and
//! rate limits, compression, problems, and the server itself.
//!
//! [`middleware::around`] wraps an app and [`server::server`] serves it, both with an
//! [`HttpContext`](context::HttpContext): the adapter says there who measures, how often a key may call and which
//! limits apply to which paths. [`RateLimits`](rate_limits::RateLimits) counts what each caller uses;
//! [`Problem`](problem::Problem) is every error as a caller sees it:
//!
//! ```
//! use httpkit::problem::{Code, Problem};
//!
//! let problem = Problem::not_found();
//! assert_eq!(problem.code(), Code::NotFound);
//! assert_eq!(problem.code().status().as_u16(), 404);
//! ```
//!
//! It has no routes and no templates, calls no store, reads no configuration and has no clock of its own.

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
pub mod server;
mod throttle;

/// The target of log lines about requests: the name that operators have in `logs.filter`.
const LOG_TARGET: &str = "api";
