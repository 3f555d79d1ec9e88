//! What robots.txt says to Googlebot.

use url::Url;

use crate::address::path_and_query;
use crate::gather::robots::{Group, RobotsPath, RobotsRules, Rule};
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
    let rules = robots.rules_for(GOOGLEBOT);
    let closed = |path: &str| !rules.allows(&RobotsPath::new(path));
    closed(UNNAMED)
        && site
            .pages
            .iter()
            .all(|page| closed(&path_and_query(&page.url)))
}

/// What robots.txt closes to Googlebot, on a site that it does not close as a whole.
pub(crate) struct Closed<'a> {
    start: &'a Url,
    group: Group<'a>,
    rules: RobotsRules,
}

impl<'a> Closed<'a> {
    /// None where there are no rules, and where they close everything.
    pub(crate) fn of(site: &'a Site) -> Option<Self> {
        let robots = site.robots.robots().filter(|_| !blocks_all(site))?;
        Some(Self {
            start: &site.start,
            group: robots.group_for(GOOGLEBOT),
            rules: robots.rules_for(GOOGLEBOT),
        })
    }

    /// Whether the rules are those of the URL: a robots.txt holds for one origin alone.
    pub(crate) fn covers(&self, url: &Url) -> bool {
        url.origin() == self.start.origin()
    }

    /// The rule that closes the URL.
    pub(crate) fn by(&self, url: &Url) -> Option<&'a Rule> {
        if !self.covers(url) {
            return None;
        }
        let path = RobotsPath::new(&path_and_query(url));
        let place = self.rules.forbidding(&path)?;
        self.group.rules().get(place).copied()
    }
}
