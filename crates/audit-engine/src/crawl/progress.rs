//! The progress of an audit.

/// The phase of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// robots.txt, the start page, sitemaps.
    Discovering,
    /// Crawling pages.
    Crawling,
    /// Resources, external links and well-known URLs, then the checks of the whole site.
    Scoring,
    /// Done.
    Done,
}

impl Phase {
    /// The name in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Discovering => "discovering",
            Self::Crawling => "crawling",
            Self::Scoring => "scoring",
            Self::Done => "done",
        }
    }
}

/// The progress of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The current phase.
    pub phase: Phase,
    /// URLs of the site discovered so far.
    pub pages_discovered: u64,
    /// URLs of the site requested so far.
    pub pages_fetched: u64,
    /// Pages evaluated so far.
    pub pages_audited: u64,
    /// An estimate from 0 to 100. It never decreases.
    pub percent: u8,
}

/// Receives the progress of an audit. It runs on the audit's own task and must return quickly.
pub type OnProgress<'a> = &'a (dyn Fn(&Progress) + Send + Sync);

impl Progress {
    pub(crate) const fn begin() -> Self {
        Self {
            phase: Phase::Discovering,
            pages_discovered: 0,
            pages_fetched: 0,
            pages_audited: 0,
            percent: 0,
        }
    }

    pub(crate) const fn scoring(discovered: u64, fetched: u64, audited: u64) -> Self {
        Self {
            phase: Phase::Scoring,
            pages_discovered: discovered,
            pages_fetched: fetched,
            pages_audited: audited,
            percent: 92,
        }
    }

    pub(crate) const fn done(coverage: &domain::report::Coverage) -> Self {
        Self {
            phase: Phase::Done,
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            percent: 100,
        }
    }
}
