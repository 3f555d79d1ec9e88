//! Pages outside of the operations, without a key.

mod checks;
mod docs;
mod errors;
mod health;
mod metrics;

use std::sync::Arc;

use actix_web::web::ServiceConfig;
use actix_web::{HttpRequest, HttpResponse, web};

pub use errors::error_list;

use crate::page_route::page;
use crate::state::ApiState;
use httpkit::page_cache::CachedPage;
use httpkit::problem::Problem;

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
        .service(page("/docs/errors", errors::list))
        .service(page("/docs/{file:.*}", docs::explorer))
        .service(page("/checks/style.css", checks::stylesheet))
        .service(page("/checks/{id}", checks::explanation))
        .default_service(web::to(nothing));
}

async fn nothing(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    state.respond(&request, &Problem::not_found())
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
