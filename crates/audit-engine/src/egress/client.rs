//! The guarded HTTP client.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use domain::target::{AllowTargets, gate_address, gate_parsed_url};
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use url::{Host, Url};

use super::body::{Flow, Next, Reading};
use super::client_resolver::ClientResolver;
use super::dns::NameServers;
use super::own::is_of_this_machine;
use super::pin::Pin;
use super::proxy::{ProxyUrl, ProxyUrlError};
use super::resolver::GuardedResolver;
use super::tls::Endpoint;
use super::{coding, error};
use crate::address::without_fragment;
use crate::bounds::crawl::{MAX_HEADER_LIST_BYTES, MAX_HEADERS};
use crate::gather::{
    BodyPolicy, CertificatePolicy, FetchError, FetchErrorKind, FetchFuture, Fetcher, Headers,
    HttpVersion, LARGE_BODY, LargeBodyPermits, Method, Request, Response, TlsFacts, TlsFuture,
};

/// How long an idle connection is kept: longer than the longest `Crawl-delay`, and limited so that a host
/// cannot occupy connections for long.
const IDLE_TIMEOUT: Duration = Duration::from_secs(15);

/// The settings of the guarded client.
#[derive(Debug, Clone)]
pub struct EgressOptions {
    /// Targets that the operator allows in addition to public ones.
    pub allow_targets: AllowTargets,
    /// Host names with fixed addresses. The gates check these addresses too.
    pub resolve: HashMap<String, Vec<IpAddr>>,
    /// The only name server to query. Without it, the system's name servers and hosts file are used. The gates
    /// check its addresses like all others.
    pub dns_server: Option<SocketAddr>,
    /// The operator's own HTTP proxy for all requests. The gates run before a request is sent to the proxy; the
    /// proxy itself is not gated. The proxy receives names instead of addresses and resolves them again. Its
    /// own rules decide where it may connect.
    pub proxy: Option<ProxyUrl>,
    /// PEM files with certificate authorities to trust in addition to the built-in ones.
    pub extra_ca_pem: Vec<Vec<u8>>,
    /// The `User-Agent` header of requests that set none.
    pub user_agent: String,
    /// The timeout for a TCP and TLS connection.
    pub connect_timeout: Duration,
    /// The timeout from the request to the end of the response headers.
    pub header_timeout: Duration,
    /// The timeout for one exchange in total.
    pub total_timeout: Duration,
}

impl EgressOptions {
    /// The limits of the service: 5 s to connect, 10 s for headers, 30 s in total.
    #[must_use]
    pub fn new(allow_targets: AllowTargets, user_agent: String) -> Self {
        Self {
            allow_targets,
            resolve: HashMap::new(),
            dns_server: None,
            proxy: None,
            extra_ca_pem: Vec::new(),
            user_agent,
            connect_timeout: Duration::from_secs(5),
            header_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
        }
    }
}

/// Sends requests only to targets that pass both gates.
#[derive(Debug)]
pub struct GuardedFetcher {
    pub(super) client: reqwest::Client,
    /// The client that accepts every certificate. Its connections are not shared with the other.
    unverified: reqwest::Client,
    pub(super) resolver: Arc<GuardedResolver>,
    allow: Arc<AllowTargets>,
    pub(super) user_agent: HeaderValue,
    /// The operator's proxy, to which all connections go.
    pub(super) proxy: Option<ProxyUrl>,
    pub(super) connect_timeout: Duration,
    header_timeout: Duration,
    total_timeout: Duration,
}

impl GuardedFetcher {
    /// Creates a client. Installs ring as the `CryptoProvider` of rustls for the process, unless one is
    /// installed.
    ///
    /// # Errors
    /// If an authority is not a PEM certificate, the proxy is not an HTTP proxy, or the user agent has
    /// characters that are invalid in a header.
    pub fn new(options: EgressOptions) -> Result<Self, EgressError> {
        let allow = Arc::new(options.allow_targets.clone());
        let servers = match options.dns_server {
            Some(server) => NameServers::at(server),
            None => NameServers::of_system(),
        };
        let servers = servers.map_err(|error| EgressError::NameServers(error.to_string()))?;
        let resolver = GuardedResolver::new(Arc::clone(&allow), options.resolve.clone(), servers);
        let resolver = Arc::new(resolver);
        // reqwest uses the provider of the process. The call fails if one is installed, which is then used.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = self::client(&options, &resolver, CertificatePolicy::Trusted)?;
        let unverified = self::client(&options, &resolver, CertificatePolicy::Any)?;
        let user_agent = HeaderValue::from_str(&options.user_agent)
            .map_err(|_| EgressError::UserAgent(options.user_agent))?;
        Ok(Self {
            client,
            unverified,
            resolver,
            allow,
            user_agent,
            proxy: options.proxy,
            connect_timeout: options.connect_timeout,
            header_timeout: options.header_timeout,
            total_timeout: options.total_timeout,
        })
    }

