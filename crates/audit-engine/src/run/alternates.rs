//! Asks for the language versions that pages name and nobody has met.
//!
//! They are addresses that the site gives, like links, but stand in heads and headers only. Those on the
//! site are asked for here, five hundred at most, as external links are: with HEAD first, and without
//! following redirects. Those elsewhere are put where external links are, and asked for with them.

use tokio::time::Instant;
use url::Url;

use super::exchange::Exchange;
use super::external::ask_all;
use crate::address::without_fragment;
use crate::site::{Site, SkipReason, UrlState};

/// Language versions of one site that are taken in.
const MAX_ALTERNATES: usize = 500;

/// Takes in the language versions of the site's indexable pages, and asks for those on the site that
/// `may_request` allows. What has not answered by `until` stays unknown.
pub(crate) async fn gather(
    exchange: &Exchange,
    site: &mut Site,
    ahead: usize,
    until: Instant,
    may_request: impl Fn(&Url) -> bool,
) {
    let mut asked = Vec::new();
    let before = site.urls.len();
    for (_, url) in site
        .pages
        .iter()
        .filter(|page| page.indexable)
        .flat_map(|page| &page.alternates)
    {
        if site.urls.len() >= before + MAX_ALTERNATES {
            break;
        }
        if !matches!(url.scheme(), "http" | "https") || site.urls.find(url).is_some() {
            continue;
        }
        let internal = site.key.contains(url);
        let id = site.urls.intern(url, internal);
        // Other origins of the site have a robots.txt of their own, which nobody has asked for.
        if internal && url.origin() == site.start.origin() && may_request(url) {
            asked.push((id, without_fragment(url)));
        }
    }
    let ids: Vec<_> = asked.iter().map(|(id, _)| *id).collect();
    ask_all(exchange, &mut site.urls, &site.key, asked, ahead, until).await;
    // They were no part of the crawl, whose budget it would be.
    for id in ids {
        let skipped = UrlState::Skipped(SkipReason::Budget);
        if site
            .urls
            .get(id)
            .is_some_and(|entry| entry.state == skipped)
        {
            site.urls.set(id, UrlState::Known);
        }
    }
}
