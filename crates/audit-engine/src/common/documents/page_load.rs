//! What a page transfers when it loads.

use std::collections::HashMap;

use crate::page::ResourceKind;
use crate::site::{PageFacts, ResourceFacts, Site, UrlId};

/// The requested resources of a site, found by URL.
pub(crate) struct Loads<'a> {
    by_id: HashMap<UrlId, &'a ResourceFacts>,
}

/// Why the weight of a page is not known.
pub(crate) const NOT_REQUESTED: &str =
    "Some files that the page loads were not requested, so its weight is unknown.";

impl<'a> Loads<'a> {
    /// The resources of the site.
    pub(crate) fn of(site: &'a Site) -> Self {
        let by_id = site
            .resources
            .iter()
            .map(|resource| (resource.id, resource))
            .collect();
        Self { by_id }
    }

    /// Everything that a browser loads with the page, each file once; none where one of them was
    /// not requested. What frames hold, and what loads lazily, is left out.
    pub(crate) fn resources(&self, page: &PageFacts) -> Option<Vec<&'a ResourceFacts>> {
        page.resources
            .iter()
            .filter(|used| used.eager && used.kind != ResourceKind::Frame)
            .map(|used| self.by_id.get(&used.target).copied())
            .collect()
    }
}