    async fn exchange(&self, request: Request) -> Result<Response, FetchError> {
        let target = self.gate(&request.url).await?;
        let host = target.host;
        let deadline = tokio::time::Instant::now() + self.total_timeout;
        let sent = Instant::now();
        let headers_by = deadline.min(tokio::time::Instant::now() + self.header_timeout);
        let send = self.send(&request);
        let answer = match target.pin {
            Some(pin) => tokio::time::timeout_at(headers_by, pin.hold(send)).await,
            None => tokio::time::timeout_at(headers_by, send).await,
        }
        .map_err(|_| timed_out(&host, "did not send its response headers in time"))?
        .map_err(|error| self.classify(&error, &host))?;
        let time_to_first_byte = sent.elapsed();
        self.check_peer(&answer, &request.url)?;
        let mut response = Response {
            url: without_fragment(&request.url),
            status: answer.status().as_u16(),
            headers: headers(&answer),
            body: Bytes::new(),
            wire_bytes: answer.content_length().unwrap_or(0),
            truncated: false,
            version: version(answer.version()),
            time_to_first_byte,
            large_body_permit: None,
        };
        if let Some(limit) = body_limit(&request, &response) {
            let permits = request.large_body_permits.as_ref();
            read_body(answer, &mut response, limit, deadline, permits).await;
        }
        Ok(response)
    }

    pub(super) fn classify(&self, error: &reqwest::Error, host: &str) -> FetchError {
        let found = error::classify(error, host);
        if self.proxy.is_some() && found.kind == FetchErrorKind::Connect {
            // The proxy itself may have refused the connection or may be unreachable.
            let message = format!("the proxy did not connect to {host}, or is not reachable");
            return FetchError::new(FetchErrorKind::Connect, message);
        }
        found
    }

    /// Runs both gates before anything is sent.
    pub(super) async fn gate(&self, url: &Url) -> Result<Target, FetchError> {
        let refused = |error: domain::target::TargetError| {
            FetchError::new(FetchErrorKind::NotAllowed, error.to_string())
        };
        // The URL gate leaves literal addresses to the address gate.
        gate_parsed_url(url, &self.allow).map_err(refused)?;
        let port = url.port_or_known_default().unwrap_or(0);
        let target = self.resolve(url, port).await?;
        self.gate_own_listener(&target, url, port)?;
        Ok(target)
    }

    async fn resolve(&self, url: &Url, port: u16) -> Result<Target, FetchError> {
        match url.host() {
            Some(Host::Domain(name)) => {
                let pin = self.resolver.vet(name, port).await;
                Ok(Target {
                    host: name.to_owned(),
                    pin: Some(pin.map_err(|error| error::resolve_error(&error))?),
                })
            }
            Some(host @ (Host::Ipv4(_) | Host::Ipv6(_))) => Ok(Target {
                host: host.to_string(),
                pin: None,
            }),
            None => Err(FetchError::new(
                FetchErrorKind::NotAllowed,
                "the URL has no host",
            )),
        }
    }

    /// A service that listens on every address also listens on the public addresses of this machine.
    fn gate_own_listener(&self, target: &Target, url: &Url, port: u16) -> Result<(), FetchError> {
        if !self.allow.listens_everywhere_on(port) {
            return Ok(());
        }
        let literal = match url.host() {
            Some(Host::Ipv4(address)) => Some(IpAddr::V4(address)),
            Some(Host::Ipv6(address)) => Some(IpAddr::V6(address)),
            _ => None,
        };
        let vetted = target.pin.as_ref().map_or(&[][..], |pin| &pin.addresses);
        let own = vetted.iter().chain(&literal).find(|address| {
            !self.allow.lists_exactly(SocketAddr::new(**address, port))
                && is_of_this_machine(**address)
        });
        match own {
            Some(_) => {
                let message = format!(
                    "{} is an address on which this service listens",
                    target.host
                );
                Err(FetchError::new(FetchErrorKind::NotAllowed, message))
            }
            None => Ok(()),
        }
    }

    /// The host of a URL that passes both gates, and the addresses to which a connection may go.
    pub(super) async fn vetted(&self, url: &Url) -> Result<(String, Arc<[IpAddr]>), FetchError> {
        let target = self.gate(url).await?;
        match (target.pin, url.host()) {
            (Some(pin), _) => Ok((pin.host, pin.addresses)),
            (None, Some(Host::Ipv4(address))) => Ok((target.host, Arc::from([address.into()]))),
            (None, Some(Host::Ipv6(address))) => Ok((target.host, Arc::from([address.into()]))),
            (None, Some(Host::Domain(_)) | None) => Err(FetchError::new(
                FetchErrorKind::NotAllowed,
                "the host was not vetted",
            )),
        }
    }

