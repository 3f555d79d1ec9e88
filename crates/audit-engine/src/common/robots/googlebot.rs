//! The robots.txt rules for Googlebot, as Googlebot reads them.

use url::Url;

use crate::address::path_and_query;
use crate::gather::robots::{Group, RobotsPath, RobotsRules, Rule};
use crate::site::Site;

/// The product token of Google's search crawler.
pub(crate) const GOOGLEBOT: &str = "Googlebot";

/// A path that no rule mentions.
pub(crate) const UNNAMED: &str = "/assay-probe";

/// Whether robots.txt blocks Googlebot from all audited pages and from URLs that no rule mentions.
pub(crate) fn blocks_all(site: &Site) -> bool {
    let Some(robots) = site.robots.robots() else {
        return false;
    };
    let rules = RobotsRules::of_group(&robots.googlebot().group());
    let closed = |path: &str| !rules.allows(&RobotsPath::for_googlebot(path));
    closed(UNNAMED)
        && site
            .pages
            .iter()
            .all(|page| closed(&path_and_query(&page.url)))
}

/// The URLs that robots.txt blocks for Googlebot, on a site that is not blocked as a whole.
pub(crate) struct Closed<'a> {
    start: &'a Url,
    group: Group<'a>,
    rules: RobotsRules,
}

impl<'a> Closed<'a> {
    /// `None` if there are no rules, or if they block the whole site.
    pub(crate) fn new(site: &'a Site) -> Option<Self> {
        let robots = site.robots.robots().filter(|_| !blocks_all(site))?;
        let group = robots.googlebot().group();
        Some(Self {
            start: &site.start,
            rules: RobotsRules::of_group(&group),
            group,
        })
    }

    /// Whether the rules apply to the URL: a robots.txt applies to one origin only.
    pub(crate) fn covers(&self, url: &Url) -> bool {
        url.origin() == self.start.origin()
    }

    /// The rule that blocks the URL.
    pub(crate) fn by(&self, url: &Url) -> Option<&'a Rule> {
        if !self.covers(url) {
            return None;
        }
        let path = RobotsPath::for_googlebot(&path_and_query(url));
        let place = self.rules.forbidding(&path)?;
        self.group.rules().get(place).copied()
    }
}
