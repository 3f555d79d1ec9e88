//! How far a run has come.

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RunPhase {
    /// Waiting for a worker.
    Queued,
    /// robots.txt, the start page, sitemaps.
    Discovering,
    /// Pages.
    Crawling,
    /// Pages in a browser.
    Rendering,
    /// The checks of the whole site, and the scores.
    Scoring,
    /// Nothing any more.
    Done,
}

impl RunPhase {
    /// All phases, in their order.
    pub const ALL: [Self; 6] = [
        Self::Queued,
        Self::Discovering,
        Self::Crawling,
        Self::Rendering,
        Self::Scoring,
        Self::Done,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Discovering => "discovering",
            Self::Crawling => "crawling",
            Self::Rendering => "rendering",
            Self::Scoring => "scoring",
            Self::Done => "done",
        }
    }

    /// The phase of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == name)
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
