//! Redirects of the URLs that visitors and crawlers request.

use super::inlinks::Inlinks;
use super::status::requested_urls;
use crate::site::{Site, UrlEntry, UrlId};

/// The internal URLs that were requested because a page links to them, a sitemap lists them, or they
/// are the start URL. Intermediate URLs of redirect chains are not included.
pub(crate) fn entry_urls(site: &Site) -> impl Iterator<Item = (UrlId, &UrlEntry)> {
    let inlinks = Inlinks::direct(site);
    let asked_for = site.lookup(&site.requested).map(|(id, _)| id);
    requested_urls(site).filter(move |(id, entry)| {
        asked_for == Some(*id) || entry.in_sitemap || inlinks.to(*id).is_some()
    })
}

/// Whether a redirect chain is a redirect loop: its last URL occurred before.
pub(crate) fn is_loop(chain: &[UrlId]) -> bool {
    match chain.split_last() {
        Some((last, before)) => before.contains(last),
        None => false,
    }
}
