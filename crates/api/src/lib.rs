//! The HTTP adapter: routes, authentication, problems, OpenAPI.
//!
//! [`app`] is the complete application, ready to be served or tested: the operations under `/api/mcp`, the pages and
//! documents beside them, and the middleware for every response (request id, security headers, problems for all
//! errors, limits per caller, one log line). Services mounted beside it use the same middleware. [`httpkit::server`]
//! serves it, with limits on connections:
//!
//! ```
//! use actix_web::web;
//!
//! # fn dashboard(_config: &mut web::ServiceConfig) {}
//! # fn serve(state: api::ApiState) -> std::io::Result<()> {
//! let listener = std::net::TcpListener::bind("127.0.0.1:8080")?;
//! let app = state.clone();
//! let app = move || api::app(&app).configure(dashboard);
//! let server = httpkit::server::server(listener, &state.http(), app, |builder| builder.workers(1))?;
//! # drop(server);
//! # Ok(())
//! # }
//! ```
//!
//! It reads no configuration and has no storage or clock of its own: stores, clock and ids come from
//! [`ApiState`].
//!
//! To add an operation, write a file in `routes/` and add it to `routes::ALL`. The router, the OpenAPI document and
//! the tests of all operations use its documentation.

mod authentication;
mod convert;
mod dispatch;
mod documents;
mod downloads;
mod endpoint;
mod export;
mod input;
mod list_file;
mod openapi;
mod page_route;
mod pages;
mod router;
mod routes;
mod state;

use std::sync::LazyLock;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceFactory, ServiceRequest, ServiceResponse};
use actix_web::{App, Error, HttpRequest, web};
use domain::report::Variant;
use httpkit::middleware;

pub use authentication::{authenticate, is_foreign_host};
pub use convert::event_body;
pub use documents::Documents;
pub use openapi::openapi;
pub use pages::error_list;
pub use state::{ApiSettings, ApiState};

use router::Resource;

/// The complete application. Further services can be mounted; unknown paths return a 404 problem.
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
    let http = state.http();
    App::new()
        .wrap_fn(move |request, service| middleware::around(&http, request, service))
        .configure(|config| pages::configure(config, state))
        .configure(downloads::configure)
        .configure(|config| operations(config, state))
}

/// The operations of a variant by path.
fn resources(variant: Variant) -> &'static [Resource] {
    static CURRENT: LazyLock<Vec<Resource>> =
        LazyLock::new(|| Resource::all(routes::in_variant(Variant::Current)));
    static LEGACY: LazyLock<Vec<Resource>> =
        LazyLock::new(|| Resource::all(routes::in_variant(Variant::Legacy)));
    match variant {
        Variant::Current => &CURRENT,
        Variant::Legacy => &LEGACY,
    }
}

/// The operations under `/api/mcp`. The key is checked before the path: unknown paths need one too.
fn operations(config: &mut web::ServiceConfig, state: &ApiState) {
    let mut scope = web::scope(state::BASE);
    for resource in resources(state.settings.variant) {
        let path = resource.path.as_str();
        scope = scope.service(web::resource(path).to(answering(state, Some(resource))));
    }
    config.service(scope.default_service(web::to(answering(state, None))));
}

/// The handler of a resource, or of all unknown paths.
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
