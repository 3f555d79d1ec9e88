//! The OpenAPI document, and the explorer that reads it. Both come with the binary: no page of
//! theirs asks another host.

use std::sync::{Arc, LazyLock};

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::report::Variant;
use utoipa_swagger_ui::Config;

use super::problem;
use crate::ApiState;
use crate::openapi::openapi;
use crate::problem::Problem;

static CURRENT: LazyLock<Bytes> = LazyLock::new(|| document(Variant::Current));
static LEGACY: LazyLock<Bytes> = LazyLock::new(|| document(Variant::Legacy));
static EXPLORER: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("../openapi.json")
        .try_it_out_enabled(true)
        .persist_authorization(false)
        // The default shows a badge that another host draws.
        .validator_url("none");
    Arc::new(config)
});

/// What the explorer needs: its own files, its inline styles, and icons from data URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The document of the variant that is served.
pub(super) async fn openapi_json(state: web::Data<ApiState>) -> HttpResponse {
    let document = match state.settings.variant {
        Variant::Current => &CURRENT,
        Variant::Legacy => &LEGACY,
    };
    HttpResponse::Ok()
        .content_type("application/json")
        .body(Bytes::clone(document))
}

/// The explorer stands at `/docs/`, so that its relative addresses are right.
pub(super) async fn redirect() -> HttpResponse {
    HttpResponse::PermanentRedirect()
        .insert_header((header::LOCATION, "/docs/"))
        .finish()
}

/// A file of the explorer.
pub(super) async fn explorer(
    state: web::Data<ApiState>,
    request: HttpRequest,
    file: web::Path<String>,
) -> HttpResponse {
    match utoipa_swagger_ui::serve(&file, Arc::clone(&EXPLORER)) {
        Ok(Some(file)) => HttpResponse::Ok()
            .content_type(file.content_type)
            .insert_header((header::CONTENT_SECURITY_POLICY, POLICY))
            .body(file.bytes.into_owned()),
        Ok(None) => problem(&state, &request, &Problem::not_found()),
        Err(error) => problem(&state, &request, &Problem::internal(error.to_string())),
    }
}

fn document(variant: Variant) -> Bytes {
    // The document is made of texts and numbers, which always become JSON.
    serde_json::to_vec(&openapi(variant))
        .unwrap_or_default()
        .into()
}
