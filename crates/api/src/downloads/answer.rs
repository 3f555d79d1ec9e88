//! The response for a document: all of it, a range, or 304.

use std::ops::Range;

use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};

use super::range::range;
use crate::documents::Document;

/// A link is for one person, and its content must not be cached beyond its expiry.
const NEVER_STORED: &str = "private, no-store";

/// The part of a document in the response.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing: the caller has the current version.
    Known,
    /// The whole document.
    Whole,
    /// A range of bytes.
    Part(Range<usize>),
}

impl Shape {
    /// Evaluates the conditional headers in the order of RFC 9110, section 13.2.2.
    pub(super) fn new(method: &Method, headers: &HeaderMap, document: &Document) -> Self {
        if knows(headers, &document.etag) {
            return Self::Known;
        }
        // Ranges are defined only for GET.
        if *method != Method::GET || !range_is_wanted(headers, &document.etag) {
            return Self::Whole;
        }
        only(headers, &header::RANGE)
            .and_then(|header| range(header, document.bytes.len()))
            .map_or(Self::Whole, Self::Part)
    }

    /// Whether the response contains any bytes of the document.
    pub(super) const fn has_bytes(&self) -> bool {
        match self {
            Self::Known => false,
            Self::Whole | Self::Part(_) => true,
        }
    }

    /// The response.
    pub(super) fn respond(self, document: &Document) -> HttpResponse {
        match self {
            Self::Known => response(StatusCode::NOT_MODIFIED, document).finish(),
            Self::Whole => content(StatusCode::OK, document).body(Bytes::clone(&document.bytes)),
            Self::Part(range) => {
                let (first, last) = (range.start, range.end.saturating_sub(1));
                let place = format!("bytes {first}-{last}/{}", document.bytes.len());
                content(StatusCode::PARTIAL_CONTENT, document)
                    .insert_header((header::CONTENT_RANGE, place))
                    .body(document.bytes.slice(range))
            }
        }
    }
}

fn response(status: StatusCode, document: &Document) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    response
        .insert_header((header::ETAG, document.etag.as_str()))
        .insert_header((header::CACHE_CONTROL, NEVER_STORED))
        .insert_header((header::ACCEPT_RANGES, "bytes"));
    response
}

fn content(status: StatusCode, document: &Document) -> HttpResponseBuilder {
    let saved_as = format!("attachment; filename=\"{}\"", document.file_name);
    let mut response = response(status, document);
    response
        .content_type("application/pdf")
        .insert_header((header::CONTENT_DISPOSITION, saved_as));
    response
}

/// Whether `If-None-Match` matches the document by weak comparison, or is `*`.
fn knows(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == etag)
}

/// Whether `If-Range` allows a range: it must match the entity tag by strong comparison. A date never matches,
/// because responses have no `Last-Modified`.
fn range_is_wanted(headers: &HeaderMap, etag: &str) -> bool {
    !headers.contains_key(header::IF_RANGE)
        || only(headers, &header::IF_RANGE).is_some_and(|known| known.trim() == etag)
}

/// The value of a header that occurs exactly once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name);
    let only: Option<&HeaderValue> = values.next();
    only.filter(|_| values.next().is_none())?.to_str().ok()
}
