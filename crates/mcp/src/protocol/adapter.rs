//! The bridge between the web server and the MCP library, which use different versions of the HTTP types.
//!
//! rmcp-actix-web does the same, and turns on a feature of `serde_json` that changes the order of keys in
//! everything else that is built with it.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use http_body::Body;
use http_body_util::{BodyDataStream, BodyExt, Full};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{
    SessionManager, StreamableHttpServerConfig, StreamableHttpService,
};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};

/// The maximum size of a request in bytes, the same as in the HTTP API.
pub(super) const MOST_BYTES: usize = 256 * 1024;

/// What adds any server of the protocol at `/mcp` to a web server, with sessions where the client's revision has
/// them. For servers on loopback: it is what the conformance suite is run against beside our own.
pub fn mount_service<S: ServerHandler + Send + 'static>(
    make: Arc<dyn Fn() -> S + Send + Sync>,
) -> impl Fn(&mut ServiceConfig) + Clone {
    let config = StreamableHttpServerConfig::default().with_max_request_body_bytes(MOST_BYTES);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(make()), sessions, config);
    move |app: &mut ServiceConfig| {
        let service = service.clone();
        let answer = move |request: HttpRequest, payload: Payload| {
            let service = service.clone();
            async move { bridged(&service, &request, payload).await }
        };
        app.service(web::resource("/mcp").to(answer));
    }
}

/// Passes a request to the library and returns its response.
pub(super) async fn bridged<S, M>(
    service: &StreamableHttpService<S, M>,
    request: &HttpRequest,
    payload: Payload,
) -> HttpResponse
where
    S: ServerHandler + Send + 'static,
    M: SessionManager,
{
    let body = match payload.to_bytes_limited(MOST_BYTES).await {
        Ok(Ok(body)) => body,
        // The body was incomplete or did not arrive before the server's timeout.
        Ok(Err(_)) => return HttpResponse::BadRequest().finish(),
        Err(_) => return HttpResponse::PayloadTooLarge().finish(),
    };
    let Some(carried) = carried(request, body.clone()) else {
        return HttpResponse::BadRequest().finish();
    };
    let (head, answer) = service.handle(carried).await.into_parts();
    if head.status == http::StatusCode::UNSUPPORTED_MEDIA_TYPE && is_json(request) {
        return malformed(&body);
    }
    let body = answer;
    let status =
        StatusCode::from_u16(head.status.as_u16()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = HttpResponse::build(status);
    for (name, value) in &head.headers {
        let name = HeaderName::from_bytes(name.as_str().as_bytes());
        let value = HeaderValue::from_bytes(value.as_bytes());
        if let (Ok(name), Ok(value)) = (name, value) {
            response.append_header((name, value));
        }
    }
    if body.size_hint().exact().is_none() {
        return response.streaming(BodyDataStream::new(body));
    }
    match body.collect().await {
        Ok(whole) => response.body(whole.to_bytes()),
        Err(never) => match never {},
    }
}

/// Whether the content type of a request is JSON.
fn is_json(request: &HttpRequest) -> bool {
    let header = request.headers().get(header::CONTENT_TYPE);
    header
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            let essence = value.split(';').next().unwrap_or_default();
            essence.trim().eq_ignore_ascii_case("application/json")
        })
}

/// The response to a JSON body that is not an MCP message. The library treats it like a wrong content type; both
/// revisions of the protocol require status 400, and JSON-RPC has different errors for invalid JSON and invalid
/// messages. The response has the id of the request, if it can be read.
fn malformed(body: &[u8]) -> HttpResponse {
    let read: Result<Value, _> = serde_json::from_slice(body);
    let id = read.as_ref().ok().and_then(|message| message.get("id"));
    let id = id.filter(|id| id.is_string() || id.is_i64() || id.is_u64());
    let error = match &read {
        Err(_) => ErrorData::parse_error("The request body is not JSON.", None),
        Ok(_) => ErrorData::invalid_request(
            "The request body is not an MCP message: send one request, notification or response of JSON-RPC 2.0 with named parameters. Batches are not supported.",
            None,
        ),
    };
    HttpResponse::BadRequest().json(json!({ "jsonrpc": "2.0", "id": id, "error": error }))
}

/// The request in the types of the library; `None` if it cannot be represented.
fn carried(request: &HttpRequest, body: Bytes) -> Option<http::Request<Full<Bytes>>> {
    let method = http::Method::from_bytes(request.method().as_str().as_bytes()).ok()?;
    let mut carried = http::Request::builder()
        .method(method)
        .uri(request.uri().to_string());
    for (name, value) in request.headers() {
        carried = carried.header(name.as_str(), value.as_bytes());
    }
    carried.body(Full::new(body)).ok()
}
