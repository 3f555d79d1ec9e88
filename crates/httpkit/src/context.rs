//! The context that an HTTP adapter passes to the middleware and the server.

use std::sync::Arc;

use domain::ports::{Clock, IdSource};

use crate::limits::RateLimit;
use crate::measure::Meter;
use crate::rate_limits::RateLimits;

/// The context of the middleware and the server. Clones share it.
#[derive(Clone)]
pub struct HttpContext {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of request ids.
    pub ids: Arc<dyn IdSource>,
    /// The public base URL of the service, for the `type` of problems.
    pub base_url: Arc<str>,
    /// The rate limit of each key; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// Records metrics of requests and rejections; `None` if metrics are off.
    pub meter: Option<Arc<dyn Meter>>,
    /// State shared by all requests of this process.
    pub rate_limits: RateLimits,
    /// Which limits apply to which paths.
    pub paths: PathRules,
}

/// Which limits apply to which paths. All other requests count against the client address.
#[derive(Debug, Clone, Copy)]
pub struct PathRules {
    /// Paths without a limit.
    pub exempt: &'static [&'static str],
    /// The path prefix of operations: requests with a known key count against that key.
    pub operations: &'static str,
    /// The path prefix for agents. A request counts against the key, and also as an agent call, because it makes
    /// further requests to the operations.
    pub agents: &'static str,
}
