//! The OpenAPI document and the API explorer. Both are embedded in the binary and request nothing from other
//! hosts.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use utoipa_swagger_ui::Config;

use super::respond;
use crate::openapi::openapi;
use crate::state::ApiState;
use httpkit::compression;
use httpkit::page_cache::CachedPage;
use httpkit::problem::Problem;

static EXPLORER: LazyLock<Arc<Config<'static>>> = LazyLock::new(|| {
    let config = Config::from("../openapi.json")
        .try_it_out_enabled(true)
        .persist_authorization(false)
        // The default shows a badge from another host.
        .validator_url("none");
    Arc::new(config)
});

/// What the explorer needs: its own files, its inline styles, and icons from data URLs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

/// The document of the variant that is served.
pub(super) async fn openapi_json(state: web::Data<ApiState>, request: HttpRequest) -> HttpResponse {
    let variant = state.settings.variant;
    let page = state.pages.page("openapi.json", move || {
        // The document is made of texts and numbers, which always become JSON.
        let document = serde_json::to_vec(&openapi(variant)).unwrap_or_default();
        Ok(CachedPage::new("application/json", None, document))
    });
    respond(&state, &request, page.await)
}

/// Redirects to `/docs/`, so that the explorer's relative URLs work.
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
    let name = file.into_inner();
    let key = format!("docs/{name}");
    let page = state.pages.page(&key, move || {
        let file = utoipa_swagger_ui::serve(&name, Arc::clone(&EXPLORER))
            .map_err(|error| Problem::internal(error.to_string()))?
            .ok_or_else(Problem::not_found)?;
        // The binary embeds them compressed.
        let bytes = match (file.gzpipped, file.bytes) {
            (true, bytes) => compression::decompress(&bytes).map(Bytes::from),
            (false, Cow::Borrowed(bytes)) => Ok(Bytes::from_static(bytes)),
            (false, Cow::Owned(bytes)) => Ok(Bytes::from(bytes)),
        };
        let bytes = bytes.map_err(|error| Problem::internal(error.to_string()))?;
        Ok(CachedPage::new(file.content_type, Some(POLICY), bytes))
    });
    respond(&state, &request, page.await)
}
