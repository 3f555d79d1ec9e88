//! Prometheus metrics, protected by a token.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, web};

use crate::state::ApiState;
use httpkit::bearer;
use httpkit::measure::Meter;
use httpkit::problem::Problem;
use httpkit::request_timeout::RequestTimeout;

/// The text format of Prometheus.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The metrics; an unknown path if metrics are off.
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
    RequestTimeout::default().block(move || page.page()).await
}

fn admit(meter: &dyn Meter, request: &HttpRequest) -> Result<(), Problem> {
    match bearer::token(request.headers()) {
        Ok(token) if meter.admits(token) => Ok(()),
        _ => Err(Problem::unauthorized(
            "The metrics require their own token. Send it as `Authorization: Bearer <TOKEN>`.",
        )),
    }
}