    /// What the TLS endpoint presents. None through a proxy, because the endpoint is not visible there.
    async fn endpoint(&self, url: Url) -> Option<TlsFacts> {
        if self.proxy.is_some() {
            return None;
        }
        let (host, addresses) = self.vetted(&url).await.ok()?;
        let endpoint = Endpoint {
            host: &host,
            addresses: &addresses,
            port: url.port_or_known_default()?,
            patience: self.connect_timeout,
        };
        endpoint.inspect().await
    }

    async fn send(&self, request: &Request) -> Result<reqwest::Response, reqwest::Error> {
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Head => reqwest::Method::HEAD,
        };
        let client = match request.certificate {
            CertificatePolicy::Trusted => &self.client,
            CertificatePolicy::Any => &self.unverified,
        };
        client
            .request(method, without_fragment(&request.url))
            .headers(self.headers_of(request))
            .send()
            .await
    }

    /// The client's default headers. Headers of the request replace those with the same name, except
    /// `Accept-Encoding`: the client must be able to decode the response.
    fn headers_of(&self, request: &Request) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(request.accept));
        for (name, value) in &request.headers {
            if let (Ok(name), Ok(mut value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_str(value),
            ) {
                // It may be a credential: it is not logged, and HTTP/2 does not put it into its header tables.
                value.set_sensitive(name != USER_AGENT);
                headers.insert(name, value);
            }
        }
        let encodings = HeaderValue::from_static(coding::ACCEPT_ENCODING);
        headers.insert(ACCEPT_ENCODING, encodings);
        headers
    }

    /// Verifies that the connection went to a vetted address. Otherwise the response is discarded.
    pub(super) fn check_peer(
        &self,
        answer: &reqwest::Response,
        url: &Url,
    ) -> Result<(), FetchError> {
        if self.proxy.is_some() {
            return Ok(());
        }
        let Some(peer) = answer.remote_addr() else {
            let message = "where the connection went is not known";
            return Err(FetchError::new(FetchErrorKind::NotAllowed, message));
        };
        self.check_address(peer, url)
    }

    /// Verifies the address of a peer again, after the connection.
    pub(super) fn check_address(&self, peer: SocketAddr, url: &Url) -> Result<(), FetchError> {
        let name = match url.host() {
            Some(Host::Domain(name)) => Some(name),
            _ => None,
        };
        gate_address(peer.ip(), peer.port(), name, &self.allow)
            .map_err(|error| FetchError::new(FetchErrorKind::NotAllowed, error.to_string()))
    }
}

/// A target that passed both gates.
pub(super) struct Target {
    /// The host, for messages.
    pub(super) host: String,
    /// The addresses that the name resolved to; none for a literal address.
    pub(super) pin: Option<Pin>,
}

impl Fetcher for GuardedFetcher {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(self.exchange(request))
    }

    fn inspect_tls(&self, url: Url) -> TlsFuture<'_> {
        Box::pin(self.endpoint(url))
    }
}

/// Creates a client that connects only to addresses that the resolver vetted.
fn client(
    options: &EgressOptions,
    resolver: &Arc<GuardedResolver>,
    certificates: CertificatePolicy,
) -> Result<reqwest::Client, EgressError> {
    let hook = ClientResolver {
        proxy: options
            .proxy
            .as_ref()
            .map(|proxy| (proxy.host().to_owned(), Arc::clone(resolver))),
    };
    let mut builder = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .connect_timeout(options.connect_timeout)
        .pool_idle_timeout(IDLE_TIMEOUT)
        .pool_max_idle_per_host(64)
        .http1_max_headers(MAX_HEADERS)
        .http2_max_header_list_size(MAX_HEADER_LIST_BYTES)
        .dns_resolver(hook)
        .tls_danger_accept_invalid_certs(certificates == CertificatePolicy::Any);
    for pem in &options.extra_ca_pem {
        let authorities = reqwest::Certificate::from_pem_bundle(pem)
            .map_err(|error| EgressError::Authority(error.to_string()))?;
        builder = builder.tls_certs_merge(authorities);
    }
    if let Some(proxy) = &options.proxy {
        let proxy = reqwest::Proxy::all(proxy.url().clone());
        let proxy = proxy.map_err(|_| EgressError::Proxy(ProxyUrlError))?;
        builder = builder.proxy(proxy);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the egress guard owns the only client"
    )]
    let client = builder.build();
    client.map_err(|error| EgressError::Client(error.to_string()))
}

