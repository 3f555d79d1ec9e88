//! The response of a server, valid or not.

use std::io::{self, Read};
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// The response of a server, valid or not.
///
/// ```
/// use testkit::TestResponse;
///
/// let page = TestResponse::html("<!doctype html><p>Hello").header("Cache-Control", "no-store").gzip();
/// let loops = TestResponse::redirect(302, "/again");
/// # let _ = (page, loops);
/// ```
#[derive(Debug, Clone)]
pub struct TestResponse {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) delay: Duration,
}

/// How the bytes after the headers are sent, or what happens instead of headers.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// With a `Content-Length`.
    Whole(Bytes),
    /// With chunked transfer coding.
    Chunked(Vec<Bytes>),
    /// With the `Content-Length` of the whole body; the connection ends after this number of bytes.
    CutAfter(Bytes, usize),
    /// Without a length, one byte at a time with a pause after each.
    Drip(Bytes, Duration),
    /// Without a length, the same bytes endlessly.
    Endless(Bytes),
    /// These bytes instead of a response, then the end of the connection.
    Raw(Bytes),
    /// These bytes instead of a response, one at a time with a pause after each.
    RawDrip(Bytes, Duration),
    /// The first bytes instead of a response, then the others endlessly with a pause before each repetition.
    RawEndless(Bytes, Bytes, Duration),
    /// With a `Content-Length`, this number of repetitions of the bytes.
    Repeated(Bytes, usize),
    /// These bytes instead of a response, then a connection reset.
    Reset(Bytes),
    /// Nothing, for as long as the client waits.
    Hang,
    /// The connection is closed immediately.
    Close,
}

impl TestResponse {
    /// A response with a body and its length, without other header fields.
    #[must_use]
    pub fn new(status: u16, body: impl Into<Bytes>) -> Self {
        Self::with(status, Body::Whole(body.into()))
    }

    /// An HTML document with status 200.
    #[must_use]
    pub fn html(body: impl Into<Bytes>) -> Self {
        Self::new(200, body).header("Content-Type", "text/html; charset=utf-8")
    }

    /// Plain text with status 200.
    #[must_use]
    pub fn text(body: impl Into<Bytes>) -> Self {
        Self::new(200, body).header("Content-Type", "text/plain; charset=utf-8")
    }

