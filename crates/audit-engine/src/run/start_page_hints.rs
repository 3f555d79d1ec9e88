//! What the start page leads to by other ways than links.
//!
//! A page that merely refreshes to another one is a page like any other, and audited; where it leads
//! within the site is crawled next, as if it were linked. It is no landing: the site stays the one
//! that was asked for, and a refresh that leads elsewhere is not followed.
//!
//! Feeds that the start page names (`link rel="alternate"` with the type of RSS or Atom) are read,
//! five of them at most, and their pages are queued behind those of the sitemaps, in URL order.
//! They say what a site has published last, and are short; feeds of other pages are not asked for.

use url::Url;

use crate::address::{SiteKey, without_fragment};
use crate::bounds::crawl::MAX_FEEDS;
use crate::common::links::refresh::refresh_redirect;
use crate::crawl::page;
use crate::gather::Response;

/// What the start page leads to.
#[derive(Debug, Default)]
pub(crate) struct StartPageHints {
    /// The page of the site that it refreshes to.
    pub(crate) refresh: Option<Url>,
    /// Feeds of the site.
    pub(crate) feeds: Vec<Url>,
}

impl StartPageHints {
    /// Reads the start page, off the asynchronous threads. A page without a sign of either is not
    /// parsed.
    pub(crate) async fn of(start: &Response, key: &SiteKey) -> Self {
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
