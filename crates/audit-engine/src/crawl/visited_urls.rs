//! The URLs that a crawl has visited.

use std::collections::{BTreeMap, HashMap};

use super::frontier::Entry;
use super::kept_pages::KeptPages;
use super::rendering::{RenderCounts, Rendering};
use super::visited_page::VisitedPage;
use crate::dom::Limit;
use crate::evaluation::collector::Collector;
use crate::site::{Coverage, LinkFact, PageFacts, PageNumber, ResourceUse, ShownImages, UrlId};

/// A URL that was requested as a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestedUrl {
    pub(crate) id: UrlId,
    /// Clicks from the start page; none if only a sitemap lists it.
    pub(crate) depth: Option<u32>,
}

/// The visited URLs of a crawl: pages, whose outcomes go to the collector, and other responses.
#[derive(Debug)]
pub(super) struct VisitedUrls<'a> {
    collector: &'a mut Collector,
    pages: KeptPages,
    page_by_url: HashMap<UrlId, usize>,
    others: Vec<RequestedUrl>,
    limits_reached: BTreeMap<Limit, u64>,
    rendered: RenderCounts,
    coverage: Coverage,
    shown_images: ShownImages,
}

/// The facts that remain after the visits of a crawl.
pub(super) struct VisitResults {
    pub(super) pages: Vec<PageFacts>,
    pub(super) pages_without_details: u64,
    pub(super) page_by_url: HashMap<UrlId, usize>,
    pub(super) others: Vec<RequestedUrl>,
    pub(super) limits_reached: BTreeMap<Limit, u64>,
    pub(super) rendered: RenderCounts,
    pub(super) coverage: Coverage,
    pub(super) shown_images: ShownImages,
}

impl<'a> VisitedUrls<'a> {
    /// Starts without URLs. The outcomes of checks go to `collector`.
    pub(super) fn new(collector: &'a mut Collector) -> Self {
        Self {
            collector,
            pages: KeptPages::default(),
            page_by_url: HashMap::new(),
            others: Vec::new(),
            limits_reached: BTreeMap::new(),
            rendered: RenderCounts::default(),
            coverage: Coverage::default(),
            shown_images: ShownImages::default(),
        }
    }

    /// The number of pages.
    pub(super) const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// How many audited pages a browser showed.
    pub(super) const fn rendered_count(&self) -> u64 {
        self.rendered.shown
    }

    /// The number of the next page.
    pub(super) fn next_number(&self) -> PageNumber {
        PageNumber::try_from(self.pages.len()).unwrap_or(PageNumber::MAX)
    }

    /// Adds a URL that is not a page.
    pub(super) fn add_other(&mut self, id: UrlId, depth: Option<u32>) {
        self.others.push(RequestedUrl { id, depth });
    }

    /// Adds the next page, with those of its links and resources that are in the table of URLs.
    pub(super) fn add_page(
        &mut self,
        entry: &Entry,
        visited: VisitedPage,
        links: Vec<LinkFact>,
        resources: Vec<ResourceUse>,
    ) {
        let number = self.next_number();
        match visited.rendering {
            Rendering::Shown => self.rendered.shown += 1,
            Rendering::Failed => self.rendered.failed += 1,
            Rendering::OverLimit => self.rendered.over_limit += 1,
            Rendering::NotAsked | Rendering::LedTo { .. } => {}
        }
        let is_rendered = visited.rendering == Rendering::Shown;
        let exclusion = visited.judged.exclusion;
        self.collector
            .record_page(visited.url.as_str(), visited.judged);
        for script in visited.coverage {
            self.coverage.add(script);
        }
        for (url, size) in visited.shown_images {
            self.shown_images.add(url, size);
        }
        for limit in visited.limits {
            *self.limits_reached.entry(limit).or_default() += 1;
        }
        self.page_by_url.insert(entry.id, self.pages.len());
        let headers = self.pages.share(visited.headers);
        self.pages.push(PageFacts {
            number,
            is_rendered,
            id: entry.id,
            url: visited.url,
            depth: entry.depth,
            parent: entry.parent,
            status: visited.status,
            bytes: visited.bytes,
            wire_bytes: visited.wire_bytes,
            response_ms: visited.response_ms,
            links_out: visited.links_out,
            title: visited.title,
            description: visited.description,
            h1: visited.h1,
            lang: visited.lang,
            canonicals: visited.canonicals,
            alternates: visited.alternates,
            alternates_cut: visited.alternates_cut,
            noindex: visited.noindex,
            exclusion,
            inline_css: visited.inline_css,
            inline_js: visited.inline_js,
            words: visited.words,
            text_hash: visited.text_hash,
            signs_hash: visited.signs_hash,
            hashed_words: visited.hashed_words,
            sketch: visited.sketch,
            headers,
            links,
            resources,
            places: visited.places,
            json_ld_types: visited.json_ld_types,
        });
    }

    /// The facts that remain.
    pub(super) fn into_results(self) -> VisitResults {
        VisitResults {
            pages_without_details: self.pages.without_details(),
            pages: self.pages.into_pages(),
            page_by_url: self.page_by_url,
            others: self.others,
            limits_reached: self.limits_reached,
            rendered: self.rendered,
            coverage: self.coverage,
            shown_images: self.shown_images,
        }
    }
}
