//! How many pages link to each URL.

use crate::algorithms::by_place::ByPlace;
use crate::bounds::MAX_LINKING_PAGES;
use crate::site::{Site, UrlId};

/// The pages that link to a URL.
#[derive(Debug, Clone, Default)]
pub(super) struct LinkingPages {
    /// How many.
    pub(super) count: u32,
    /// The places of the first of them, in the order of the crawl.
    pub(super) first: Vec<u32>,
}

impl LinkingPages {
    /// Counts a page. The links of a page come one behind the other, so `last` shows whether it was counted.
    fn add(&mut self, last: &mut Option<u32>, page: u32, keeps: bool) {
        if last.replace(page) == Some(page) {
            return;
        }
        self.count = self.count.saturating_add(1);
        if keeps && self.first.len() < MAX_LINKING_PAGES {
            self.first.push(page);
        }
    }
}

#[derive(Default)]
struct Counted {
    pages: LinkingPages,
    /// The last page that was counted.
    last: Option<u32>,
}

/// How many pages link to each URL, counted once for a whole site.
pub(super) struct LinkGraph {
    /// By the URL in the markup.
    direct: ByPlace<Counted>,
    /// By the URL at which redirects end, without the links of that page itself.
    landed: ByPlace<Counted>,
    /// Whether the links of every page were kept.
    is_complete: bool,
}

impl LinkGraph {
    pub(super) fn new(site: &Site) -> Self {
        let mut graph = Self {
            direct: ByPlace::default(),
            landed: ByPlace::default(),
            is_complete: site
                .pages
                .iter()
                .all(|page| page.links_out == 0 || !page.links.is_empty()),
        };
        let mut landings = ByPlace::default();
        for (page, link) in site.links() {
            let target = graph
                .direct
                .get_or_find(link.target.index(), Counted::default);
            target.pages.add(&mut target.last, page.number, true);
            let landing =
                landings.get_or_find(link.target.index(), || site.urls.landing(link.target));
            if let Some(landing) = landing.filter(|landing| *landing != page.id) {
                let end = graph.landed.get_or_find(landing.index(), Counted::default);
                end.pages.add(&mut end.last, page.number, false);
            }
        }
        graph
    }

    /// The pages whose markup has a link to the URL; none where no page has one.
    pub(super) fn linking(&self, id: UrlId) -> Option<&LinkingPages> {
        self.direct.get(id.index()).map(|counted| &counted.pages)
    }

    /// How many other pages link to the URL, directly or through redirects. Of a URL that redirects, those that link
    /// to itself. None where the links of some pages are not known.
    pub(super) fn links_in(&self, site: &Site, id: UrlId) -> Option<u32> {
        let redirects = site
            .urls
            .get(id)
            .and_then(|entry| entry.answer())
            .is_some_and(|answer| answer.location.is_some());
        let counted = match redirects {
            true => self.direct.get(id.index()),
            false => self.landed.get(id.index()),
        };
        self.is_complete
            .then(|| counted.map_or(0, |counted| counted.pages.count))
    }
}
