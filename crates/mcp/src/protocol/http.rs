//! The protocol over HTTP, mounted in a web server.
//!
//! Nothing is kept between two requests, in any revision of the protocol: any process of a service can answer
//! any of them.

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

/// Judges a request before anything of it is read: an answer where it may not go on.
pub type Admission =
    Arc<dyn Fn(&HttpRequest) -> LocalBoxFuture<'static, Result<(), HttpResponse>> + Send + Sync>;

/// How the protocol is served over HTTP.
#[derive(Clone)]
pub struct HttpSettings {
    /// Where the service answers its own HTTP surface.
    pub api: ServerUrl,
    /// The hosts, with or without a port, that requests may name.
    pub hosts: Vec<String>,
    /// The origins from which a browser may ask. Programs name none and are not asked for one.
    pub origins: Vec<String>,
    /// What the service offers.
    pub offers: Offers,
    /// Judges the key of a request.
    pub admission: Admission,
    /// Answers a request whose host or origin is none of these.
    pub strange_host: Arc<dyn Fn(&HttpRequest) -> HttpResponse + Send + Sync>,
}

/// Adds the protocol to a web server. Not generic, so that the library is compiled with this crate and not anew
/// with each program.
pub type Mount = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// What adds the protocol at `/mcp` to a web server.
///
/// # Errors
/// When the client of the HTTP surface cannot be made.
pub fn mount(settings: HttpSettings) -> Result<Mount, Error> {
    // A key that nobody has: each request brings its own.
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
    let (admission, strange_host) = (settings.admission, settings.strange_host);
    Ok(Arc::new(move |app: &mut ServiceConfig| {
        let service = service.clone();
        let (admission, strange_host) = (Arc::clone(&admission), Arc::clone(&strange_host));
        let answer = move |request: HttpRequest, payload: Payload| {
            let service = service.clone();
            let (admission, strange_host) = (Arc::clone(&admission), Arc::clone(&strange_host));
            async move {
                if let Err(refused) = admission(&request).await {
                    return refused;
                }
                let answer = bridged(&service, &request, payload).await;
                // The library has no other reason for this status.
                if answer.status() == StatusCode::FORBIDDEN {
                    return strange_host(&request);
                }
                answer
            }
        };
        app.service(web::resource(["/mcp", "/mcp/"]).to(answer));
    }))
}
