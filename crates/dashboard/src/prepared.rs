//! A reply as it is sent: compressed, with the headers that all replies have.

use actix_web::cookie::Cookie;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use domain::artifact::ARTIFACT_MEDIA_TYPE;
use httpkit::compression;
use httpkit::run_events::RunWatch;

use crate::reply::{Content, Reply};

/// Only files of this service, no inline script or style, no frame (CSP Level 3).
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A page of another site that opens one of ours in a window cannot reach that window.
const OPENER_POLICY: (HeaderName, HeaderValue) = (
    header::CROSS_ORIGIN_OPENER_POLICY,
    HeaderValue::from_static("same-origin"),
);

/// No page uses a device. The copy buttons write to the clipboard, which is not restricted here.
const PERMISSIONS_POLICY: (HeaderName, HeaderValue) = (
    header::PERMISSIONS_POLICY,
    HeaderValue::from_static(
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
);

/// One year, as the preload list asks for.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000");

/// With `no-referrer` browsers send the forms of a page with `Origin: null`.
const REFERRER_POLICY: HeaderValue = HeaderValue::from_static("same-origin");

/// A picture never changes, and only who may read its report may read it.
const PICTURE_CACHING: HeaderValue = HeaderValue::from_static("private, max-age=86400, immutable");

/// A browser that opens a picture runs and loads nothing.
const PICTURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'; sandbox");

const HTML: &str = "text/html; charset=utf-8";
/// A PDF is compressed by itself.
const PDF: &str = "application/pdf";

/// A reply that only needs to be sent.
pub(crate) enum Prepared {
    /// A response with all its bytes.
    Whole(Box<Whole>),
    /// The events of a run, as they happen. They are not compressed, which would hold them back.
    Events(Box<RunWatch>),
}

/// A response with all its bytes.
pub(crate) struct Whole {
    status: StatusCode,
    kind: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Vec<u8>,
    cookie: Option<Cookie<'static>>,
}

impl Prepared {
    /// Prepares a reply. Compressing a large one takes a moment of CPU time.
    pub(crate) fn new(reply: Reply, takes_gzip: bool) -> Self {
        let mut headers = vec![(header::REFERRER_POLICY, REFERRER_POLICY)];
        if let Some(wait) = reply.retry_after {
            headers.push((header::RETRY_AFTER, wait.as_secs().max(1).into()));
        }
        let (status, kind, mut body) = match reply.content {
            Content::Page { status, html } => (status, HTML.to_owned(), html.into_bytes()),
            Content::Text { media_type, text } => {
                (StatusCode::OK, media_type.to_owned(), text.into_bytes())
            }
            Content::Redirect(path) => {
                headers.extend(value(&path).map(|path| (header::LOCATION, path)));
                let kind = "text/plain; charset=utf-8".to_owned();
                (StatusCode::SEE_OTHER, kind, Vec::new())
            }
            Content::File {
                media_type,
                name,
                bytes,
            } => {
                let disposition = value(&format!("attachment; filename=\"{name}\""));
                headers.extend(disposition.map(|name| (header::CONTENT_DISPOSITION, name)));
                (StatusCode::OK, media_type, bytes)
            }
            Content::Picture(jpeg) => {
                headers.push((header::CACHE_CONTROL, PICTURE_CACHING));
                headers.push((header::CONTENT_SECURITY_POLICY, PICTURE_POLICY));
                (StatusCode::OK, ARTIFACT_MEDIA_TYPE.to_owned(), jpeg)
            }
            Content::Events(watch) => return Self::Events(watch),
        };
        if kind != PDF && kind != ARTIFACT_MEDIA_TYPE {
            compression::compress(&mut body, &mut headers, takes_gzip);
        }
        Self::Whole(Box::new(Whole {
            status,
            kind,
            headers,
            body,
            cookie: reply.cookie,
        }))
    }

    /// The response.
    pub(crate) fn respond(self, request: &HttpRequest, is_https: bool) -> HttpResponse {
        match self {
            Self::Whole(whole) => whole.respond(is_https),
            Self::Events(watch) => watch.respond(request),
        }
    }
}

impl Whole {
    /// A page that is not compressed.
    pub(crate) fn page(status: StatusCode, html: String) -> Self {
        Self {
            status,
            kind: HTML.to_owned(),
            headers: vec![(header::REFERRER_POLICY, REFERRER_POLICY)],
            body: html.into_bytes(),
            cookie: None,
        }
    }

    /// The response.
    pub(crate) fn respond(self, is_https: bool) -> HttpResponse {
        let mut response = HttpResponse::build(self.status);
        response.insert_header((header::CONTENT_TYPE, self.kind));
        response.insert_header((header::CONTENT_SECURITY_POLICY, POLICY));
        response.insert_header(OPENER_POLICY);
        response.insert_header(PERMISSIONS_POLICY);
        if is_https {
            response.insert_header((header::STRICT_TRANSPORT_SECURITY, HSTS));
        }
        for header in self.headers {
            response.insert_header(header);
        }
        if let Some(cookie) = self.cookie {
            response.cookie(cookie);
        }
        response.body(Bytes::from(self.body))
    }
}

/// The text as a header; none for one that cannot be, which no path and no file name of ours is.
fn value(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_str(text).ok()
}
