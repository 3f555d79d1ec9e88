//! The head of a request that a browser sends to its proxy.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt};
use url::Url;

use crate::bounds::browser::{MAX_TUNNEL_HEAD_BYTES, MAX_TUNNEL_HEADERS};

/// Header fields that concern only the connection between browser and proxy (RFC 9110, section 7.6.1), and
/// `Host`, which the proxy writes from the target.
const NOT_FORWARDED: [&str; 8] = [
    "connection",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// What the browser asks of its proxy.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A connection to a host and port, for TLS or a WebSocket. The URL has neither path nor query.
    Connect(Url),
    /// One request in plain text.
    Plain(PlainRequest),
}

/// A request in plain text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PlainRequest {
    pub(super) url: Url,
    method: String,
    headers: Vec<(String, Vec<u8>)>,
    /// Bytes of the body.
    pub(super) body_bytes: u64,
}

impl Asked {
    pub(super) const fn url(&self) -> &Url {
        match self {
            Self::Connect(url) => url,
            Self::Plain(request) => &request.url,
        }
    }

    /// Parses a complete head; `None` if the proxy does not serve such a request.
    pub(super) fn parse(head: &[u8]) -> Option<Self> {
        let mut fields = [httparse::EMPTY_HEADER; MAX_TUNNEL_HEADERS];
        let mut request = httparse::Request::new(&mut fields);
        if !request.parse(head).ok()?.is_complete() {
            return None;
        }
        let (method, target) = (request.method?, request.path?);
        if method == "CONNECT" {
            return Some(Self::Connect(url_of_authority(target)?));
        }
        let url = Url::parse(target).ok()?;
        if url.scheme() != "http" {
            return None;
        }
        let named = |name: &'static str| {
            let fields = request.headers.iter();
            fields.filter(move |field| field.name.eq_ignore_ascii_case(name))
        };
        // Chromium writes lengths; a body of unknown length could hide a second request.
        if named("transfer-encoding").next().is_some() {
            return None;
        }
        let mut lengths = named("content-length");
        let body_bytes = match (lengths.next(), lengths.next()) {
            (None, _) => 0,
            (Some(length), None) => std::str::from_utf8(length.value).ok()?.parse().ok()?,
            (Some(_), Some(_)) => return None,
        };
        let forwarded = request.headers.iter().filter(|field| {
            let name = field.name;
            !NOT_FORWARDED
                .iter()
                .any(|own| own.eq_ignore_ascii_case(name))
        });
        let headers = forwarded
            .map(|field| (field.name.to_owned(), field.value.to_vec()))
            .collect();
        Some(Self::Plain(PlainRequest {
            url,
            method: method.to_owned(),
            headers,
            body_bytes,
        }))
    }
}

impl PlainRequest {
    /// The head for the site itself, or for a further proxy with its credentials. The connection ends with the
    /// response, so that it serves no second host.
    pub(super) fn head(&self, proxy: Option<&str>) -> Vec<u8> {
        let url = &self.url;
        let mut head = self.method.clone();
        head.push(' ');
        if proxy.is_some() {
            head.push_str(&url[..url::Position::BeforePath]);
        }
        head.push_str(&url[url::Position::BeforePath..url::Position::AfterQuery]);
        head.push_str(" HTTP/1.1\r\nHost: ");
        head.push_str(&url[url::Position::BeforeHost..url::Position::AfterPort]);
        head.push_str("\r\nConnection: close\r\n");
        if let Some(credentials) = proxy.filter(|credentials| !credentials.is_empty()) {
            head.push_str("Proxy-Authorization: ");
            head.push_str(credentials);
            head.push_str("\r\n");
        }
        let mut head = head.into_bytes();
        for (name, value) in &self.headers {
            head.extend_from_slice(name.as_bytes());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value);
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        head
    }
}

/// The URL of `host:port`. The scheme says nothing about what is sent.
fn url_of_authority(authority: &str) -> Option<Url> {
    let port: u16 = authority.rsplit_once(':')?.1.parse().ok()?;
    let scheme = if port == 80 { "http" } else { "https" };
    let url = Url::parse(&format!("{scheme}://{authority}/")).ok()?;
    let is_bare = url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty()
        && url.password().is_none()
        && url.port_or_known_default() == Some(port);
    is_bare.then_some(url)
}

