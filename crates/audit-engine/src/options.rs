//! The options of an audit.

use std::time::Duration;

use domain::render_allowance::RenderAllowance;
use domain::run::RequestHeaders;
use domain::waiver::AuditWaivers;

use crate::check::Check;
use crate::gather::robots::{Pattern, RobotsPath};
use crate::stop::Stop;

/// The crawler's product token in robots.txt and the first word of its user agent.
pub const PRODUCT_TOKEN: &str = "AssayBot";

/// The page that describes the crawler, unless the operator configures another one.
pub const DOCS_URL: &str = "https://assay.example/bot";

/// The default user agent: name, version and a URL for more information.
#[must_use]
pub fn default_user_agent() -> String {
    user_agent(DOCS_URL)
}

/// The user agent with the URL of a page about the crawler.
#[must_use]
pub fn user_agent(contact_url: &str) -> String {
    format!(
        "{PRODUCT_TOKEN}/{} (+{contact_url})",
        env!("CARGO_PKG_VERSION")
    )
}

/// The name, version and URL of the crawler as they stand in the user agent of a browser.
#[must_use]
pub fn product(contact_url: &str) -> String {
    format!(
        "{PRODUCT_TOKEN}/{}; +{contact_url}",
        env!("CARGO_PKG_VERSION")
    )
}

/// The pages that a browser shows, if the auditor has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RenderedPages {
    /// All pages.
    #[default]
    All,
    /// All pages of a site that needs scripts, otherwise a sample of at most 20 pages, three for each pattern of URLs; the
    /// others are judged as they were served. The start page decides, or the page to which it leads by script: a site
    /// needs scripts if the page is an empty application shell as served, or if at least 20 % of its links to the site or
    /// 40 % of its words come from scripts.
    AsNeeded,
}

/// Which pages a browser measures after the crawl, if the auditor has one that does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabOptions {
    /// Maximum number of measured pages: the start page, and the first page of each further pattern of URLs. At most
    /// [`MAX_MEASURED_PAGES`](domain::report::MAX_MEASURED_PAGES).
    pub pages: usize,
    /// How often the start page is loaded. The load with the median Largest Contentful Paint is reported.
    pub start_page_loads: usize,
    /// How far the speed of the machine may change during a load, in percent. Otherwise the page is loaded once more, and
    /// then its checks cannot tell.
    pub most_drift_percent: u32,
}

impl Default for LabOptions {
    fn default() -> Self {
        Self {
            pages: 5,
            start_page_loads: 3,
            most_drift_percent: 25,
        }
    }
}

/// How a site is crawled and audited.
#[derive(Debug, Clone)]
pub struct AuditOptions {
    /// Maximum number of audited pages; at least one. The default is 1,000.
    pub max_pages: u32,
    /// Maximum number of clicks from the start page; `None` for no limit. The start page has depth
    /// 0.
    pub max_depth: Option<u32>,
    /// Pages other than the start page are audited only if their path and query match one of these
    /// patterns; empty for all pages.
    ///
    /// Pages excluded by this option or by `exclude` are still requested if a page links to them,
    /// because wanted pages may be reachable only through them: their links are followed, but no
    /// checks run on them. They count as `excluded` and not towards `max_pages`. Excluded pages that
    /// only a sitemap or feed lists are not requested. To keep the crawler away from a page,
    /// disallow it in robots.txt.
    pub include: Vec<Pattern>,
    /// Pages other than the start page whose path and query match one of these patterns are
    /// excluded.
    pub exclude: Vec<Pattern>,
    /// Whether links and resources on other sites are requested.
    pub external: bool,
    /// Whether robots.txt is obeyed.
    pub respect_robots: bool,
    /// Headers for every request to the site's own origin and no other: scheme, host and port of the
    /// requested start URL. If the start URL is plain http on the default port, https on the same
    /// host counts as well. The headers are sent to no other scheme, host (`www.` is another host)
    /// or port, regardless of redirects, links, resources, sitemaps or probes. If the site echoes a
    /// value of eight characters or more, the audit sees `***`.
    pub headers: RequestHeaders,
    /// Replaces the client's user agent on all requests to all hosts; `None` for the default.
    /// robots.txt rules are still matched against [`PRODUCT_TOKEN`].
    pub user_agent: Option<String>,
    /// Maximum number of concurrent requests; `None` for the politeness default.
    pub concurrency: Option<usize>,
    /// Maximum number of requests per second; `None` for the politeness default.
    pub max_rate: Option<f64>,
    /// Time limit for page requests, after which the audit continues with the pages crawled so far.
    /// By default it is about four fifths of the deadline, to leave time for the rest of the audit.
    pub crawl_budget: Duration,
    /// Time limit for the whole audit, after which it fails.
    pub deadline: Duration,
    /// Delay before a request that got a 5xx or 429 response is retried, doubled each time up to 10 s.
    /// After a 429 or 503, all audits back off from the host for this long, or for its `Retry-After`
    /// of up to 30 s. If `Retry-After` is longer, they back off for eight times this delay, up to 10 s.
    pub retry_pause: Duration,
    /// The pages that a browser shows. Without effect in an auditor that has none.
    pub rendered_pages: RenderedPages,
    /// How many pages a browser may show; `None` for no limit. Further pages are judged as they were served, and the
    /// coverage says so.
    pub rendering: Option<RenderAllowance>,
    /// The pages that a browser measures. Without effect in an auditor that has none.
    pub lab: LabOptions,
    /// Whether pictures are taken of some pages that a browser shows, and of elements that were found:
    /// [`AuditResult::artifacts`](domain::report::AuditResult::artifacts). They show everything that the site sends, also if that is
    /// meant for the headers of the run alone.
    pub pictures: bool,
    /// Checks to run; `None` for the whole catalogue.
    pub only: Option<Vec<&'static Check>>,
    /// The findings that the owner of the site accepts, with their state when the audit begins. What an active waiver
    /// accepts costs nothing and is marked.
    pub waivers: AuditWaivers,
    /// Cancels the audit.
    pub stop: Stop,
}

impl AuditOptions {
    /// Whether the patterns exclude a page.
    pub(crate) fn leaves_out(&self, url: &url::Url) -> bool {
        if self.include.is_empty() && self.exclude.is_empty() {
            return false;
        }
        let path = RobotsPath::from(url);
        let matched = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&path));
        !self.include.is_empty() && !matched(&self.include) || matched(&self.exclude)
    }
}

/// The default maximum number of audited pages.
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
            rendered_pages: RenderedPages::All,
            rendering: None,
            lab: LabOptions::default(),
            pictures: false,
            only: None,
            waivers: AuditWaivers::default(),
            stop: Stop::default(),
        }
    }
}
