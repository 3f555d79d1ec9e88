//! The context that an HTTP adapter passes to the middleware and the server.

use std::sync::Arc;

use actix_web::HttpResponse;
use domain::ports::{Clock, IdSource};

use crate::limits::RateLimit;
use crate::measure::Meter;
use crate::problem::Problem;
use crate::rate_limits::RateLimits;

/// Makes the page that shows a problem to a person, with the id of the request. It does not block.
pub type ErrorPage = Arc<dyn Fn(&Problem, &str) -> HttpResponse + Send + Sync>;

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
    /// Makes the page of a problem for clients that prefer HTML ([`prefers_page`](crate::accept::prefers_page)); `None`
    /// if all clients receive problem documents.
    pub error_page: Option<ErrorPage>,
    /// State shared by all requests of this process.
    pub rate_limits: RateLimits,
    /// Which limits apply to which paths.
    pub paths: PathRules,
}

/// Which limits apply to which paths, and which are for programs. All other requests count against the client address.
#[derive(Debug, Clone, Copy)]
pub struct PathRules {
    /// Paths without a limit.
    pub exempt: &'static [&'static str],
    /// The path prefix of operations: requests with a known key count against that key.
    pub operations: &'static str,
    /// The path prefix for agents. A request counts against the key, and also as an agent call, because it makes
    /// further requests to the operations.
    pub agents: &'static str,
    /// The path prefix of downloads. Like operations and agents, it is for programs: its errors are problem documents
    /// for all clients.
    pub downloads: &'static str,
}

impl PathRules {
    /// Whether the errors of a path are problem documents for all clients.
    pub(crate) fn is_for_programs(&self, path: &str) -> bool {
        let prefixes = [self.operations, self.agents, self.downloads];
        prefixes.into_iter().any(|prefix| is_below(path, prefix))
    }
}

/// Whether a path is equal to the base or below it.
pub(crate) fn is_below(path: &str, base: &str) -> bool {
    path.strip_prefix(base)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