/// Reads up to the end of a head. Returns the head, and the bytes after it.
pub(super) async fn read_head(
    from: &mut (impl AsyncRead + Unpin),
) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut read = Vec::new();
    let mut chunk = [0; 4_096];
    loop {
        let count = from.read(&mut chunk).await?;
        let Some(new @ [_, ..]) = chunk.get(..count) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        // The end may lie across two chunks.
        let searched = read.len().saturating_sub(3);
        read.extend_from_slice(new);
        let tail = read.get(searched..).unwrap_or_default();
        if let Some(end) = memchr::memmem::find(tail, b"\r\n\r\n") {
            let rest = read.split_off(searched + end + 4);
            return Ok((read, rest));
        }
        if read.len() >= MAX_TUNNEL_HEAD_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(head: &str) -> PlainRequest {
        match Asked::parse(head.as_bytes()) {
            Some(Asked::Plain(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_connection_is_asked_for_by_host_and_port() {
        for (authority, url) in [
            ("site.example:443", "https://site.example/"),
            ("site.example:80", "http://site.example/"),
            ("127.1:8443", "https://127.0.0.1:8443/"),
            ("[::1]:443", "https://[::1]/"),
        ] {
            let head = format!("CONNECT {authority} HTTP/1.1\r\nHost: other.example\r\n\r\n");
            let asked = Asked::parse(head.as_bytes()).unwrap();
            assert_eq!(
                asked,
                Asked::Connect(Url::parse(url).unwrap()),
                "{authority}"
            );
        }
    }

    #[test]
    fn an_authority_with_anything_else_is_refused() {
        for authority in [
            "site.example",
            "site.example:",
            "site.example:70000",
            "a@site.example:443",
            "site.example:443/path",
            "10.0.0.1/@site.example:443",
            "site.example?x:443",
            "site.example#x:443",
            ":443",
        ] {
            let head = format!("CONNECT {authority} HTTP/1.1\r\n\r\n");
            assert_eq!(Asked::parse(head.as_bytes()), None, "{authority}");
        }
    }

    #[test]
    fn a_plain_request_is_written_anew_for_the_host_of_its_target() {
        let request = plain(
            "POST http://site.example:8080/a?b=1 HTTP/1.1\r\nHost: inner.example\r\nProxy-Connection: keep-alive\r\nUpgrade: h2c\r\nCookie: a=b\r\nContent-Length: 3\r\n\r\n",
        );
        assert_eq!(request.body_bytes, 3);
        assert_eq!(
            String::from_utf8(request.head(None)).unwrap(),
            "POST /a?b=1 HTTP/1.1\r\nHost: site.example:8080\r\nConnection: close\r\nCookie: a=b\r\nContent-Length: 3\r\n\r\n"
        );
        assert_eq!(
            String::from_utf8(request.head(Some("Basic eA=="))).unwrap(),
            "POST http://site.example:8080/a?b=1 HTTP/1.1\r\nHost: site.example:8080\r\nConnection: close\r\nProxy-Authorization: Basic eA==\r\nCookie: a=b\r\nContent-Length: 3\r\n\r\n"
        );
    }

    #[test]
    fn requests_that_could_hide_another_are_refused() {
        for rest in [
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 1\r\nContent-Length: 2\r\n",
            "Content-Length: -1\r\n",
            "Content-Length: x\r\n",
        ] {
            let head = format!("POST http://site.example/ HTTP/1.1\r\n{rest}\r\n");
            assert_eq!(Asked::parse(head.as_bytes()), None, "{rest}");
        }
    }

    #[test]
    fn other_schemes_and_forms_are_refused() {
        for line in [
            "GET / HTTP/1.1",
            "GET https://site.example/ HTTP/1.1",
            "GET ftp://site.example/ HTTP/1.1",
            "GET file:///etc/passwd HTTP/1.1",
            "nonsense",
        ] {
            let head = format!("{line}\r\n\r\n");
            assert_eq!(Asked::parse(head.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_head_of_too_many_fields_is_refused() {
        let fields = |count| "a: b\r\n".repeat(count);
        let head = |count| format!("GET http://site.example/ HTTP/1.1\r\n{}\r\n", fields(count));
        assert!(Asked::parse(head(MAX_TUNNEL_HEADERS).as_bytes()).is_some());
        assert_eq!(Asked::parse(head(MAX_TUNNEL_HEADERS + 1).as_bytes()), None);
    }

    #[tokio::test]
    async fn a_head_ends_at_the_empty_line_and_at_the_limit() {
        let mut source = tokio_test_chunks(&["GET x\r\n\r", "\nbody"]);
        let (head, rest) = read_head(&mut source).await.unwrap();
        assert_eq!(
            (&head[..], &rest[..]),
            (&b"GET x\r\n\r\n"[..], &b"body"[..])
        );
        let long = "x".repeat(2 * MAX_TUNNEL_HEAD_BYTES);
        let error = read_head(&mut long.as_bytes()).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        let error = read_head(&mut &b"GET x\r\n"[..]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    /// A source that yields one chunk for each read.
    fn tokio_test_chunks(chunks: &'static [&'static str]) -> impl AsyncRead + Unpin {
        let [first, second] = chunks else {
            panic!("two chunks")
        };
        AsyncReadExt::chain(first.as_bytes(), second.as_bytes())
    }
}
