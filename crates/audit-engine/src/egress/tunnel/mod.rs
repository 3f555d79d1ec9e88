//! The proxy through which a browser loads pages: the boundary of its traffic.
//!
//! The browser resolves no names and opens no connections to sites. It asks this proxy, which listens on loopback, for
//! each connection. The proxy checks the target at the gates and connects to an address that was vetted for it. It reads
//! requests in plain text (`http://`) one by one, and a connection serves one host. A refusal always has the same body.

mod count;
mod relay;
mod request;
mod shape;
mod upstream;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

pub use count::TunnelCounts;
use count::{Counters, Direction};
use relay::{Activity, Relay};
use request::{Asked, PlainRequest, read_head};
use shape::Shape;
use upstream::{NoConnection, OperatorProxy, Purpose};

use super::{GuardedFetcher, Limiter, host_key};
use crate::bounds::browser::{
    MAX_RENDERED_PAGE_BYTES, MAX_RENDERED_RUN_BYTES, MAX_TUNNEL_CONNECTIONS, TUNNEL_HEAD_TIMEOUT,
};
use crate::lab::LinkSpeed;

/// How long a connection waits until its host may receive another.
const PERMIT_TIMEOUT: Duration = Duration::from_secs(10);

/// How much may go through a tunnel, in both directions together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TunnelLimits {
    /// Bytes of one page.
    pub page_bytes: u64,
    /// Bytes of all pages.
    pub run_bytes: u64,
}

impl Default for TunnelLimits {
    fn default() -> Self {
        Self {
            page_bytes: MAX_RENDERED_PAGE_BYTES,
            run_bytes: MAX_RENDERED_RUN_BYTES,
        }
    }
}

/// Why there is no tunnel.
#[derive(Debug, thiserror::Error)]
pub enum TunnelError {
    /// No port on loopback.
    #[error("the proxy for the browser cannot listen on loopback: {0}")]
    Listen(#[from] io::Error),
    /// The operator's proxy speaks TLS.
    #[error("rendered mode cannot use the proxy in egress.proxy: its URL must begin with http://")]
    ProxyWithTls,
}

/// A proxy on a port of loopback, for one browser context of one run. It ends with all its connections when it is
/// dropped.
#[derive(Debug)]
pub struct Tunnel {
    address: SocketAddr,
    counters: Arc<Counters>,
    accepting: JoinHandle<()>,
}

impl Drop for Tunnel {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

impl Tunnel {
    /// Starts to listen. Connections to a host take turns in `limiter` with all other requests to it. Needs a
    /// runtime of tokio.
    ///
    /// # Errors
    /// If no port is free, or the operator's proxy cannot be used.
    pub async fn open(
        fetcher: Arc<GuardedFetcher>,
        limiter: Arc<Limiter>,
        limits: TunnelLimits,
    ) -> Result<Self, TunnelError> {
        Self::listen(fetcher, Some(limiter), limits, None).await
    }

    /// As [`Tunnel::open`], but everything takes as long as over a connection of this speed. Connections wait for
    /// nothing else: the caller takes the turns of the page as a whole, so that a wait for one is not measured.
    ///
    /// # Errors
    /// See [`Tunnel::open`].
    pub async fn open_slowed(
        fetcher: Arc<GuardedFetcher>,
        limits: TunnelLimits,
        speed: LinkSpeed,
    ) -> Result<Self, TunnelError> {
        Self::listen(fetcher, None, limits, Some(Shape::new(speed))).await
    }

    async fn listen(
        fetcher: Arc<GuardedFetcher>,
        limiter: Option<Arc<Limiter>>,
        limits: TunnelLimits,
        shape: Option<Shape>,
    ) -> Result<Self, TunnelError> {
        let proxy = OperatorProxy::of(&fetcher)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let counters = Arc::new(Counters::new(limits));
        let entry = Arc::new(Entry {
            fetcher,
            limiter,
            proxy,
            counters: Arc::clone(&counters),
            shape,
        });
        let accepting = tokio::spawn(accept(listener, entry));
        Ok(Self {
            address,
            counters,
            accepting,
        })
    }

    /// The address of the proxy.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What went through so far.
    #[must_use]
    pub fn counts(&self) -> TunnelCounts {
        self.counters.read()
    }

    /// Resets the count of the bytes of the page.
    pub fn begin_page(&self) {
        self.counters.begin_page();
    }
}

/// Accepts connections, at most [`MAX_TUNNEL_CONNECTIONS`] at a time. The connections end with this task.
async fn accept(listener: TcpListener, entry: Arc<Entry>) {
    let mut serving = JoinSet::new();
    loop {
        while serving.len() >= MAX_TUNNEL_CONNECTIONS {
            serving.join_next().await;
        }
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    let entry = Arc::clone(&entry);
                    serving.spawn(async move { entry.serve(stream).await });
                }
                // No descriptor is free, for example.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
            Some(_) = serving.join_next() => {}
        }
    }
}

/// What all connections of a tunnel share.
#[derive(Debug)]
struct Entry {
    fetcher: Arc<GuardedFetcher>,
    limiter: Option<Arc<Limiter>>,
    proxy: Option<OperatorProxy>,
    counters: Arc<Counters>,
    shape: Option<Shape>,
}

