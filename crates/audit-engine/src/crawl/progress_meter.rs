//! Measures the progress of a crawl.

use super::progress::{OnProgress, Phase, Progress};

/// Counts the URLs of a crawl and reports its progress.
pub(super) struct ProgressMeter<'a> {
    on_progress: OnProgress<'a>,
    max_pages: u32,
    discovered: u64,
    fetched: u64,
    percent: u8,
}

impl<'a> ProgressMeter<'a> {
    /// The state before the first discovery, for a crawl of at most `max_pages` pages.
    pub(super) const fn new(on_progress: OnProgress<'a>, max_pages: u32) -> Self {
        Self {
            on_progress,
            max_pages,
            discovered: 0,
            fetched: 0,
            percent: 0,
        }
    }

    /// URLs of the site that were discovered.
    pub(super) const fn discovered(&self) -> u64 {
        self.discovered
    }

    /// URLs of the site that were requested.
    pub(super) const fn fetched(&self) -> u64 {
        self.fetched
    }

    /// Counts a URL of the site, if it is `new`.
    pub(super) fn record_discovery(&mut self, new: bool) {
        self.discovered += u64::from(new);
    }

    /// Counts a request.
    pub(super) const fn record_fetch(&mut self) {
        self.fetched += 1;
    }

    /// Reports progress after `pages_audited` pages. The percentage never falls.
    pub(super) fn report(&mut self, pages_audited: usize) {
        let goal = self.discovered.min(u64::from(self.max_pages)).max(1);
        // The crawl covers the middle nine tenths. Waiting URLs keep it below the end of that range.
        let share = self
            .fetched
            .min(goal)
            .saturating_mul(85)
            .checked_div(goal)
            .unwrap_or(0);
        self.percent = self
            .percent
            .max(u8::try_from(share).unwrap_or(85).saturating_add(5));
        (self.on_progress)(&Progress {
            phase: Phase::Crawling,
            pages_discovered: self.discovered,
            pages_fetched: self.fetched,
            pages_audited: u64::try_from(pages_audited).unwrap_or(u64::MAX),
            percent: self.percent,
            waiting: None,
        });
    }
}
