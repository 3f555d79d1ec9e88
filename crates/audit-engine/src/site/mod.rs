//! The site model: what is known after the crawl, compact enough for a hundred thousand pages.

mod facts;
mod probe;
mod resource;
mod texts;
mod trap;
mod urls;

use std::collections::HashMap;

use url::Url;

pub use facts::{Heading, KEPT_HEADERS, LinkFact, LinkPlace, PageFacts, PageNumber, ResourceUse};
pub use probe::{ErrorPage, Probe, ProbeAnswer, Probes};
pub use resource::ResourceFacts;
pub use trap::{Trap, TrapKind};
pub use urls::{Answer, MAX_REDIRECTS, SkipReason, UrlEntry, UrlId, UrlState, UrlTable};

pub use crate::algorithms::pixels::Pixels;
pub use crate::algorithms::sketch::Sketch;

use crate::address::SiteKey;
use crate::gather::robots::RobotsState;
use crate::gather::sitemap::Sitemap;

/// Why a sitemap file, or a part of it, was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapUnread {
    /// robots.txt forbids it.
    Disallowed,
    /// It is another site's, and external links are not requested.
    External,
    /// It did not come in time.
    Late,
    /// Nothing answered.
    NoAnswer,
    /// The site's sitemaps list more URLs than are kept.
    TooMany,
}

/// A sitemap file that was wanted.
#[derive(Debug, Clone)]
pub struct SitemapFile {
    /// Where it stands.
    pub url: Url,
    /// The status it answered with; none where nothing answered.
    pub status: Option<u16>,
    /// Whether robots.txt lists it; otherwise it was looked for at its usual place.
    pub listed_in_robots: bool,
    /// Its contents, when it answered 2xx.
    pub sitemap: Option<Sitemap>,
    /// Why not all of it is known, where that is not what it answered.
    pub unread: Option<SitemapUnread>,
}

/// A site as the crawl left it. Checks of the origin, the site and the link graph read it.
#[derive(Debug)]
pub struct Site {
    /// The URL the crawl began at, after its redirects.
    pub start: Url,
    /// The URL that was asked for.
    pub requested: Url,
    /// The site that pages and links are internal to.
    pub key: SiteKey,
    /// Whether the site is on loopback, where nobody can ask for https.
    pub loopback: bool,
    /// The audited pages in the order of their numbers: final 2xx HTML documents.
    pub pages: Vec<PageFacts>,
    /// Every URL that was linked, listed or requested, and what became of it.
    pub urls: UrlTable,
    /// robots.txt of the start URL's origin.
    pub robots: RobotsState,
    /// Origins of the site, the start URL's own among them, whose robots.txt answers with an error of
    /// the server or not at all: the URL of the file, and the status.
    pub robots_unreachable: Vec<(Url, Option<u16>)>,
    /// The sitemaps that were wanted, in the order in which they are named.
    pub sitemaps: Vec<SitemapFile>,
    /// Requests for well-known places.
    pub probes: Probes,
    /// Resources of the audited pages that were requested, in the order first seen.
    pub resources: Vec<ResourceFacts>,
    /// Endless spaces that the crawl turned back from, the largest first, at most a thousand.
    pub traps: Vec<Trap>,
    /// Whether every page that can be reached was seen: no cap, depth limit or deadline cut the crawl short.
    pub complete: bool,
    /// Whether external links were requested.
    pub external_checked: bool,
    pub(crate) page_by_url: HashMap<UrlId, usize>,
}

impl Site {
    /// The start page, if it was audited.
    #[must_use]
    pub fn home(&self) -> Option<&PageFacts> {
        self.pages.first()
    }

    /// The audited page at this URL.
    #[must_use]
    pub fn page_at(&self, url: UrlId) -> Option<&PageFacts> {
        self.page_by_url
            .get(&url)
            .and_then(|index| self.pages.get(*index))
    }

    /// The audited page that a request for this URL ends at, redirects followed.
    #[must_use]
    pub fn page_behind(&self, url: UrlId) -> Option<&PageFacts> {
        self.page_at(self.urls.landing(url)?)
    }

    /// The entry of a URL, fragment ignored, if the crawl has met it.
    #[must_use]
    pub fn lookup(&self, url: &Url) -> Option<(UrlId, &UrlEntry)> {
        let id = self.urls.find(url)?;
        Some((id, self.urls.get(id)?))
    }

    /// Every link between audited pages and what they point at, with the page it stands on.
    pub fn links(&self) -> impl Iterator<Item = (&PageFacts, &LinkFact)> {
        self.pages
            .iter()
            .flat_map(|page| page.links.iter().map(move |link| (page, link)))
    }

    /// The URLs that the sitemaps list, in file order, with the file.
    pub fn sitemap_entries(
        &self,
    ) -> impl Iterator<Item = (&SitemapFile, crate::gather::sitemap::SitemapEntry<'_>)> {
        self.sitemaps.iter().flat_map(|file| {
            file.sitemap
                .iter()
                .filter(|sitemap| !sitemap.is_index())
                .flat_map(move |sitemap| sitemap.entries().map(move |entry| (file, entry)))
        })
    }
}