impl Entry {
    /// Serves one connection of the browser. A failure ends the connection: the browser sees it as the site's.
    async fn serve(&self, mut browser: TcpStream) {
        let _ = browser.set_nodelay(true);
        let head = timeout(TUNNEL_HEAD_TIMEOUT, read_head(&mut browser)).await;
        let Ok(Ok((head, rest))) = head else {
            return;
        };
        let Some(asked) = Asked::parse(&head) else {
            let _ = refuse(&mut browser, "400 Bad Request", "request_not_supported").await;
            return;
        };
        let served = match self.connect(&asked).await {
            Ok(site) => self.relay(browser, site, &asked, &rest).await,
            Err(NoConnection::Refused) => {
                self.counters.count_refusal();
                refuse(&mut browser, "403 Forbidden", "target_not_allowed").await
            }
            Err(NoConnection::Unreachable) => {
                self.counters.count_unreachable();
                refuse(&mut browser, "502 Bad Gateway", "target_not_reachable").await
            }
        };
        if let Err(error) = served {
            tracing::trace!(%error, "a connection of the browser ended");
        }
    }

    async fn connect(&self, asked: &Asked) -> Result<TcpStream, NoConnection> {
        let url = asked.url();
        let host = host_key(url);
        // Held until the connection exists: an idle one must not keep the crawl from its host.
        let _permit = match &self.limiter {
            Some(limiter) => {
                let permit = limiter.acquire_within(&host, PERMIT_TIMEOUT).await;
                Some(permit.ok_or(NoConnection::Unreachable)?)
            }
            None => None,
        };
        let purpose = match asked {
            Asked::Connect(_) => Purpose::Stream,
            Asked::Plain(_) => Purpose::Request,
        };
        let connecting = upstream::connect(&self.fetcher, self.proxy.as_ref(), url, purpose);
        let Some(shape) = &self.shape else {
            return connecting.await;
        };
        let (connected, ()) = tokio::join!(connecting, sleep(shape.connect_time(&host, purpose)));
        connected
    }

    async fn relay(
        &self,
        mut browser: TcpStream,
        site: TcpStream,
        asked: &Asked,
        rest: &[u8],
    ) -> io::Result<()> {
        self.counters.count_connection();
        match asked {
            Asked::Connect(_) => {
                browser
                    .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
                    .await?;
                self.relay_stream(browser, site, rest).await
            }
            Asked::Plain(request) => self.relay_request(browser, site, request, rest).await,
        }
    }

    /// Copies both ways until both sides have ended.
    async fn relay_stream(
        &self,
        browser: TcpStream,
        site: TcpStream,
        rest: &[u8],
    ) -> io::Result<()> {
        let activity = Activity::new();
        let (to_site, from_site) = self.relays(&activity);
        let (mut browser_in, mut browser_out) = browser.into_split();
        let (mut site_in, mut site_out) = site.into_split();
        let up = async {
            to_site.pass(rest, &mut site_out).await?;
            to_site
                .copy(&mut browser_in, &mut site_out, u64::MAX)
                .await?;
            site_out.shutdown().await
        };
        let down = async {
            from_site
                .copy(&mut site_in, &mut browser_out, u64::MAX)
                .await?;
            browser_out.shutdown().await
        };
        tokio::try_join!(up, down).map(|_| ())
    }

    /// Sends one request and its body, and copies the response until the site ends it. If the browser sends more
    /// than that, the connection ends: a further request may be for another host.
    async fn relay_request(
        &self,
        browser: TcpStream,
        mut site: TcpStream,
        request: &PlainRequest,
        rest: &[u8],
    ) -> io::Result<()> {
        let activity = Activity::new();
        let (to_site, from_site) = self.relays(&activity);
        let (mut browser_in, mut browser_out) = browser.into_split();
        let (mut site_in, mut site_out) = site.split();
        let up = async {
            let proxy = self.proxy.as_ref().map(OperatorProxy::credentials);
            to_site.pass(&request.head(proxy), &mut site_out).await?;
            let most = usize::try_from(request.body_bytes).unwrap_or(usize::MAX);
            let first = rest.get(..most.min(rest.len())).unwrap_or_default();
            if first.len() < rest.len() {
                return Err(io::ErrorKind::InvalidData.into());
            }
            to_site.pass(first, &mut site_out).await?;
            let sent = u64::try_from(first.len()).unwrap_or(u64::MAX);
            let left = request.body_bytes.saturating_sub(sent);
            to_site.copy(&mut browser_in, &mut site_out, left).await?;
            // Forwards nothing more. The wait ends when the browser closes the connection, or sends another request.
            let _more = browser_in.read(&mut [0]).await?;
            Err::<(), io::Error>(io::ErrorKind::ConnectionAborted.into())
        };
        let down = async {
            from_site
                .copy(&mut site_in, &mut browser_out, u64::MAX)
                .await?;
            browser_out.shutdown().await
        };
        tokio::select! {
            ended = up => ended,
            ended = down => ended,
        }
    }

    fn relays<'a>(&'a self, activity: &'a Activity) -> (Relay<'a>, Relay<'a>) {
        let towards = |direction| Relay {
            counters: &self.counters,
            activity,
            direction,
            shape: self.shape.as_ref(),
        };
        (towards(Direction::ToSite), towards(Direction::FromSite))
    }
}

/// Answers a request that the proxy does not serve, and ends the connection.
async fn refuse(browser: &mut TcpStream, status: &str, code: &str) -> io::Result<()> {
    let length = code.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{code}"
    );
    browser.write_all(answer.as_bytes()).await?;
    browser.shutdown().await
}
