//! A page that supports GET and HEAD.

use actix_web::http::Method;
use actix_web::{Handler, HttpRequest, HttpResponse, Resource, Responder, guard, web};

use crate::state::ApiState;
use httpkit::problem::Problem;

/// A page at a path; other methods return 405.
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

async fn wrong_method(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    state.respond(&request, &Problem::method_not_allowed("GET, HEAD"))
}
