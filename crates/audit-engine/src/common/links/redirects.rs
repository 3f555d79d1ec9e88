//! Redirects of the URLs that people and crawlers ask for.

use super::inlinks::Inlinks;
use super::status::requested_urls;
use crate::site::{Site, UrlEntry, UrlId};

/// The internal URLs that were requested because a page links to them, a sitemap lists them, or the
/// audit was asked for them; not the steps in between.
pub(crate) fn entry_urls(site: &Site) -> impl Iterator<Item = (UrlId, &UrlEntry)> {
    let inlinks = Inlinks::direct(site);
    let asked_for = site.lookup(&site.requested).map(|(id, _)| id);
    requested_urls(site).filter(move |(id, entry)| {
        asked_for == Some(*id) || entry.in_sitemap || inlinks.to(*id).is_some()
    })
}

/// Whether a chain of redirects ends at a URL that occurred before.
pub(crate) fn is_loop(chain: &[UrlId]) -> bool {
    match chain.split_last() {
        Some((last, before)) => before.contains(last),
        None => false,
    }
}
