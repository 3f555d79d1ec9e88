//! What the middleware and the server are given by an adapter.

use std::sync::Arc;

use domain::ports::{Clock, IdSource};

use crate::limits::RateLimit;
use crate::measure::Meter;
use crate::rate_limits::RateLimits;

/// What the middleware and the server work with. Clones share it.
#[derive(Clone)]
pub struct HttpContext {
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Request ids.
    pub ids: Arc<dyn IdSource>,
    /// The address of the service as its callers know it, for the `type` of problems.
    pub base_url: Arc<str>,
    /// How often a key may call; none for as often as it likes.
    pub rate_limit: Option<RateLimit>,
    /// Who measures requests and refusals; none where nothing is measured.
    pub meter: Option<Arc<dyn Meter>>,
    /// What the calls of this process share.
    pub rate_limits: RateLimits,
    /// Which limits apply to which paths.
    pub paths: PathRules,
}

/// Which limits apply to which paths. All other requests count against the client address.
#[derive(Debug, Clone, Copy)]
pub struct PathRules {
    /// Paths without a limit.
    pub exempt: &'static [&'static str],
    /// The path that operations are under: requests with a known key count against that key.
    pub operations: &'static str,
    /// The path that agents call: the same, and as a call of an agent as well. Such a request makes further ones
    /// to the operations.
    pub agents: &'static str,
}
