//! The site model: the result of the crawl, compact enough for a hundred thousand pages.

mod canonical_target;
mod coverage;
mod exclusion;
mod facts;
mod lab;
mod probe;
mod resource;
mod shown_images;
mod texts;
mod trap;
mod urls;

use std::collections::HashMap;

use url::Url;

pub use canonical_target::CanonicalTarget;
pub(crate) use canonical_target::sole_canonical;
pub use coverage::Coverage;
pub(crate) use exclusion::Exclusion;
pub use facts::{
    Heading, InlineCode, KEPT_HEADERS, LinkFact, LinkPlace, PageFacts, PageNumber, ResourceUse,
};
pub use lab::MeasuredPage;
pub use probe::{ErrorPage, Probe, ProbeAnswer, Probes};
pub use resource::ResourceFacts;
pub use shown_images::{ShownImages, ShownSize};
pub use trap::{Trap, TrapKind};
pub use urls::{MAX_REDIRECTS, SkipReason, UrlEntry, UrlId, UrlResponse, UrlState, UrlTable};

pub use crate::algorithms::pixels::Pixels;
pub use crate::algorithms::sketch::Sketch;

use crate::address::SiteKey;
use crate::gather::robots::RobotsState;
use crate::gather::sitemap::Sitemap;

/// Why a sitemap file, or a part of it, was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SitemapUnread {
    /// robots.txt disallows it.
    Disallowed,
    /// It is on another site, and external links are not requested.
    External,
    /// It did not arrive in time.
    Late,
    /// There was no response.
    NoAnswer,
    /// The site's sitemaps list more URLs than are kept.
    TooMany,
}

/// A sitemap file that was to be read.
#[derive(Debug, Clone)]
pub struct SitemapFile {
    /// Its URL.
    pub url: Url,
    /// The status code of the response; none without a response.
    pub status: Option<u16>,
    /// Whether robots.txt lists it. Otherwise it was requested at a default location.
    pub listed_in_robots: bool,
    /// Its contents, if the response was 2xx.
    pub sitemap: Option<Sitemap>,
    /// Why it was not read completely, if the reason is not the response.
    pub unread: Option<SitemapUnread>,
}

/// A site after the crawl. Checks of the origin, the site and the link graph read it.
#[derive(Debug)]
pub struct Site {
    /// The URL at which the crawl began, after redirects.
    pub start: Url,
    /// The requested URL.
    pub requested: Url,
    /// The site that pages and links are internal to.
    pub key: SiteKey,
    /// Whether the site is on loopback, where https cannot be expected.
    pub loopback: bool,
    /// The audited pages in the order of their numbers: final 2xx HTML documents.
    pub pages: Vec<PageFacts>,
    /// Every URL that was linked, listed or requested, and its state.
    pub urls: UrlTable,
    /// robots.txt of the start URL's origin.
    pub robots: RobotsState,
    /// Origins of the site, including the start URL's own, whose robots.txt returned a server error or did not
    /// respond: the URL of the file, and the status code.
    pub robots_unreachable: Vec<(Url, Option<u16>)>,
    /// The sitemaps that were to be read, in the order in which they are listed.
    pub sitemaps: Vec<SitemapFile>,
    /// Requests for well-known URLs.
    pub probes: Probes,
    /// Resources of the audited pages that were requested, in the order first seen.
    pub resources: Vec<ResourceFacts>,
    /// Crawl traps, the largest first, at most a thousand.
    pub traps: Vec<Trap>,
    /// Whether every reachable page was crawled: no page cap, depth limit or deadline ended the crawl early.
    pub complete: bool,
    /// Whether external links were requested.
    pub external_checked: bool,
    /// Whether a browser showed at least one of the audited pages.
    pub rendered: bool,
    /// What the pages use of their scripts and style sheets, of which a browser noted that.
    pub coverage: Coverage,
    /// How large the pages that a browser showed have their images.
    pub shown_images: ShownImages,
    /// The pages that a browser measured, in the order of their numbers.
    pub lab: Vec<MeasuredPage>,
    /// Origins of the site whose certificates browsers reject, and the reasons. They were audited nevertheless.
    pub untrusted: Vec<(Url, String)>,
    pub(crate) page_by_url: HashMap<UrlId, usize>,
    /// Pages at canonical URLs that the crawl has not discovered.
    pub(crate) canonical_targets: HashMap<UrlId, CanonicalTarget>,
}

impl Site {
    /// A site of which nothing is known but its start URL.
    #[cfg(test)]
    pub(crate) fn empty(start: Url) -> Self {
        Self {
            requested: start.clone(),
            key: SiteKey::from_url(&start).unwrap(),
            start,
            loopback: false,
            pages: Vec::new(),
            urls: UrlTable::default(),
            robots: RobotsState::Missing,
            robots_unreachable: Vec::new(),
            sitemaps: Vec::new(),
            probes: Probes::default(),
            resources: Vec::new(),
            traps: Vec::new(),
            complete: true,
            external_checked: false,
            rendered: true,
            coverage: Coverage::default(),
            shown_images: ShownImages::default(),
            lab: Vec::new(),
            untrusted: Vec::new(),
            page_by_url: HashMap::new(),
            canonical_targets: HashMap::new(),
        }
    }

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

    /// The page at this URL as the target of a canonical declaration: an audited page, or one that was requested
    /// only because a page declares it.
    #[must_use]
    pub fn canonical_target(&self, url: UrlId) -> Option<CanonicalTarget> {
        self.page_at(url)
            .map(CanonicalTarget::from)
            .or_else(|| self.canonical_targets.get(&url).cloned())
    }

    /// The audited page at which a request for this URL ends after redirects.
    #[must_use]
    pub fn page_behind(&self, url: UrlId) -> Option<&PageFacts> {
        self.page_at(self.urls.landing(url)?)
    }

    /// The entry of a URL, without its fragment, if the crawl has discovered it.
    #[must_use]
    pub fn lookup(&self, url: &Url) -> Option<(UrlId, &UrlEntry)> {
        let id = self.urls.find(url)?;
        Some((id, self.urls.get(id)?))
    }

    /// Every link of the audited pages, with its page.
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
