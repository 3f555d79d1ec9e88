//! Builds pages from text.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use super::Page;
use crate::address::SiteKey;
use crate::gather::{Headers, HttpVersion, RECORDING_BASE};
use crate::page::{Document, decode};
use crate::style::{Condition, HidingClasses, LinkedScripts, LinkedSheet, LinkedSheets};

/// Builds a [`Page`] from text, for tests and for evaluating a single document.
#[derive(Debug, Clone, Default)]
pub struct PageBuilder {
    url: Option<Url>,
    status: Option<u16>,
    headers: Headers,
    sheets: Vec<(String, String)>,
    scripts: Vec<(String, String)>,
}

impl PageBuilder {
    /// The URL of the page, `https://example.com/` by default. A text that is not an absolute URL is resolved
    /// against that.
    #[must_use]
    pub fn url(mut self, url: &str) -> Self {
        self.url = default_url().and_then(|base| base.join(url).ok());
        self
    }

    /// The status code, 200 by default.
    #[must_use]
    pub const fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Adds a response header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push(name, value);
        self
    }

    /// The style sheet at a URL, which may be relative to the page's own. Used if the page links to it.
    #[must_use]
    pub fn sheet(mut self, url: &str, css: &str) -> Self {
        self.sheets.push((url.to_owned(), css.to_owned()));
        self
    }

    /// The script at a URL, which may be relative to the page's own. Used if the page loads it.
    #[must_use]
    pub fn script(mut self, url: &str, text: &str) -> Self {
        self.scripts.push((url.to_owned(), text.to_owned()));
        self
    }

    /// The page with this source, in UTF-8 unless a header declares another encoding.
    ///
    /// # Panics
    /// As [`Self::body`].
    #[must_use]
    pub fn html(self, source: &str) -> Page {
        self.body(source.as_bytes())
    }

    /// The page with these bytes, in the encoding that they or a header declare.
    ///
    /// # Panics
    /// If the URL has no host.
    #[must_use]
    pub fn body(self, bytes: &[u8]) -> Page {
        let url = self.url.or_else(default_url);
        #[expect(clippy::expect_used, reason = "the default is a constant with a host")]
        let (url, site) = url
            .and_then(|url| SiteKey::from_url(&url).map(|site| (url, site)))
            .expect("the URL of a page has a host");
        let sheets = self.sheets.iter().filter_map(|(address, css)| {
            let address = url.join(address).ok()?;
            let sheet = LinkedSheet::read([(Condition::ALWAYS, &**css, &address)])?;
            Some((address, Arc::new(sheet)))
        });
        let sheets: LinkedSheets = sheets.collect();
        let scripts = self.scripts.iter().filter_map(|(address, text)| {
            Some((url.join(address).ok()?, HidingClasses::named_by(text)))
        });
        let scripts: HashMap<Url, HidingClasses> = scripts.collect();
        let decoded = decode(bytes, self.headers.get("content-type"));
        let bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let document = Document {
            url,
            status: self.status.unwrap_or(200),
            headers: self.headers,
            version: HttpVersion::Http2,
            wire_bytes: bytes,
            time_to_first_byte: Duration::ZERO,
            bytes,
            truncated: false,
            encoding: decoded.encoding,
            encoding_source: decoded.source,
        };
        let page = Page::new(document, site, decoded.text).with_sheets(sheets);
        let found = page.linked_scripts().map(|url| scripts.get(url).copied());
        let scripts = LinkedScripts::of(found);
        page.with_scripts(scripts)
    }
}

fn default_url() -> Option<Url> {
    Url::parse(RECORDING_BASE).ok()
}
