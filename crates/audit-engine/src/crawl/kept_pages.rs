//! The page facts that a crawl keeps, within a memory limit.

use std::sync::Arc;

use crate::bounds::MAX_PAGE_FACTS_BYTES;
use crate::gather::Headers;
use crate::site::PageFacts;

/// The pages of a crawl in the order of their numbers. Every page has an entry. Beyond the memory limit the
/// details of a page are dropped.
#[derive(Debug)]
pub(super) struct KeptPages {
    pages: Vec<PageFacts>,
    /// Bytes that are still available.
    room: usize,
    without_details: u64,
}

impl Default for KeptPages {
    fn default() -> Self {
        Self::within(MAX_PAGE_FACTS_BYTES)
    }
}

impl KeptPages {
    /// No pages yet, with a limit of `most` bytes for details.
    const fn within(most: usize) -> Self {
        Self {
            pages: Vec::new(),
            room: most,
            without_details: 0,
        }
    }

    /// The number of pages.
    pub(super) const fn len(&self) -> usize {
        self.pages.len()
    }

    /// The number of pages whose details or headers were dropped.
    pub(super) const fn without_details(&self) -> u64 {
        self.without_details
    }

    /// The pages.
    pub(super) fn into_pages(self) -> Vec<PageFacts> {
        self.pages
    }

    /// Returns the headers, shared with an earlier page that has the same ones, as most pages of a site do.
    /// None if the memory limit is reached.
    pub(super) fn share(&mut self, headers: Headers) -> Option<Arc<Headers>> {
        const BACK: usize = 8;
        let before = self.pages.iter().rev().take(BACK);
        let mut before = before.filter_map(|page| page.headers.as_ref());
        if let Some(known) = before.find(|known| ***known == headers) {
            return Some(Arc::clone(known));
        }
        self.room = self.room.checked_sub(headers.bytes())?;
        Some(Arc::new(headers))
    }

    /// Adds the next page.
    pub(super) fn push(&mut self, mut page: PageFacts) {
        let has_room = page.detail_bytes() <= self.room;
        if !has_room {
            page.forget_details();
        }
        if !has_room || page.headers.is_none() {
            self.without_details += 1;
        }
        // The title and the address of a page are always kept: the number of pages is limited.
        self.room = self.room.saturating_sub(page.detail_bytes());
        self.pages.push(page);
    }
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::*;
    use crate::site::{InlineCode, PageNumber, Sketch, UrlTable};

    /// A page with this number of language versions.
    fn page(number: PageNumber, alternates: usize, headers: Option<Arc<Headers>>) -> PageFacts {
        let url = Url::parse("https://example.com/").unwrap();
        let version = (Box::from("de"), url.join("/de").unwrap());
        PageFacts {
            number,
            is_rendered: false,
            id: UrlTable::default().intern(&url, true),
            url,
            depth: Some(0),
            parent: None,
            status: 200,
            bytes: 0,
            wire_bytes: 0,
            response_ms: 0,
            links_out: 0,
            title: None,
            description: None,
            h1: None,
            lang: None,
            canonicals: Vec::new(),
            alternates: vec![version; alternates],
            alternates_cut: false,
            noindex: None,
            exclusion: Default::default(),
            inline_css: InlineCode::default(),
            inline_js: InlineCode::default(),
            words: 0,
            text_hash: 0,
            signs_hash: 0,
            hashed_words: 0,
            sketch: Sketch::default(),
            headers,
            links: Vec::new(),
            resources: Vec::new(),
            places: Default::default(),
            json_ld_types: Vec::new(),
        }
    }

    fn headers(value: &str) -> Headers {
        Headers::from_iter([("server", value)])
    }

    #[test]
    fn pages_beyond_the_limit_are_kept_without_details() {
        let one = page(0, 100, None).detail_bytes();
        let mut kept = KeptPages::within(2 * one + 10_000);
        let shared = kept.share(headers("x"));
        for number in 0..5 {
            kept.push(page(number, 100, shared.clone()));
        }
        assert_eq!((kept.len(), kept.without_details()), (5, 3));
        let pages = kept.into_pages();
        let versions: Vec<usize> = pages.iter().map(|page| page.alternates.len()).collect();
        assert_eq!(versions, [100, 100, 0, 0, 0]);
        let cut: Vec<bool> = pages.iter().map(|page| page.alternates_cut).collect();
        assert_eq!(cut, [false, false, true, true, true]);
    }

    #[test]
    fn shared_headers_count_once() {
        let long = "x".repeat(1_000);
        let mut kept = KeptPages::within(2_500);
        for number in 0..5 {
            let shared = kept.share(headers(&long));
            assert!(shared.is_some());
            kept.push(page(number, 0, shared));
        }
        let other = kept.share(headers(&format!("{long}y")));
        assert!(other.is_some());
        kept.push(page(5, 0, other));
        let none = kept.share(headers(&format!("{long}z")));
        assert_eq!(none, None);
        kept.push(page(6, 0, none));
        assert_eq!(kept.without_details(), 1);
    }
}
