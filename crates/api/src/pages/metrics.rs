//! What is measured, for who has the token.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::bearer;
use crate::measure::Meter;
use crate::patience::Patience;
use crate::problem::Problem;
use crate::state::ApiState;

/// The text format of Prometheus.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The measurements; as unknown as any other path where nothing is measured.
pub(super) async fn metrics(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    match measured(&state, &request).await {
        Ok(text) => HttpResponse::Ok().content_type(TEXT).body(text),
        Err(refused) => state.respond(&request, &refused),
    }
}

async fn measured(state: &ApiState, request: &HttpRequest) -> Result<String, Problem> {
    let meter = state
        .settings
        .meter
        .clone()
        .ok_or_else(Problem::not_found)?;
    admit(&*meter, request)?;
    let page = Arc::clone(&meter);
    Patience::new().block(move || page.page()).await
}

fn admit(meter: &dyn Meter, request: &HttpRequest) -> Result<(), Problem> {
    match bearer::token(request.headers()) {
        Ok(token) if meter.admits(token) => Ok(()),
        _ => Err(Problem::unauthorized(
            "The measurements need their own token. Send it as `Authorization: Bearer <TOKEN>`.",
        )),
    }
}
