//! Documents outside of the operations, without a key.

mod docs;
mod errors;
mod health;
mod metrics;

use std::sync::Arc;

use actix_web::guard::{self, GuardContext};
use actix_web::web::ServiceConfig;
use actix_web::{HttpRequest, HttpResponse, web};

pub use errors::error_list;

use crate::page_route::page;
use crate::state::ApiState;
use httpkit::page_cache::CachedPage;
use httpkit::problem::Problem;

/// The path of the list of errors.
const ERRORS: &str = "/docs/errors";

/// Registers all pages, and the 404 problem for unknown paths.
pub(crate) fn configure(config: &mut ServiceConfig, state: &ApiState) {
    config
        .app_data(web::Data::new(state.clone()))
        .service(page("/healthz", health::healthz))
        .service(page("/readyz", health::readyz))
        .service(page("/openapi.json", docs::openapi_json))
        .configure(|config| {
            // If metrics are off, it is an unknown path.
            if state.settings.meter.is_some() {
                config.service(page("/metrics", metrics::metrics));
            }
        })
        .service(page("/docs", docs::redirect))
        .service(page("/docs/{file:.*}", docs::explorer).guard(guard::fn_guard(is_of_explorer)))
        .default_service(web::to(nothing));
}

async fn nothing(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    state.respond(&request, &Problem::not_found())
}

/// Whether a path below `/docs` belongs to the explorer. The list of errors is a web page, and served with the others.
fn is_of_explorer(context: &GuardContext<'_>) -> bool {
    context.head().uri.path() != ERRORS
}

/// A cached page as the response to a request.
fn respond(
    state: &ApiState,
    request: &HttpRequest,
    page: Result<Arc<CachedPage>, Problem>,
) -> HttpResponse {
    match page {
        Ok(page) => page.respond(request),
        Err(refused) => state.respond(request, &refused),
    }
}
