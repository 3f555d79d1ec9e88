//! The HTTP server: connections, and what each may use.

mod connection;
mod deadline;
mod refused;

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_http::error::DispatchError;
use actix_http::{HttpService, Protocol, Request, Response};
use actix_server::{Server, ServerBuilder};
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_service, map_config,
};
use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::AppConfig;
use actix_web::rt::net::TcpStream;

use crate::context::HttpContext;
use crate::problem::Limit;
use connection::Connection;

/// How long a client may take to send the head of a request. It counts from when the connection is
/// taken, so with many at once it is our time as well: five seconds, the usual, cut off honest clients.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a connection may lie idle. Longer than clients take between two calls, who would else send
/// one while we hang up.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// How long a refused client may take to read the refusal, and how long its remaining bytes are read.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves an app on a listener, over HTTP/1.1 without TLS. Each connection has the limits of `http`.
///
/// `configure` has the last word on threads, signals and shutdown.
///
/// # Errors
/// When the listener cannot be used.
pub fn server<F, I, S, B>(
    listener: TcpListener,
    http: &HttpContext,
    factory: F,
    configure: impl FnOnce(ServerBuilder) -> ServerBuilder,
) -> io::Result<Server>
where
    F: Fn() -> I + Send + Clone + 'static,
    I: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig> + 'static,
    S::Future: 'static,
    S::Error: Into<Error> + 'static,
    S::InitError: std::fmt::Debug,
    S::Response: Into<Response<B>> + 'static,
    S::Service: 'static,
    <S::Service as Service<Request>>::Future: 'static,
    B: MessageBody + 'static,
{
    let builder = configure(Server::build());
    let stopping = builder.graceful_shutdown_signal();
    let context = http.clone();
    let builder = builder.listen("http", listener, move || {
        let (context, stopping) = (context.clone(), stopping.clone());
        let app = factory()
            .into_factory()
            .map_err(|error| error.into().error_response());
        let http = HttpService::build()
            .graceful_shutdown_signal(move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            })
            .keep_alive(KEEP_ALIVE)
            .client_request_timeout(HEAD_TIMEOUT)
            .client_disconnect_timeout(DISCONNECT_TIMEOUT)
            // A client that has closed its side is gone: what it asked for is called off.
            .h1_allow_half_closed(false)
            .on_connect_ext(Connection::<TcpStream>::share_state)
            .finish(map_config(app, |()| AppConfig::default()));
        fn_service(move |stream: TcpStream| {
            let context = context.clone();
            async move { accept(&context, stream).await }
        })
        .and_then(http)
    })?;
    Ok(builder.run())
}

/// A connection within the limits; others are answered 429 and closed.
async fn accept(
    http: &HttpContext,
    stream: TcpStream,
) -> Result<
    (
        Connection<TcpStream>,
        Protocol,
        Option<std::net::SocketAddr>,
    ),
    DispatchError,
> {
    let peer = stream.peer_addr()?;
    let limits = http.rate_limits.limits();
    let Some(permit) = http
        .rate_limits
        .connections()
        .try_acquire(peer.ip(), limits)
    else {
        if let Some(meter) = &http.meter {
            meter.refused(Limit::Connections);
        }
        refused::refuse(http, stream).await;
        return Err(DispatchError::DisconnectTimeout);
    };
    // Small answers are not held back to be sent together with later ones.
    stream.set_nodelay(true)?;
    let connection = Connection::new(stream, limits.stall_time, permit);
    Ok((connection, Protocol::Http1, Some(peer)))
}
