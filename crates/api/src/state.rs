//! What the adapter works with, and what the operator decided.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse};
use domain::plan::{Plan, SharedPlans};
use domain::ports::{CheckCatalogue, Clock, IdSource, ReportRenderer, Stores, UrlSigner};
use domain::report::Variant;
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::Caller;

use crate::documents::Documents;
use httpkit::context::{HttpContext, PathRules};
use httpkit::limits::RateLimit;
use httpkit::measure::Meter;
use httpkit::middleware::request_id;
use httpkit::page_cache::PageCache;
use httpkit::problem::Problem;
use httpkit::rate_limits::RateLimits;

/// The path that all operations are under.
pub(crate) const BASE: &str = "/api/mcp";

/// What the adapter works with.
#[derive(Clone)]
pub struct ApiState {
    /// Everything that is stored. Called on threads that may block, never on the event loop.
    pub stores: Arc<dyn Stores>,
    /// What is known of the checks. It answers at once.
    pub checks: Arc<dyn CheckCatalogue>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// New ids, those of requests too.
    pub ids: Arc<dyn IdSource>,
    /// Signs links to reports.
    pub signer: Arc<dyn UrlSigner>,
    /// Makes documents of reports; none where this build has no typesetter.
    pub renderer: Option<Arc<dyn ReportRenderer>>,
    /// The documents that were made.
    pub documents: Arc<Documents>,
    /// The pages that were made.
    pub pages: Arc<PageCache>,
    /// What the calls of this process share.
    pub rate_limits: RateLimits,
    /// What the operator decided.
    pub settings: Arc<ApiSettings>,
}

/// What the operator decided.
pub struct ApiSettings {
    /// The variant of the interface that is served.
    pub variant: Variant,
    /// The address of the service as its callers know it, for links.
    pub base_url: String,
    /// The plans that organizations may be on.
    pub plans: SharedPlans,
    /// Targets that are visited beside public ones.
    pub allow_targets: AllowTargets,
    /// Audited pages at most where the caller does not say; lowered to the bound where above it.
    pub default_max_pages: u32,
    /// What callers may ask for.
    pub bounds: OptionBounds,
    /// How often a key may call; none for as often as it likes.
    pub rate_limit: Option<RateLimit>,
    /// Who measures what happens; none where nothing is measured, and then `/metrics` is unknown.
    pub meter: Option<Arc<dyn Meter>>,
    /// Called after a run was started, to wake a worker. It must not block.
    pub on_run_started: Arc<dyn Fn() + Send + Sync>,
    /// Called after a brief was queued, to wake who writes it. It must not block.
    pub on_brief_queued: Arc<dyn Fn() + Send + Sync>,
}

impl ApiState {
    /// What the middleware and the server need of it.
    #[must_use]
    pub fn http(&self) -> HttpContext {
        HttpContext {
            clock: Arc::clone(&self.clock),
            ids: Arc::clone(&self.ids),
            base_url: self.settings.base_url.as_str().into(),
            rate_limit: self.settings.rate_limit,
            meter: self.settings.meter.clone(),
            rate_limits: self.rate_limits.clone(),
            paths: PathRules {
                exempt: &["/healthz", "/readyz"],
                operations: BASE,
                agents: "/mcp",
            },
        }
    }

    /// A problem as the answer to a request.
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
