//! Where a process without an interface tells what it measures.

use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use actix_web::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use anyhow::{Context, Result};
use httpkit::measure::Meter;

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// Connections at once; one who asks for measurements needs one.
const CONNECTIONS: usize = 64;
/// How long requests under way may take when the process stops.
const DRAIN_SECONDS: u64 = 1;
/// The text format of Prometheus.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Answers `/metrics` and `/healthz`, and nothing else.
pub(crate) struct Listener {
    address: SocketAddr,
    server: ServerHandle,
}

/// What is told, and to whom.
struct Told {
    meter: Arc<dyn Meter>,
    is_open: bool,
}

impl Listener {
    /// Listens from now on. `is_open` lets everybody see the measurements, else [`Meter::admits`] judges.
    pub(crate) fn start(
        address: SocketAddr,
        meter: Arc<impl Meter + 'static>,
        is_open: bool,
    ) -> Result<Self> {
        let listener =
            TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
        let address = listener.local_addr()?;
        let told = web::Data::new(Told { meter, is_open });
        let (sender, handles) = mpsc::channel();
        let thread = std::thread::Builder::new().name("metrics-listener".to_owned());
        thread.spawn(move || {
            let served = actix_web::rt::System::new().block_on(async move {
                let server = HttpServer::new(move || App::new().configure(|app| pages(app, &told)))
                    .workers(1)
                    .max_connections(CONNECTIONS)
                    .listen(listener)?
                    .disable_signals()
                    .client_request_timeout(HEAD_TIMEOUT)
                    .shutdown_timeout(DRAIN_SECONDS)
                    .run();
                // Who started this waits for it.
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

    /// Where it listens.
    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers what is under way, and listens no longer.
    pub(crate) async fn stop(self) {
        self.server.stop(true).await;
    }
}

fn pages(app: &mut web::ServiceConfig, told: &web::Data<Told>) {
    let page = |path| web::resource(path).default_service(web::to(wrong_method));
    app.app_data(told.clone())
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

/// Alive: the event loop turns.
async fn healthz() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("application/json")
        .body(r#"{"status":"ok"}"#)
}

async fn metrics(told: web::Data<Told>, request: HttpRequest) -> HttpResponse {
    let header = request.headers().get(AUTHORIZATION);
    let token = header.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    if !told.is_open && !token.is_some_and(|token| told.meter.admits(token)) {
        return HttpResponse::Unauthorized()
            .insert_header((WWW_AUTHENTICATE, "Bearer"))
            .finish();
    }
    let meter = Arc::clone(&told.meter);
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
