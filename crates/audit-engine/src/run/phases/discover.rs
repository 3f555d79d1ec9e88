//! The second phase: URLs from sitemaps, feeds and the head of the start page.

use url::Url;

use super::super::sitemaps;
use super::super::start_page_hints::StartPageHints;
use super::land::Landed;
use crate::crawl::Listed;
use crate::gather::sitemap::Sitemap;
use crate::site::SitemapFile;

/// The URLs that are discovered without links.
pub(in crate::run) struct Discovered {
    pub(super) sitemaps: Vec<SitemapFile>,
    feeds: Vec<Sitemap>,
    /// The target of the start page's meta refresh, if it is on the site.
    pub(super) refresh: Option<Url>,
}

impl Discovered {
    /// The URLs that sitemaps list, then those that feeds list.
    pub(super) fn listed(&self) -> impl Iterator<Item = Listed> + Send {
        let sitemaps = self.sitemaps.iter();
        let sitemaps = sitemaps.filter_map(|file| file.sitemap.as_ref());
        let sitemaps = sitemaps.filter(|sitemap| !sitemap.is_index());
        let of_sitemaps = sitemaps.flat_map(|sitemap| entries(sitemap, true));
        let of_feeds = self.feeds.iter().flat_map(|feed| entries(feed, false));
        of_sitemaps.chain(of_feeds)
    }
}

fn entries(of: &Sitemap, in_sitemap: bool) -> impl Iterator<Item = Listed> + Send {
    of.entries().filter_map(move |entry| {
        let url = entry.url()?;
        Some(Listed { url, in_sitemap })
    })
}

/// Reads sitemaps, the start page and the feeds that it declares.
pub(in crate::run) async fn discover(landed: &Landed) -> Discovered {
    let Landed { context, landing } = landed;
    let exchange = &context.exchange;
    let may_request = |url: &Url| context.may_request(url);
    let sitemaps = sitemaps::gather(exchange, &context.start, &landing.robots, may_request).await;
    let hints = StartPageHints::from_response(&landing.response, &context.key).await;
    let is_own = |url: &Url| context.key.contains(url) && context.may_request(url);
    let feeds = sitemaps::read_feeds(exchange, &context.start, hints.feeds, is_own).await;
    Discovered {
        sitemaps,
        feeds,
        refresh: hints.refresh,
    }
}
