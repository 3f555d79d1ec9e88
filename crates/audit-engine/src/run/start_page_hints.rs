//! URLs that the start page leads to without links.
//!
//! A page with a meta refresh is a page like any other, and audited. If the target is on the site, it is
//! crawled next, as if it were linked. It does not replace the start page: the site is still the requested one,
//! and a refresh to another site is not followed.
//!
//! Feeds that the start page declares (`link rel="alternate"` with the type of RSS or Atom) are read, at most
//! five, and their pages are queued after those of the sitemaps, in URL order. They list the latest
//! publications of a site, and are short. Feeds of other pages are not requested.

use url::Url;

use crate::address::{SiteKey, without_fragment};
use crate::bounds::crawl::MAX_FEEDS;
use crate::common::links::refresh::refresh_redirect;
use crate::crawl::page;
use crate::gather::Response;

/// URLs that the start page leads to.
#[derive(Debug, Default)]
pub(crate) struct StartPageHints {
    /// The target of its meta refresh, if it is on the site.
    pub(crate) refresh: Option<Url>,
    /// Feeds of the site.
    pub(crate) feeds: Vec<Url>,
}

impl StartPageHints {
    /// Reads the start page on a blocking thread. A page without a sign of either is not parsed.
    pub(crate) async fn from_response(start: &Response, key: &SiteKey) -> Self {
        let (start, key) = (start.clone(), key.clone());
        let read = tokio::task::spawn_blocking(move || Self::read(&start, &key));
        read.await.unwrap_or_default()
    }

    fn read(start: &Response, key: &SiteKey) -> Self {
        if !has_a_sign(start) {
            return Self::default();
        }
        let page = page(start.clone(), key.clone());
        let refresh = refresh_redirect(&page).map(|refresh| without_fragment(&refresh.target));
        let mut feeds: Vec<Url> = Vec::new();
        for link in page.link_elements("alternate") {
            let is_feed = ["application/rss+xml", "application/atom+xml"]
                .iter()
                .any(|kind| link.attr_is("type", kind));
            let url = link
                .attr("href")
                .filter(|_| is_feed)
                .and_then(|href| page.base().join(href.trim()).ok());
            if let Some(url) = url
                && key.contains(&url)
                && !feeds.contains(&url)
                && feeds.len() < MAX_FEEDS
            {
                feeds.push(url);
            }
        }
        Self {
            refresh: refresh.filter(|url| key.contains(url)),
            feeds,
        }
    }
}

fn has_a_sign(start: &Response) -> bool {
    const SIGNS: [&[u8]; 3] = [b"refresh", b"rss+xml", b"atom+xml"];
    start.headers.get("refresh").is_some()
        || SIGNS.iter().any(|sign| {
            start
                .body
                .windows(sign.len())
                .any(|piece| piece.eq_ignore_ascii_case(sign))
        })
}
