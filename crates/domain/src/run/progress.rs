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
        /// Pages in a browser.
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
        percent: 0,
    };
}
