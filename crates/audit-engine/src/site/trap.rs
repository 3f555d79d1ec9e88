//! Crawl traps: endless URL spaces that the crawl stopped following.

use super::UrlId;

/// The kind of a crawl trap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrapKind {
    /// The path has more than twenty segments.
    DeepPath,
    /// The path repeats one segment more than twice.
    RepeatedSegment,
    /// One path with many different queries, as calendars and filters have.
    Queries,
    /// One URL with many different session identifiers.
    Sessions,
    /// Pages with the same text and links as many earlier pages.
    SamePages,
    /// A redirect loop, or a redirect chain that is too long.
    Redirects,
}

impl TrapKind {
    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::DeepPath => "deep-path",
            Self::RepeatedSegment => "repeated-segment",
            Self::Queries => "queries",
            Self::Sessions => "sessions",
            Self::SamePages => "same-pages",
            Self::Redirects => "redirects",
        }
    }
}

/// A part of the site that the crawl stopped following.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    /// How it was detected.
    pub kind: TrapKind,
    /// The path that the URLs share: the whole path for queries and sessions, else its first segment.
    pub path: Box<str>,
    /// The first of the URLs that were not requested.
    pub example: Box<str>,
    /// The discovered URLs that were not requested, in order of discovery; only the first of tens of thousands.
    pub urls: Vec<UrlId>,
}

impl Trap {
    /// How many of its URLs were discovered and not requested; a lower bound for tens of thousands.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        u64::try_from(self.urls.len()).unwrap_or(u64::MAX)
    }
}
