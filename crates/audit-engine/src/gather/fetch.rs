//! One HTTP exchange: the request and the response.

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
    /// Requests headers and body.
    Get,
    /// Requests only the headers.
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
    /// Every body, up to this many decoded bytes.
    UpTo(u64),
    /// Only HTML of a successful response, up to this many decoded bytes. Other responses end after their
    /// headers.
    HtmlUpTo(u64),
    /// None.
    Skip,
}

/// A request for one URL. Redirects are not followed. `Debug` shows only the names of its headers, because
/// their values may be secret.
#[derive(Clone)]
pub struct Request {
    /// The requested URL. Its fragment is not sent.
    pub url: Url,
    /// The method.
    pub method: Method,
    /// The `Accept` header.
    pub accept: &'static str,
    /// Further request headers, with lower-case names. They replace the client's own.
    pub headers: Vec<(String, String)>,
    /// Which bodies are read.
    pub body: BodyPolicy,
    /// The permits for large bodies. A large body acquires one before more of it is read.
    pub large_body_permits: Option<LargeBodyPermits>,
    /// Whether the server's certificate is verified. Without verification anyone on the network can read the
    /// request and replace the response: such a request has no headers of the caller.
    pub certificate: CertificatePolicy,
}

/// Which certificates of a server are accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CertificatePolicy {
    /// Those that browsers accept.
    #[default]
    Trusted,
    /// All, so that a site whose certificate is invalid can be audited.
    Any,
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

/// The `Accept` header for a page, as a browser would send it.
pub const ACCEPT_PAGE: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
/// The `Accept` header for any type.
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
            certificate: CertificatePolicy::Trusted,
        }
    }

    /// A GET for a page: reads the body only if the response is HTML.
    #[must_use]
    pub const fn page(url: Url, max_bytes: u64) -> Self {
        Self {
            url,
            method: Method::Get,
            accept: ACCEPT_PAGE,
            headers: Vec::new(),
            body: BodyPolicy::HtmlUpTo(max_bytes),
            large_body_permits: None,
            certificate: CertificatePolicy::Trusted,
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
            certificate: CertificatePolicy::Trusted,
        }
    }

    /// The same request. Its body acquires one of these permits if it is large.
    #[must_use]
    pub fn with_large_body_permits(mut self, permits: &LargeBodyPermits) -> Self {
        self.large_body_permits = Some(permits.clone());
        self
    }
}

/// The HTTP version of a response.
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

/// A response with its decoded body.
#[derive(Debug, Clone)]
pub struct Response {
    /// The URL that responded.
    pub url: Url,
    /// The status code.
    pub status: u16,
    /// The headers as received, including `Content-Encoding`.
    pub headers: Headers,
    /// The decoded body; empty if the request's policy skipped it.
    pub body: Bytes,
    /// Bytes of the body over the wire. For a skipped body the value of `Content-Length`, else 0.
    pub wire_bytes: u64,
    /// Whether the rest of the body is missing, because it was longer than the policy allows or ended early.
    pub truncated: bool,
    /// The HTTP version.
    pub version: HttpVersion,
    /// The time from sending the request to the first byte of the response.
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

    /// Whether the media type is HTML or XHTML. A response without one counts if its body begins like an HTML
    /// document.
    #[must_use]
    pub fn is_html(&self) -> bool {
        is_html_type(&self.media_type())
            || (self.headers.get("content-type").is_none() && looks_like_html(&self.body))
    }

    /// The target of a redirect, resolved against the URL that responded.
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
    /// Longest media type, in characters (RFC 6838, section 4.2: two names of 127). Longer ones are cut.
    const MAX_CHARS: usize = 255;
    content_type
        .and_then(|value| value.split(';').next())
        .map(|value| {
            let value = value.trim().chars().take(MAX_CHARS);
            value.map(|c| c.to_ascii_lowercase()).collect()
        })
        .unwrap_or_default()
}

/// The first parameter of this name in a `Content-Type` value, by the grammar of RFC 9110, section 5.6.6: without
/// white space around the equals sign, and quoted by double quotes only. Other parameters are skipped.
#[must_use]
pub fn media_type_parameter(content_type: &str, name: &str) -> Option<String> {
    let (_, mut rest) = content_type.split_once(';')?;
    loop {
        rest = rest.trim_start_matches(OPTIONAL_WHITE_SPACE);
        let (found, after) = split_token(rest);
        let value = after
            .strip_prefix('=')
            .filter(|_| !found.is_empty())
            .and_then(parameter_value);
        if let Some((value, after)) = value {
            let after = after.trim_start_matches(OPTIONAL_WHITE_SPACE);
            let is_complete = after.is_empty() || after.starts_with(';');
            if is_complete && found.eq_ignore_ascii_case(name) {
                return Some(value);
            }
            rest = after;
        } else if after.starts_with("=\"") {
            // The quote has no end.
            return None;
        }
        rest = rest.split_once(';')?.1;
    }
}

const OPTIONAL_WHITE_SPACE: [char; 2] = [' ', '\t'];

/// The value at the start of the text, unquoted, and the text after it.
fn parameter_value(text: &str) -> Option<(String, &str)> {
    let Some(inner) = text.strip_prefix('"') else {
        let (token, after) = split_token(text);
        return (!token.is_empty()).then(|| (token.to_owned(), after));
    };
    let mut value = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Some((value, chars.as_str())),
            '\\' => value.push(chars.next()?),
            _ => value.push(c),
        }
    }
    None
}

/// The token at the start of the text (RFC 9110, section 5.6.2), and the text after it.
fn split_token(text: &str) -> (&str, &str) {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let end = text.find(|c| !is_token(c)).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
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
    /// No connection was established.
    Connect,
    /// The TLS handshake or the certificate failed.
    Tls,
    /// A timeout expired.
    Timeout,
    /// The response was not HTTP, or ended within the headers.
    Protocol,
    /// The gates forbid the target.
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

/// Why an exchange has no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FetchError {
    /// The phase.
    pub kind: FetchErrorKind,
    /// One sentence for people, without the addresses that the name resolved to.
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

/// A source of responses: the guarded HTTP client, or a recording in tests.
///
/// One call is one exchange: redirects are returned, never followed.
pub trait Fetcher: Send + Sync {
    /// Sends the request and reads the response.
    fn fetch(&self, request: Request) -> FetchFuture<'_>;

    /// Inspects what the TLS endpoint of the URL presents, without a request. None if it cannot be inspected.
    fn inspect_tls(&self, _: Url) -> TlsFuture<'_> {
        Box::pin(std::future::ready(None))
    }
}