    /// A status code with a short HTML document.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            ..Self::html(format!(
                "<!doctype html><title>{status}</title><h1>{status}</h1>"
            ))
        }
    }

    /// A 404.
    #[must_use]
    pub fn not_found() -> Self {
        Self::status(404)
    }

    /// A redirect. A redirect to its own URL is a redirect loop.
    #[must_use]
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::new(status, Bytes::new()).header("Location", location)
    }

    /// A chunked response with status 200.
    #[must_use]
    pub fn chunked(chunks: impl IntoIterator<Item = impl Into<Bytes>>) -> Self {
        Self::page(Body::Chunked(chunks.into_iter().map(Into::into).collect()))
    }

    /// An HTML document that ends after `sent` bytes, although its declared length is larger.
    #[must_use]
    pub fn cut_after(body: impl Into<Bytes>, sent: usize) -> Self {
        Self::page(Body::CutAfter(body.into(), sent))
    }

    /// An HTML document that arrives one byte at a time with a pause after each.
    #[must_use]
    pub fn drip(body: impl Into<Bytes>, pause: Duration) -> Self {
        Self::page(Body::Drip(body.into(), pause))
    }

    /// An HTML document that repeats `piece` for as long as the client reads.
    #[must_use]
    pub fn endless(piece: impl Into<Bytes>) -> Self {
        Self::page(Body::Endless(piece.into()))
    }

    /// An HTML document of `decoded_bytes` spaces, compressed about a thousandfold.
    #[must_use]
    pub fn gzip_bomb(decoded_bytes: u64) -> Self {
        let packed = gzip(io::repeat(b' ').take(decoded_bytes));
        Self::html(packed).header("Content-Encoding", "gzip")
    }

    /// Raw bytes, such as an invalid response; then the connection ends.
    #[must_use]
    pub fn raw(bytes: impl Into<Bytes>) -> Self {
        Self::with(200, Body::Raw(bytes.into()))
    }

    /// Raw bytes, one at a time with a pause after each: slow headers.
    #[must_use]
    pub fn raw_drip(bytes: impl Into<Bytes>, pause: Duration) -> Self {
        Self::with(200, Body::RawDrip(bytes.into(), pause))
    }

    /// Raw bytes, then others endlessly with a pause before each repetition, for as long as the client reads:
    /// endless headers, chunks and interim responses.
    #[must_use]
    pub fn raw_endless(
        beginning: impl Into<Bytes>,
        piece: impl Into<Bytes>,
        pause: Duration,
    ) -> Self {
        Self::with(200, Body::RawEndless(beginning.into(), piece.into(), pause))
    }

    /// A response with status 200 and `times` repetitions of `piece`. It is sent without being in memory as a
    /// whole.
    #[must_use]
    pub fn repeated(piece: impl Into<Bytes>, times: usize) -> Self {
        Self::with(200, Body::Repeated(piece.into(), times))
    }

    /// Raw bytes, then a connection reset.
    #[must_use]
    pub fn reset(beginning: impl Into<Bytes>) -> Self {
        Self::with(200, Body::Reset(beginning.into()))
    }

    /// No response, for as long as the client waits.
    #[must_use]
    pub fn hang() -> Self {
        Self::with(200, Body::Hang)
    }

    /// No response: the connection is closed immediately.
    #[must_use]
    pub fn close() -> Self {
        Self::with(200, Body::Close)
    }

    /// Adds a header field. The body determines `Content-Length` and `Transfer-Encoding`.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds `count` header fields of `value_bytes` bytes each.
    #[must_use]
    pub fn big_headers(self, count: usize, value_bytes: usize) -> Self {
        let value = "x".repeat(value_bytes);
        (0..count).fold(self, |response, number| {
            response.header(&format!("X-Filler-{number}"), &value)
        })
    }

    /// Compresses a whole body with gzip and declares it; other bodies are unchanged.
    #[must_use]
    pub fn gzip(mut self) -> Self {
        let Body::Whole(body) = &self.body else {
            return self;
        };
        self.body = Body::Whole(gzip(body.as_ref()).into());
        self.header("Content-Encoding", "gzip")
    }

    /// Waits before the first byte of the response.
    #[must_use]
    pub const fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    fn page(body: Body) -> Self {
        Self::with(200, body).header("Content-Type", "text/html; charset=utf-8")
    }

    const fn with(status: u16, body: Body) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body,
            delay: Duration::ZERO,
        }
    }

    /// The headers including the empty line. Also returns whether the connection ends after the body.
    pub(super) fn head(&self) -> (String, bool) {
        let (framing, ends) = match &self.body {
            Body::Whole(body) => (format!("Content-Length: {}\r\n", body.len()), false),
            Body::CutAfter(body, _) => (format!("Content-Length: {}\r\n", body.len()), true),
            Body::Repeated(piece, times) => (
                format!("Content-Length: {}\r\n", piece.len().saturating_mul(*times)),
                false,
            ),
            Body::Chunked(_) => ("Transfer-Encoding: chunked\r\n".to_owned(), false),
            _ => ("Connection: close\r\n".to_owned(), true),
        };
        let fields: String = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let head = format!("HTTP/1.1 {} Test\r\n{fields}{framing}\r\n", self.status);
        (head, ends)
    }
}

fn gzip(mut body: impl Read) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // This cannot fail, because it reads from and writes to memory.
    let _ = io::copy(&mut body, &mut encoder);
    encoder.finish().unwrap_or_default()
}
