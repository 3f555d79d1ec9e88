//! One file that a page loads, requested and kept in part.

use bytes::Bytes;
use url::Url;

use super::exchange::Exchange;
use super::follow::follow;
use crate::algorithms::pixels::Pixels;
use crate::bounds::MAX_RESOURCE_HEADER_BYTES;
use crate::bounds::crawl::MAX_RESOURCE_BYTES;
use crate::common::documents::minified::{css_waste, js_waste};
use crate::gather::{FetchErrorKind, Headers, Request, Response};
use crate::page::ResourceKind;

/// Bytes kept of one script or style sheet.
const KEPT_EACH: usize = 1024 * 1024;
/// Bytes kept of any other resource: enough to identify its type.
pub(crate) const KEPT_START: usize = 64;

/// The response of a resource.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) status: Result<u16, FetchErrorKind>,
    pub(crate) headers: Headers,
    pub(crate) wire_bytes: u64,
    pub(crate) bytes: u64,
    pub(crate) pixels: Option<Pixels>,
    /// Bytes of removable comments and white space of a script or style sheet that is too large to be kept; none
    /// if it is kept, was not read completely, or cannot be tokenized.
    pub(crate) waste: Option<u64>,
    /// The first bytes of the body, as many as are kept for this kind of resource.
    pub(crate) body: Bytes,
    /// The URL that responded.
    pub(crate) base: Url,
    pub(crate) is_cut: bool,
    /// Whether the body was dropped because of the memory limit.
    is_dropped: bool,
}

/// The first bytes of a body. A slice would keep the whole body alive.
pub(crate) fn start_of(body: &Bytes, most: usize) -> Bytes {
    Bytes::copy_from_slice(body.get(..most).unwrap_or(body))
}

impl File {
    /// Whether it responded, and the whole body is kept.
    pub(crate) fn is_read_whole(&self) -> bool {
        let kept = u64::try_from(self.body.len()).unwrap_or(u64::MAX);
        matches!(self.status, Ok(200..=299)) && !self.is_cut && kept == self.bytes
    }

    /// Bytes of the body that are kept.
    pub(crate) const fn kept_bytes(&self) -> usize {
        self.body.len()
    }

    /// Keeps only the start of the body, as for a resource that is not text.
    pub(crate) fn drop_body(&mut self) {
        self.body = start_of(&self.body, KEPT_START);
        self.is_dropped = true;
    }

    /// Whether the body was dropped because of the memory limit.
    pub(crate) const fn is_dropped(&self) -> bool {
        self.is_dropped
    }

    /// The kept part of the body as text.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Requests a resource, with up to five redirects.
pub(crate) async fn fetch(
    exchange: &Exchange,
    url: &Url,
    kind: ResourceKind,
    may_request: impl Fn(&Url) -> bool,
) -> File {
    let request = Request::get(url.clone(), MAX_RESOURCE_BYTES);
    let followed = follow(exchange, request, 5, may_request).await;
    match followed.answer {
        Ok(response) => {
            let most = match kind {
                ResourceKind::Script | ResourceKind::Stylesheet => KEPT_EACH,
                _ => KEPT_START,
            };
            File {
                status: Ok(response.status),
                wire_bytes: response.wire_bytes,
                pixels: pixels(kind, &response.body),
                waste: waste_of_large(kind, &response),
                bytes: u64::try_from(response.body.len()).unwrap_or(u64::MAX),
                body: start_of(&response.body, most),
                headers: response.headers.within(MAX_RESOURCE_HEADER_BYTES),
                base: response.url,
                is_cut: response.truncated,
                is_dropped: false,
            }
        }
        Err(error) => File {
            status: Err(error.kind),
            headers: Headers::new(),
            wire_bytes: 0,
            bytes: 0,
            pixels: None,
            waste: None,
            body: Bytes::new(),
            base: url.clone(),
            is_cut: false,
            is_dropped: false,
        },
    }
}

/// The waste of a file whose end is dropped, counted while the whole body is at hand.
fn waste_of_large(kind: ResourceKind, response: &Response) -> Option<u64> {
    if response.truncated || response.body.len() <= KEPT_EACH {
        return None;
    }
    let text = String::from_utf8_lossy(&response.body);
    let waste = match kind {
        ResourceKind::Script => js_waste(&text),
        ResourceKind::Stylesheet => css_waste(&text),
        _ => None,
    };
    u64::try_from(waste?).ok()
}

fn pixels(kind: ResourceKind, body: &[u8]) -> Option<Pixels> {
    let is_image = kind == ResourceKind::Image || kind.is_preview();
    is_image.then(|| Pixels::decode(body))?
}
