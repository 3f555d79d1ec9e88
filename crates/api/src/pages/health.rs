//! Liveness and readiness.

use actix_web::{HttpRequest, HttpResponse, web};

use domain::ports::NotReady;

use crate::state::ApiState;
use httpkit::problem::Problem;

/// Liveness: the event loop responds.
pub(super) async fn healthz() -> HttpResponse {
    status(r#"{"status":"ok"}"#)
}

/// Readiness: the stores are writable, and the process is not about to end. It returns the result of the last probe. The server probes once before it
/// accepts requests and then in the background, so this handler does not wait for a store.
pub(super) async fn readyz(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    let ready = match state.rate_limits.is_draining() {
        true => Err(NotReady::Stopping),
        false => state.stores.ready(),
    };
    match ready {
        Ok(()) => status(r#"{"status":"ready"}"#),
        Err(reason) => state.respond(&request, &Problem::not_ready(reason)),
    }
}

fn status(body: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(body)
}
