//! Page weight: the files that a page loads.

use std::collections::HashMap;

use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, Site, UrlId};

/// The requested resources of a site, found by URL.
pub(crate) struct Loads<'a> {
    by_id: HashMap<UrlId, &'a ResourceFacts>,
}

/// The reason why the weight of a page is unknown.
pub(crate) const NOT_REQUESTED: &str =
    "The engine did not request all files that the page loads, so the page weight is unknown.";

impl<'a> Loads<'a> {
    /// Indexes the resources of the site.
    pub(crate) fn new(site: &'a Site) -> Self {
        let by_id = site
            .resources
            .iter()
            .map(|resource| (resource.id, resource))
            .collect();
        Self { by_id }
    }

    /// All files that a browser loads with the page, each once; `None` if one of them was not requested.
    /// Contents of frames and lazy-loaded files are excluded.
    pub(crate) fn resources(&self, page: &PageFacts) -> Option<Vec<&'a ResourceFacts>> {
        page.resources
            .iter()
            .filter(|used| used.eager && used.kind != ResourceKind::Frame)
            .map(|used| self.by_id.get(&used.target).copied())
            .collect()
    }
}

/// The bytes that one visit wastes: a visit of the start page, or of the average page, whichever wastes more. `own` is
/// the waste of a page's document, `files` that of each file, which the page loads at once or later.
pub(crate) fn wasted_by_visit(
    site: &Site,
    own: impl Fn(&PageFacts) -> u64,
    files: &HashMap<UrlId, u64>,
) -> u64 {
    let waste = |page: &PageFacts| {
        let used = page.resources.iter();
        let used: std::collections::BTreeSet<_> = used
            .filter(|used| used.kind != ResourceKind::Frame)
            .map(|used| used.target)
            .collect();
        let files = used.iter().filter_map(|target| files.get(target));
        files.fold(own(page), |sum, bytes| sum.saturating_add(*bytes))
    };
    let start = site.pages.first().map_or(0, waste);
    let all = site.pages.iter().map(waste).fold(0, u64::saturating_add);
    let pages = u64::try_from(site.pages.len()).unwrap_or(u64::MAX);
    start.max(all / pages.max(1))
}
