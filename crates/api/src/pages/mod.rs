//! What is served beside the operations, without a key.

mod cache;
mod checks;
mod docs;
mod errors;
mod health;
mod metrics;

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::ServiceConfig;
use actix_web::{Handler, HttpRequest, HttpResponse, Resource, Responder, guard, web};

use crate::ApiState;
use crate::outer::request_id;
use crate::problem::Problem;

use cache::CachedPage;
pub(crate) use cache::PageCache;

/// Registers all pages, and the 404 problem for every path that nothing stands at.
pub(crate) fn configure(config: &mut ServiceConfig, state: &ApiState) {
    config
        .app_data(web::Data::new(state.clone()))
        .service(page("/healthz", health::healthz))
        .service(page("/readyz", health::readyz))
        .service(page("/openapi.json", docs::openapi_json))
        .configure(|config| {
            // Where nothing is measured it is as unknown as any other path.
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

/// A page that answers GET and HEAD.
pub(crate) fn page<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: actix_web::FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let reads =
        guard::fn_guard(|context| [Method::GET, Method::HEAD].contains(&context.head().method));
    web::resource(path)
        .route(web::route().guard(reads).to(handler))
        .default_service(web::to(wrong_method))
}

async fn nothing(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    problem(&state, &request, &Problem::not_found())
}

async fn wrong_method(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    problem(&state, &request, &Problem::method_not_allowed("GET, HEAD"))
}

/// A page of the cache as the answer to a request.
fn respond(
    state: &ApiState,
    request: &HttpRequest,
    page: Result<Arc<CachedPage>, Problem>,
) -> HttpResponse {
    match page {
        Ok(page) => page.respond(request),
        Err(refused) => problem(state, request, &refused),
    }
}

/// A problem as the answer to a request.
pub(crate) fn problem(state: &ApiState, request: &HttpRequest, problem: &Problem) -> HttpResponse {
    problem.respond(&state.settings.base_url, &request_id(request))
}
