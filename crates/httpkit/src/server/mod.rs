//! The HTTP server: connections and their limits.

mod connection;
mod deadline;
mod refused;

use std::io;
use std::net::TcpListener;
use std::rc::Rc;
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
use connection::{Answer, Connection};

/// Timeout for the head of the first request of a connection. It includes the time until the server reads it, so under
/// many connections the usual five seconds would cut off honest clients.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// Keep-alive timeout of idle connections. Longer than clients usually pause between two requests, so that none sends
/// a request while the server closes the connection.
const KEEP_ALIVE: Duration = Duration::from_secs(60);
/// How long a rejected client may take to read the response, and how long its remaining bytes are read.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Serves an app on a listener, over HTTP/1.1 without TLS. The limits of `http` apply to each connection.
///
/// `configure` can override threads, signals and shutdown.
///
/// # Errors
/// If the listener cannot be used.
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
        let of_heads = context.clone();
        let answer: Answer = Rc::new(move |error| refused::bad_head(&of_heads, error));
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
            // A client that closed its side has disconnected: its requests are cancelled.
            .h1_allow_half_closed(false)
            .on_connect_ext(Connection::<TcpStream>::share_state)
            .finish(map_config(app, |()| AppConfig::default()));
        fn_service(move |stream: TcpStream| {
            let (context, answer) = (context.clone(), Rc::clone(&answer));
            async move { accept(&context, stream, answer).await }
        })
        .and_then(http)
    })?;
    Ok(builder.run())
}

/// Accepts a connection within the limits; others get a 429 and are closed.
async fn accept(
    http: &HttpContext,
    stream: TcpStream,
    answer: Answer,
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
    // Sends small responses immediately (disables Nagle's algorithm).
    stream.set_nodelay(true)?;
    let connection = Connection::new(stream, limits.stall_time, permit, answer);
    Ok((connection, Protocol::Http1, Some(peer)))
}
