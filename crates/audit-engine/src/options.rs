//! What an audit is asked to do.

use std::time::Duration;

use domain::run::RequestHeaders;

use crate::check::Check;
use crate::gather::robots::{Pattern, RobotsPath};
use crate::stop::Stop;

/// The crawler's product token in robots.txt and the first word of its user agent.
pub const PRODUCT_TOKEN: &str = "AssayBot";

/// Where people learn who is visiting them, unless the operator names a page of his own.
pub const DOCS_URL: &str = "https://assay.example/bot";

/// The honest user agent: who, which version, where to read about it.
#[must_use]
pub fn default_user_agent() -> String {
    user_agent(DOCS_URL)
}

/// The user agent with the address of a page about the visitor.
#[must_use]
pub fn user_agent(contact_url: &str) -> String {
    format!(
        "{PRODUCT_TOKEN}/{} (+{contact_url})",
        env!("CARGO_PKG_VERSION")
    )
}

/// How a site is crawled and judged.
#[derive(Debug, Clone)]
pub struct AuditOptions {
    /// Audited pages at most; at least one. 1,000 unless said otherwise.
    pub max_pages: u32,
    /// Clicks from the start page at most; none for no limit. The start page is at 0.
    pub max_depth: Option<u32>,
    /// Pages beside the start page are audited only where their path and query match one of these
    /// patterns; empty for all.
    ///
    /// Pages that are left out, by this or by `exclude`, are requested all the same where a page
    /// links them, since what is wanted may be reached through them alone: they are read for their
    /// links and not judged, count as `excluded`, and not towards `max_pages`. Those that only a
    /// sitemap or feed lists are not requested. To keep the crawl away from a page, say so in
    /// robots.txt.
    pub include: Vec<Pattern>,
    /// Pages beside the start page whose path and query match one of these patterns are left out.
    pub exclude: Vec<Pattern>,
    /// Whether links and resources on other sites are requested.
    pub external: bool,
    /// Whether robots.txt is obeyed.
    pub respect_robots: bool,
    /// Headers for every request to the site's own origin, and to no other: scheme, host and port of
    /// the start URL as it is asked for. Of a start URL with plain http on its usual port, https on
    /// the same host counts as well; by no other way do they reach another scheme, host (`www.` is
    /// another) or port, wherever redirects, links, resources, sitemaps or probes lead. Where the
    /// site repeats a value of eight characters or more, the audit reads `***`.
    pub headers: RequestHeaders,
    /// Another user agent than the client's own, on every request to whomever; none for the client's.
    /// robots.txt is still judged by [`PRODUCT_TOKEN`], whatever the site is told.
    pub user_agent: Option<String>,
    /// Requests under way at once; none for the politeness defaults.
    pub concurrency: Option<usize>,
    /// Requests a second at most; none for the politeness defaults.
    pub max_rate: Option<f64>,
    /// Time for requests to pages; after it the pages seen are judged. Ends early enough for the
    /// rest of the audit, at about four fifths of the deadline.
    pub crawl_budget: Duration,
    /// Time for everything; after it the audit fails.
    pub deadline: Duration,
    /// Pause before a request that answered 5xx or 429 is repeated, doubled each time up to 10 s. A
    /// host that answered 429 or 503 is left alone by all audits for this long, or for as long as
    /// its `Retry-After` says, up to 30 s; eight times as long, up to 10 s, where that says more.
    pub retry_pause: Duration,
    /// Checks to run; none for the whole catalogue.
    pub only: Option<Vec<&'static Check>>,
    /// Ends the audit early when it is asked.
    pub stop: Stop,
}

impl AuditOptions {
    /// Whether the patterns leave a page out.
    pub(crate) fn leaves_out(&self, url: &url::Url) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return false;
        }
        let path = RobotsPath::from(url);
        let matched = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&path));
        !self.include.is_empty() && !matched(&self.include) || matched(&self.exclude)
    }
}

/// Pages of an audit unless said otherwise.
pub const DEFAULT_MAX_PAGES: u32 = 1_000;

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            max_pages: DEFAULT_MAX_PAGES,
            max_depth: None,
            include: Vec::new(),
            exclude: Vec::new(),
            external: true,
            respect_robots: true,
            headers: RequestHeaders::default(),
            user_agent: None,
            concurrency: None,
            max_rate: None,
            crawl_budget: Duration::from_secs(8 * 60),
            deadline: Duration::from_secs(10 * 60),
            retry_pause: Duration::from_millis(500),
            only: None,
            stop: Stop::default(),
        }
    }
}
