//! Whether the service lives, and whether it can work.

use actix_web::{HttpRequest, HttpResponse, web};

use crate::state::ApiState;
use httpkit::problem::Problem;

/// Alive: the event loop turns.
pub(super) async fn healthz() -> HttpResponse {
    status(r#"{"status":"ok"}"#)
}

/// Ready: the stores can be written. The verdict is that of the last probe: whoever serves probes once before
/// anybody can ask, and in the background from then on, so this waits for no store.
pub(super) async fn readyz(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    match state.stores.ready() {
        Ok(()) => status(r#"{"status":"ready"}"#),
        Err(reason) => state.respond(&request, &Problem::not_ready(reason)),
    }
}

fn status(body: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(body)
}
