//! Whether the service lives, and whether it can work.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};

use super::problem;
use crate::ApiState;
use crate::patience::Patience;
use crate::problem::Problem;

/// Alive: the event loop turns.
pub(super) async fn healthz() -> HttpResponse {
    status(r#"{"status":"ok"}"#)
}

/// Ready: the stores can work.
pub(super) async fn readyz(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    let stores = Arc::clone(&state.stores);
    let answer = Patience::new().block(move || stores.ready()).await;
    match answer.map(|ready| ready.map_err(|error| error.to_string())) {
        Ok(Ok(())) => status(r#"{"status":"ready"}"#),
        Ok(Err(cause)) => problem(&state, &request, &Problem::unavailable(cause)),
        Err(late) => problem(&state, &request, &late),
    }
}

fn status(body: &'static str) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(body)
}
