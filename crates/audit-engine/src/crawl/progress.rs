//! How far an audit has come.

/// What an audit is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// robots.txt, the start page, sitemaps.
    Discovering,
    /// Pages.
    Crawling,
    /// Resources, external links, well-known places; then the checks of the whole site.
    Scoring,
    /// Done.
    Done,
}

impl Phase {
    /// The name on the wire.
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

/// How far an audit has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub phase: Phase,
    /// URLs of the site met so far.
    pub pages_discovered: u64,
    /// URLs of the site requested so far.
    pub pages_fetched: u64,
    /// Pages judged so far.
    pub pages_audited: u64,
    /// 0 to 100; never falls, and is an estimate.
    pub percent: u8,
}

/// Is told how far an audit has come, from the audit's own task; it must return quickly.
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
