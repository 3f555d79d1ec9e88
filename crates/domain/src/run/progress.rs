//! How far a run has come.

use crate::named_enum::named_enum;

named_enum! {
    /// What a run is doing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum RunPhase {
        /// Waiting for a worker.
        Queued = "queued",
        /// robots.txt, the start page, sitemaps.
        Discovering = "discovering",
        /// Pages.
        Crawling = "crawling",
        /// Pages in a browser: while the site is crawled, if the browser shows all of its pages, and while it measures
        /// pages after the crawl.
        Rendering = "rendering",
        /// The checks of the whole site, and the scores.
        Scoring = "scoring",
        /// Nothing any more.
        Done = "done",
    }
}

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunProgress {
    /// What it is doing.
    pub phase: RunPhase,
    /// Addresses of the site met so far.
    pub pages_discovered: u64,
    /// Addresses of the site requested so far.
    pub pages_fetched: u64,
    /// The number of pages audited so far.
    pub pages_audited: u64,
    /// The number of audited pages that a browser showed so far.
    pub pages_rendered: u64,
    /// The number of pages that a browser measured so far; none before it begins to.
    pub pages_measured: Option<u64>,
    /// About how many seconds [`RunPhase::Rendering`] still takes, where that can be told.
    pub seconds_left: Option<u64>,
    /// 0 to 100, an estimate.
    pub percent: u8,
}

impl RunProgress {
    /// A run that waits.
    pub const QUEUED: Self = Self {
        phase: RunPhase::Queued,
        pages_discovered: 0,
        pages_fetched: 0,
        pages_audited: 0,
        pages_rendered: 0,
        pages_measured: None,
        seconds_left: None,
        percent: 0,
    };
}
