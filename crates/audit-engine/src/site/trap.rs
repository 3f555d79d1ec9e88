//! Endless spaces of URLs that the crawl turned back from.

use super::UrlId;

/// Why URLs were taken for an endless space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrapKind {
    /// The path has more than twenty segments.
    DeepPath,
    /// The path goes through one segment more than twice.
    RepeatedSegment,
    /// One path with ever other queries, as calendars and filters have.
    Queries,
    /// One URL with ever other session identifiers.
    Sessions,
    /// Pages that say and link the same as many others before them.
    SamePages,
    /// Redirects that do not come to an end.
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

/// A part of the site that the crawl did not follow any further.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    /// What it was known by.
    pub kind: TrapKind,
    /// The path that the URLs share: all of it for queries and sessions, else its first segment.
    pub path: Box<str>,
    /// The first of the URLs that were not requested.
    pub example: Box<str>,
    /// Its URLs that were met and not requested, in the order met; of tens of thousands the first.
    pub urls: Vec<UrlId>,
}

impl Trap {
    /// How many of its URLs were met and not requested; of tens of thousands at least so many.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        u64::try_from(self.urls.len()).unwrap_or(u64::MAX)
    }
}
