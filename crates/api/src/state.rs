//! The state of the adapter and its settings.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use domain::plan::{Plan, SharedPlans};
use domain::ports::{
    CheckCatalogue, Clock, IdSource, ObjectStore, ReportRenderer, Stores, UrlSigner,
};
use domain::report::Variant;
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::Caller;

use crate::documents::Documents;
use httpkit::context::{ErrorPage, HttpContext, PathRules};
use httpkit::limits::RateLimit;
use httpkit::measure::Meter;
use httpkit::middleware::request_id;
use httpkit::page_cache::PageCache;
use httpkit::problem::Problem;
use httpkit::rate_limits::RateLimits;

/// The path that all operations are under.
pub(crate) const BASE: &str = "/api/mcp";

/// The state of the adapter.
#[derive(Clone)]
pub struct ApiState {
    /// The stores. They are called only on blocking threads, never on the event loop.
    pub stores: Arc<dyn Stores>,
    /// The bytes of pictures. It is called only on blocking threads.
    pub objects: Arc<dyn ObjectStore>,
    /// The check catalogue. It does not block.
    pub checks: Arc<dyn CheckCatalogue>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids, those of requests too.
    pub ids: Arc<dyn IdSource>,
    /// Signs links to reports.
    pub signer: Arc<dyn UrlSigner>,
    /// Renders reports as documents; `None` in a build without PDF support.
    pub renderer: Option<Arc<dyn ReportRenderer>>,
    /// The document cache.
    pub documents: Arc<Documents>,
    /// The page cache.
    pub pages: Arc<PageCache>,
    /// The state shared by all requests of this process.
    pub rate_limits: RateLimits,
    /// The operator's settings.
    pub settings: Arc<ApiSettings>,
}

/// The operator's settings.
pub struct ApiSettings {
    /// The variant of the API.
    pub variant: Variant,
    /// The public base URL of the service, for links.
    pub base_url: String,
    /// The configured plans.
    pub plans: SharedPlans,
    /// Allowed targets in addition to public ones.
    pub allow_targets: AllowTargets,
    /// The default maximum number of audited pages; lowered to the upper bound if above it.
    pub default_max_pages: u32,
    /// The bounds of options in requests.
    pub bounds: OptionBounds,
    /// The rate limit of a key; `None` for no limit.
    pub rate_limit: Option<RateLimit>,
    /// The metrics recorder; `None` if metrics are off, and then `/metrics` is unknown.
    pub meter: Option<Arc<dyn Meter>>,
    /// Makes the page of an error for browsers, outside of the operations, MCP and downloads; `None` if all clients
    /// receive problem documents.
    pub error_page: Option<ErrorPage>,
    /// Called after a run is queued, to wake a worker. It must not block.
    pub on_run_started: Arc<dyn Fn() + Send + Sync>,
    /// Called after a brief is queued, to wake a worker. It must not block.
    pub on_brief_queued: Arc<dyn Fn() + Send + Sync>,
}

impl ApiState {
    /// The HTTP context for the middleware and the server.
    #[must_use]
    pub fn http(&self) -> HttpContext {
        HttpContext {
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            base_url: self.settings.base_url.as_str().into(),
            rate_limit: self.settings.rate_limit,
            meter: self.settings.meter.clone(),
            error_page: self.settings.error_page.clone(),
            rate_limits: self.rate_limits.clone(),
            paths: PathRules {
                exempt: &["/healthz", "/readyz"],
                operations: BASE,
                agents: "/mcp",
                downloads: "/dl",
            },
        }
    }

    /// A problem as the response to a request.
    pub(crate) fn respond(&self, request: &HttpRequest, problem: &Problem) -> HttpResponse {
        problem.respond(&self.settings.base_url, &request_id(request))
    }

    /// The plan of a caller.
    pub(crate) fn plan_of(&self, caller: &Caller) -> Result<Plan, Problem> {
        let organization = &caller.organization;
        let plans = self.settings.plans.current();
        plans.get(&organization.plan).cloned().ok_or_else(|| {
            Problem::internal(format!(
                "the organization {} is on the plan `{}`, which is not configured",
                organization.id, organization.plan
            ))
        })
    }
}
