//! The pages of a site.

use domain::site::Site;

use crate::layout::Layout;

/// The navigation between the pages of a site.
pub(super) struct SiteNav {
    pub(super) links: Vec<SiteLink>,
}

/// A page of a site.
pub(super) struct SiteLink {
    pub(super) path: String,
    pub(super) label: &'static str,
    pub(super) is_current: bool,
}

/// The pages, by the end of their paths.
const AUDITS: (&str, &str) = ("", "Audits");
const WAIVERS: (&str, &str) = ("waivers", "Waivers");
const SETTINGS: (&str, &str) = ("settings", "Settings");

impl SiteNav {
    /// The pages that the person may see, with the current one.
    pub(super) fn new(site: &Site, current: &str, layout: &Layout) -> Self {
        let settings = layout.may_administer().then_some(SETTINGS);
        let pages = [AUDITS, WAIVERS].into_iter().chain(settings);
        Self {
            links: pages
                .map(|(page, label)| SiteLink {
                    path: match page {
                        "" => format!("/sites/{}", site.id),
                        page => format!("/sites/{}/{page}", site.id),
                    },
                    label,
                    is_current: page == current,
                })
                .collect(),
        }
    }
}
