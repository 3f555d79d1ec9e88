//! How much of a site an audit saw.

use std::fmt;

/// How the pages were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CrawlMode {
    /// As the server sent them.
    Static,
    /// In a browser, after their scripts ran.
    Rendered,
}

impl CrawlMode {
    /// Both modes.
    pub const ALL: [Self; 2] = [Self::Static, Self::Rendered];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Rendered => "rendered",
        }
    }
}

impl fmt::Display for CrawlMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What ended a crawl before the site did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoppedBy {
    /// The highest number of pages was reached.
    PageCap,
    /// Further pages are more clicks away than the crawl may go.
    Depth,
    /// The time for the crawl ran out.
    Deadline,
    /// The run was cancelled.
    Cancelled,
}

impl StoppedBy {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::PageCap, Self::Depth, Self::Deadline, Self::Cancelled];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PageCap => "page_cap",
            Self::Depth => "depth",
            Self::Deadline => "deadline",
            Self::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for StoppedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much of a site an audit saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coverage {
    /// How the pages were read.
    pub mode: CrawlMode,
    /// Whether every page found was seen.
    pub complete: bool,
    /// What ended the crawl early.
    pub stopped_by: Option<StoppedBy>,
    /// The number of discovered page URLs.
    pub pages_discovered: u64,
    /// The number of pages that responded.
    pub pages_fetched: u64,
    /// The number of audited pages.
    pub pages_audited: u64,
    /// Requests sent, for pages and all else.
    pub requests: u64,
    /// Addresses not requested, or pages not looked at, remembered or listed whole: reason and how many.
    pub skipped: Vec<(String, u64)>,
}
