//! The metrics endpoint of a process without the HTTP API.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use anyhow::{Context, Result};
use httpkit::measure::Meter;

/// Timeout for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum concurrent connections; a scraper needs one.
const CONNECTIONS: usize = 64;
/// How long active requests may take when the process stops.
const DRAIN_SECONDS: u64 = 1;
/// The media type of the Prometheus text format.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Serves only `/metrics` and `/healthz`.
pub(crate) struct Listener {
    address: SocketAddr,
    server: ServerHandle,
}

/// The metrics, and who may read them.
struct MetricsAccess {
    meter: Arc<dyn Meter>,
    is_open: bool,
}

impl Listener {
    /// Starts the listener. `is_open` allows access without a token; otherwise [`Meter::admits`] decides.
    pub(crate) fn start(
        address: SocketAddr,
        meter: Arc<impl Meter + 'static>,
        is_open: bool,
    ) -> Result<Self> {
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let access = web::Data::new(MetricsAccess { meter, is_open });
        let (sender, handles) = mpsc::channel();
        let thread = std::thread::Builder::new().name("metrics-listener".to_owned());
        thread.spawn(move || {
            let served = actix_web::rt::System::new().block_on(async move {
                let server =
                    HttpServer::new(move || App::new().configure(|app| pages(app, &access)))
                        .workers(1)
                        .max_connections(CONNECTIONS)
                        .listen(listener)?
                        .disable_signals()
                        .client_request_timeout(HEAD_TIMEOUT)
                        .shutdown_timeout(DRAIN_SECONDS)
                        .run();
                // The thread that started this one waits for the handle.
                let _ = sender.send(server.handle());
                server.await
            });
            if let Err(error) = served {
                tracing::error!(%error, "metrics listener failed");
            }
        })?;
        let server = handles.recv();
        Ok(Self {
            address,
            server: server.context("metrics cannot be served")?,
        })
    }

    /// The listen address.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops listening, and finishes active requests.
    pub(crate) async fn stop(self) {
        self.server.stop(true).await;
    }
}

fn pages(app: &mut web::ServiceConfig, access: &web::Data<MetricsAccess>) {
    let page = |path| web::resource(path).default_service(web::to(wrong_method));
    app.app_data(access.clone())
        .service(
            page("/healthz")
                .route(web::get().to(healthz))
                .route(web::head().to(healthz)),
        )
        .service(
            page("/metrics")
                .route(web::get().to(metrics))
                .route(web::head().to(metrics)),
        );
}

/// Liveness: the event loop is running.
async fn healthz() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(r#"{"status":"ok"}"#)
}

async fn metrics(access: web::Data<MetricsAccess>, request: HttpRequest) -> HttpResponse {
    let header = request.headers().get(AUTHORIZATION);
    let token = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if !access.is_open && !token.is_some_and(|token| access.meter.admits(token)) {
        return HttpResponse::Unauthorized()
            .insert_header((WWW_AUTHENTICATE, "Bearer"))
            .finish();
    }
    let meter = Arc::clone(&access.meter);
    match web::block(move || meter.page()).await {
        Ok(text) => HttpResponse::Ok().content_type(TEXT).body(text),
        Err(_) => HttpResponse::ServiceUnavailable().finish(),
    }
}

async fn wrong_method() -> HttpResponse {
    HttpResponse::MethodNotAllowed()
        .insert_header(("Allow", "GET, HEAD"))
        .finish()
}
