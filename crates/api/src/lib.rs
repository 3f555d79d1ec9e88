//! The HTTP adapter: routes, authentication, problems, OpenAPI.
//!
//! [`app`] is the whole of it, ready to be served or tested: the operations under `/api/mcp`, the
//! pages and documents beside them, and what holds for every answer (a request id, safe headers, problems for
//! every error, limits on what each caller uses, one line in the log). What is mounted beside it inherits all of
//! that. [`server`] serves it, with limits on connections:
//!
//! ```
//! use actix_web::web;
//!
//! # fn dashboard(_config: &mut web::ServiceConfig) {}
//! # fn serve(state: api::ApiState) -> std::io::Result<()> {
//! let listener = std::net::TcpListener::bind("127.0.0.1:8080")?;
//! let app = state.clone();
//! let app = move || api::app(&app).configure(dashboard);
//! let server = api::server(listener, &state, app, |builder| builder.workers(1))?;
//! # drop(server);
//! # Ok(())
//! # }
//! ```
//!
//! It reads no configuration, keeps nothing and knows no time of its own: stores, clock and ids come
//! with [`ApiState`].
//!
//! To add an operation, write a file in `routes/` and add its line to `routes::ALL`. Router,
//! document and the tests of every operation read the rest from its documentation.

mod admission;
mod bearer;
mod convert;
mod dispatch;
mod dl;
mod encoding;
mod endpoint;
mod export;
mod head;
mod input;
mod limits;
mod measure;
mod openapi;
mod outer;
mod pages;
mod patience;
mod pieces;
pub mod problem;
mod redact;
mod request_body;
mod router;
mod routes;
mod server;
mod traffic;
mod watch;

use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::{App, Error, HttpRequest, web};
use domain::plan::{Plan, SharedPlans};
use domain::ports::{CheckCatalogue, Clock, IdSource, ReportRenderer, Stores, UrlSigner};
use domain::report::Variant;
use domain::run::OptionBounds;
use domain::target::AllowTargets;
use domain::usecase::Caller;

pub use admission::{admit, strange_host};
pub use convert::event_body;
pub use dl::Documents;
pub use limits::{CallerLimits, Tiers};
pub use measure::{Answered, Meter};
pub use openapi::openapi;
pub use problem::Limit;
pub use server::server;
pub use traffic::Traffic;

use problem::Problem;
use router::Resource;

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
    /// What the calls of this process share.
    pub traffic: Traffic,
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

/// How often a key may call. Each process counts for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Calls a minute in the long run.
    pub per_minute: NonZeroU32,
    /// Calls at once.
    pub burst: NonZeroU32,
}

impl ApiState {
    /// The plan of a caller.
    fn plan_of(&self, caller: &Caller) -> Result<Plan, Problem> {
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

/// The whole interface. It can be extended by further services; what is mounted nowhere is a 404
/// problem.
pub fn app(
    state: &ApiState,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody + use<>>,
        Error = Error,
        InitError = (),
    > + use<>,
> {
    let outer_state = state.clone();
    App::new()
        .wrap_fn(move |request, service| outer::around(&outer_state, request, service))
        .configure(|config| pages::configure(config, state))
        .configure(dl::configure)
        .configure(|config| operations(config, state))
}

/// The operations of a variant by path.
fn resources(variant: Variant) -> &'static [Resource] {
    static CURRENT: LazyLock<Vec<Resource>> =
        LazyLock::new(|| Resource::all(routes::of(Variant::Current)));
    static LEGACY: LazyLock<Vec<Resource>> =
        LazyLock::new(|| Resource::all(routes::of(Variant::Legacy)));
    match variant {
        Variant::Current => &CURRENT,
        Variant::Legacy => &LEGACY,
    }
}

/// The operations under `/api/mcp`. The key comes before the path: unknown paths need one too.
fn operations(config: &mut web::ServiceConfig, state: &ApiState) {
    let mut scope = web::scope(router::BASE);
    for resource in resources(state.settings.variant) {
        let path = resource.path.as_str();
        scope = scope.service(web::resource(path).to(answering(state, Some(resource))));
    }
    config.service(scope.default_service(web::to(answering(state, None))));
}

/// The handler of a resource, or of all paths that have none.
fn answering(
    state: &ApiState,
    resource: Option<&'static Resource>,
) -> impl Fn(HttpRequest, web::Payload) -> dispatch::Answering + Clone + 'static {
    let state = state.clone();
    move |request, payload| {
        Box::pin(dispatch::dispatch(
            state.clone(),
            resource,
            request,
            payload,
        ))
    }
}
