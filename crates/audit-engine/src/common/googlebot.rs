//! What robots.txt says to Googlebot.

use crate::address::path_and_query;
use crate::gather::robots::RobotsPath;
use crate::site::Site;

/// The product token that Google's search crawler goes by.
pub(crate) const GOOGLEBOT: &str = "Googlebot";

/// A path that no rule names.
pub(crate) const UNNAMED: &str = "/assay-probe";

/// Whether Googlebot may visit no audited page and no address that rules do not name.
pub(crate) fn blocks_all(site: &Site) -> bool {
    let Some(robots) = site.robots.robots() else {
        return false;
    };
    let group = robots.group_for(GOOGLEBOT);
    let closed = |path: &str| !group.is_allowed(&RobotsPath::new(path));
    closed(UNNAMED)
        && site
            .pages
            .iter()
            .all(|page| closed(&path_and_query(&page.url)))
}
