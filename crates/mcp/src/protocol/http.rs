//! The protocol over HTTP, mounted in a web server.
//!
//! The server is stateless in every revision of the protocol: any process of a service can handle any request.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::web::{self, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use client::{ApiKey, Client, Error, ServerUrl};
use futures_util::future::LocalBoxFuture;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use super::adapter::{MOST_BYTES, bridged};
use super::server::{Caller, Server};
use crate::variant::Offers;

/// Checks a request before its body is read; returns a response to reject it.
pub type Admission =
    Arc<dyn Fn(&HttpRequest) -> LocalBoxFuture<'static, Result<(), HttpResponse>> + Send + Sync>;

/// How the protocol is served over HTTP.
#[derive(Clone)]
pub struct HttpSettings {
    /// The URL of the service's HTTP API.
    pub api: ServerUrl,
    /// The hosts, with or without a port, that requests may name.
    pub hosts: Vec<String>,
    /// The allowed origins of browsers. Other clients send no `Origin` header and need none.
    pub origins: Vec<String>,
    /// What the service offers.
    pub offers: Offers,
    /// Authenticates the key of a request.
    pub authentication: Admission,
    /// The response to a request with another host or origin.
    pub is_foreign_host: Arc<dyn Fn(&HttpRequest) -> HttpResponse + Send + Sync>,
}

/// Adds the protocol to a web server. Not generic, so that the library is compiled with this crate and not anew
/// with each program.
pub type Mount = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// What adds the protocol at `/mcp` to a web server.
///
/// # Errors
/// When the client of the HTTP surface cannot be made.
pub fn mount(settings: HttpSettings) -> Result<Mount, Error> {
    // A placeholder key: each request has its own key.
    let client = Client::new(settings.api, &ApiKey::parse("none")?)?;
    let server = Server::offering(Caller::OfRequest(client), settings.offers);
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MOST_BYTES)
        .with_allowed_hosts(settings.hosts)
        .with_allowed_origins(settings.origins)
        .enforce_origin_validation();
    let service = StreamableHttpService::new(
        move || Ok(server.clone()),
        Arc::new(NeverSessionManager::default()),
        config,
    );
    let (authentication, is_foreign_host) = (settings.authentication, settings.is_foreign_host);
    Ok(Arc::new(move |app: &mut ServiceConfig| {
        let service = service.clone();
        let (authentication, is_foreign_host) =
            (Arc::clone(&authentication), Arc::clone(&is_foreign_host));
        let answer = move |request: HttpRequest, payload: Payload| {
            let service = service.clone();
            let (authentication, is_foreign_host) =
                (Arc::clone(&authentication), Arc::clone(&is_foreign_host));
            async move {
                if let Err(refused) = authentication(&request).await {
                    return refused;
                }
                let answer = bridged(&service, &request, payload).await;
                // The library has no other reason for this status.
                if answer.status() == StatusCode::FORBIDDEN {
                    return is_foreign_host(&request);
                }
                answer
            }
        };
        app.service(web::resource(["/mcp", "/mcp/"]).to(answer));
    }))
}
