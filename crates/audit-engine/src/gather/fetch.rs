//! One HTTP exchange, as the engine asks for it and sees it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use url::Url;

use super::{Headers, LargeBodyPermit, LargeBodyPermits, TlsFuture};

/// The request method. The engine never sends another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Asks for headers and body.
    Get,
    /// Asks for headers alone.
    Head,
}

impl Method {
    /// The name in the request line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
        }
    }
}

/// Which bodies are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyPolicy {
    /// Every body, up to so many decoded bytes.
    UpTo(u64),
    /// Only HTML of a successful answer, up to so many decoded bytes; other answers end after their headers.
    HtmlUpTo(u64),
    /// None.
    Skip,
}

/// A request for one URL. Redirects are not followed. `Debug` shows the names of its headers alone,
/// since their values may be secret.
#[derive(Clone)]
pub struct Request {
    /// What is asked for. Its fragment is not sent.
    pub url: Url,
    /// How.
    pub method: Method,
    /// The `Accept` header.
    pub accept: &'static str,
    /// Further request headers, names in lower case. They take the place of the client's own.
    pub headers: Vec<(String, String)>,
    /// Which bodies are read.
    pub body: BodyPolicy,
    /// The permits of which a large body acquires one before it is read on.
    pub large_body_permits: Option<LargeBodyPermits>,
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Request")
            .field("url", &self.url.as_str())
            .field("method", &self.method)
            .field("accept", &self.accept)
            .field("headers", &names)
            .field("body", &self.body)
            .finish()
    }
}

/// What a browser would accept for a page.
pub const ACCEPT_PAGE: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
/// Anything.
pub const ACCEPT_ANY: &str = "*/*";

impl Request {
    /// A GET that reads the whole body up to `max_bytes` decoded bytes.
    #[must_use]
    pub const fn get(url: Url, max_bytes: u64) -> Self {
        Self {
            url,
            method: Method::Get,
            accept: ACCEPT_ANY,
            headers: Vec::new(),
            body: BodyPolicy::UpTo(max_bytes),
            large_body_permits: None,
        }
    }

    /// A GET for a page: reads the body only when the answer is HTML.
    #[must_use]
    pub const fn page(url: Url, max_bytes: u64) -> Self {
        Self {
            url,
            method: Method::Get,
            accept: ACCEPT_PAGE,
            headers: Vec::new(),
            body: BodyPolicy::HtmlUpTo(max_bytes),
            large_body_permits: None,
        }
    }

    /// A HEAD.
    #[must_use]
    pub const fn head(url: Url) -> Self {
        Self {
            url,
            method: Method::Head,
            accept: ACCEPT_ANY,
            headers: Vec::new(),
            body: BodyPolicy::Skip,
            large_body_permits: None,
        }
    }

    /// The same request. Its body acquires one of these permits if it is large.
    #[must_use]
    pub fn with_large_body_permits(mut self, permits: &LargeBodyPermits) -> Self {
        self.large_body_permits = Some(permits.clone());
        self
    }
}

/// The HTTP version an answer came over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HttpVersion {
    /// HTTP/1.0 or older.
    Http10,
    /// HTTP/1.1.
    Http11,
    /// HTTP/2.
    Http2,
    /// HTTP/3.
    Http3,
}

/// An answer, its body decoded.
#[derive(Debug, Clone)]
pub struct Response {
    /// The URL that answered.
    pub url: Url,
    /// The status code.
    pub status: u16,
    /// The headers as they came, `Content-Encoding` included.
    pub headers: Headers,
    /// The body with content codings undone; empty where the request's policy skipped it.
    pub body: Bytes,
    /// Bytes of the body as they came over the wire; of a skipped body, what `Content-Length` says, else 0.
    pub wire_bytes: u64,
    /// Whether the body was longer than the policy allows, or ended early, and the rest is missing.
    pub truncated: bool,
    /// The HTTP version.
    pub version: HttpVersion,
    /// From the request written to the first byte of the answer.
    pub time_to_first_byte: Duration,
    /// The permit of a large body. Other large bodies wait until the response is dropped.
    pub large_body_permit: Option<LargeBodyPermit>,
}

impl Response {
    /// The media type without parameters, in lower case; empty when there is none.
    #[must_use]
    pub fn media_type(&self) -> String {
        media_type(self.headers.get("content-type"))
    }

    /// Whether the media type is HTML or XHTML. An answer without one counts when its body begins like a document.
    #[must_use]
    pub fn is_html(&self) -> bool {
        is_html_type(&self.media_type())
            || (self.headers.get("content-type").is_none() && looks_like_html(&self.body))
    }

    /// The target of a redirect answer, resolved against the URL that answered.
    #[must_use]
    pub fn redirect_target(&self) -> Option<Url> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        self.url.join(self.headers.get("location")?.trim()).ok()
    }
}

/// Whether a media type (lower case, no parameters) is HTML or XHTML.
#[must_use]
pub fn is_html_type(media_type: &str) -> bool {
    matches!(media_type, "text/html" | "application/xhtml+xml")
}

/// The media type of a `Content-Type` value without parameters, in lower case.
#[must_use]
pub fn media_type(content_type: Option<&str>) -> String {
    /// Longest media type that is told from others, in characters (RFC 6838, section 4.2: two names of 127).
    const MAX_CHARS: usize = 255;
    content_type
        .and_then(|value| value.split(';').next())
        .map(|value| {
            let value = value.trim().chars().take(MAX_CHARS);
            value.map(|c| c.to_ascii_lowercase()).collect()
        })
        .unwrap_or_default()
}

fn looks_like_html(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    [&b"<!doctype html"[..], b"<html", b"<head", b"<body"]
        .iter()
        .any(|prefix| {
            start
                .get(..prefix.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(prefix))
        })
}

/// The phase in which an exchange failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FetchErrorKind {
    /// The name has no address.
    Dns,
    /// No connection came about.
    Connect,
    /// The TLS handshake or the certificate failed.
    Tls,
    /// A deadline passed.
    Timeout,
    /// The answer was not HTTP, or ended in the middle of the headers.
    Protocol,
    /// The target is forbidden by the gates.
    NotAllowed,
}

impl FetchErrorKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Timeout => "timeout",
            Self::Protocol => "protocol",
            Self::NotAllowed => "not-allowed",
        }
    }
}

/// Why an exchange brought no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    /// The phase.
    pub kind: FetchErrorKind,
    /// One sentence for people, without addresses that the name resolved to.
    pub message: String,
}

impl FetchError {
    /// An error of that kind.
    pub fn new(kind: FetchErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for FetchErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The future of an exchange.
pub type FetchFuture<'a> = Pin<Box<dyn Future<Output = Result<Response, FetchError>> + Send + 'a>>;

/// Something that answers requests: the guarded HTTP client, or recorded answers in tests.
///
/// One call is one exchange: redirects are returned, never followed.
pub trait Fetcher: Send + Sync {
    /// Sends the request and reads the answer.
    fn fetch(&self, request: Request) -> FetchFuture<'_>;

    /// Looks at what the TLS endpoint behind the URL shows of itself, without a request. None where
    /// it cannot be looked at from here.
    fn inspect_tls(&self, _: Url) -> TlsFuture<'_> {
        Box::pin(std::future::ready(None))
    }
}
