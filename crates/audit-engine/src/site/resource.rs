//! A resource that pages load.

use bytes::Bytes;
use url::Url;

use super::UrlId;
use crate::algorithms::pixels::Pixels;
use crate::gather::{FetchErrorKind, Headers};
use crate::page::ResourceKind;

/// A resource that was requested. Bodies of scripts and style sheets are kept up to 1 MiB.
#[derive(Debug, Clone)]
pub struct ResourceFacts {
    /// Its id in the URL table.
    pub id: UrlId,
    /// Its URL.
    pub url: Url,
    /// Whether it belongs to the site.
    pub internal: bool,
    /// How pages use it.
    pub kind: ResourceKind,
    /// The first page that uses it, by its URL.
    pub first_page: Url,
    /// How many audited pages use it.
    pub pages: u64,
    /// The status code after redirects, or why there is none.
    pub status: Result<u16, FetchErrorKind>,
    /// Headers of the last response.
    pub headers: Headers,
    /// Bytes over the wire.
    pub wire_bytes: u64,
    /// Bytes of the decoded body.
    pub bytes: u64,
    /// The size of an image in pixels, if its file declares it.
    pub pixels: Option<Pixels>,
    /// Bytes of removable comments and white space of a script or style sheet that is larger than its kept part;
    /// none if it is kept, was not read completely, or cannot be tokenized.
    pub waste: Option<u64>,
    /// The first bytes: of scripts and style sheets up to 1 MiB, of others 64.
    pub body: Bytes,
}

impl ResourceFacts {
    /// A style sheet with this text, for tests.
    #[cfg(test)]
    pub(crate) fn of_body(url: &Url, body: &'static str) -> Self {
        Self {
            id: super::UrlTable::default().intern(url, true),
            url: url.clone(),
            internal: true,
            kind: ResourceKind::Stylesheet,
            first_page: url.clone(),
            pages: 1,
            status: Ok(200),
            headers: Headers::new(),
            wire_bytes: u64::try_from(body.len()).unwrap_or(u64::MAX),
            bytes: u64::try_from(body.len()).unwrap_or(u64::MAX),
            pixels: None,
            waste: None,
            body: Bytes::from_static(body.as_bytes()),
        }
    }

    /// Whether the response was 2xx.
    #[must_use]
    pub fn ok(&self) -> bool {
        matches!(self.status, Ok(200..=299))
    }
}