fn timed_out(host: &str, what: &str) -> FetchError {
    FetchError::new(FetchErrorKind::Timeout, format!("{host} {what}"))
}

fn body_limit(request: &Request, response: &Response) -> Option<u64> {
    if request.method == Method::Head {
        return None;
    }
    match request.body {
        BodyPolicy::Skip => None,
        BodyPolicy::UpTo(limit) => Some(limit),
        BodyPolicy::HtmlUpTo(limit) => {
            let html = response.is_html() || response.headers.get("content-type").is_none();
            (html && (200..300).contains(&response.status)).then_some(limit)
        }
    }
}

/// Reads at most `limit` bytes from the wire and decodes them to at most `limit` bytes. A body that ends early
/// or is too slow is kept up to that point and marked as truncated.
async fn read_body(
    mut answer: reqwest::Response,
    response: &mut Response,
    limit: u64,
    mut deadline: tokio::time::Instant,
    permits: Option<&LargeBodyPermits>,
) {
    let mut reading = Reading::new(response.headers.get_all("content-encoding"), limit);
    let arrived_whole = loop {
        let piece = match tokio::time::timeout_at(deadline, answer.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => break true,
            Ok(Err(_)) | Err(_) => break false,
        };
        if reading.held() > LARGE_BODY {
            deadline += acquire_permit(response, permits).await;
        }
        let flow = reading.take(piece);
        if work(&mut reading, flow).await.is_break() {
            break true;
        }
    };
    if reading.expected() > LARGE_BODY {
        acquire_permit(response, permits).await;
    }
    let mut flow = reading.end(arrived_whole);
    while flow == Flow::Continue(Next::Work) {
        flow = reading.work();
        if flow == Flow::Continue(Next::Work) {
            // The body may be longer than the declared length.
            if reading.held() > LARGE_BODY {
                acquire_permit(response, permits).await;
            }
            tokio::task::yield_now().await;
        }
    }
    let read = reading.finish();
    response.wire_bytes = read.wire_bytes;
    response.body = read.body;
    response.truncated = read.truncated;
}

/// Acquires a permit for the body, unless it has one. Returns the waiting time, which does not count towards
/// the server's response time.
async fn acquire_permit(response: &mut Response, permits: Option<&LargeBodyPermits>) -> Duration {
    let begun = tokio::time::Instant::now();
    if let Some(permits) = permits.filter(|_| response.large_body_permit.is_none()) {
        response.large_body_permit = Some(permits.acquire().await);
    }
    begun.elapsed()
}

/// Decodes step by step, so that a large body does not block other tasks.
async fn work(reading: &mut Reading, mut flow: Flow) -> Flow {
    while flow == Flow::Continue(Next::Work) {
        flow = reading.work();
        if flow == Flow::Continue(Next::Work) {
            tokio::task::yield_now().await;
        }
    }
    flow
}

/// Values that are not UTF-8 are read as ISO 8859-1, the traditional encoding of HTTP headers.
fn headers(answer: &reqwest::Response) -> Headers {
    let fields = answer.headers();
    let bytes = fields
        .iter()
        .map(|(name, value)| name.as_str().len() + value.len())
        .sum();
    let mut headers = Headers::with_room_for(fields.len(), bytes);
    for (name, value) in fields {
        match std::str::from_utf8(value.as_bytes()) {
            Ok(value) => headers.push(name.as_str(), value),
            Err(_) => {
                let bytes = value.as_bytes().iter();
                let value: String = bytes.map(|byte| char::from(*byte)).collect();
                headers.push(name.as_str(), value);
            }
        }
    }
    headers
}

fn version(version: reqwest::Version) -> HttpVersion {
    match version {
        reqwest::Version::HTTP_2 => HttpVersion::Http2,
        reqwest::Version::HTTP_3 => HttpVersion::Http3,
        reqwest::Version::HTTP_11 => HttpVersion::Http11,
        _ => HttpVersion::Http10,
    }
}

/// Why the client could not be created.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// A certificate authority is invalid.
    #[error("an additional certificate authority is not a PEM certificate: {0}")]
    Authority(String),
    /// The resolver could not be created.
    #[error("the DNS resolver could not be created: {0}")]
    NameServers(String),
    /// The proxy cannot be used.
    #[error(transparent)]
    Proxy(ProxyUrlError),
    /// The user agent is not a valid header value.
    #[error("the user agent {0:?} has characters that are invalid in a header")]
    UserAgent(String),
    /// The HTTP client could not be created.
    #[error("the HTTP client could not be created: {0}")]
    Client(String),
}
