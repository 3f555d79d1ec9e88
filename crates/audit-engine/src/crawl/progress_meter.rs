//! Measures the progress of a crawl.

use std::time::Duration;

use tokio::time::Instant;

use super::progress::{MEASURING, OnProgress, Phase, Progress};

/// Requested URLs after which the pace of the crawl tells how long it still takes.
const LEAST_FETCHED: u64 = 5;

/// The percentages of the audit at which the crawl begins and ends. Waiting URLs keep it below the end.
const CRAWLING: (u8, u8) = (5, 90);

/// The evaluated pages of a crawl.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evaluated {
    pub(super) pages: u64,
    /// Those that a browser showed.
    pub(super) rendered: u64,
    /// Whether a browser shows all further pages as well, while there is time.
    pub(super) renders_all: bool,
}

/// Counts the URLs of a crawl and reports its progress.
pub(super) struct ProgressMeter<'a> {
    on_progress: OnProgress<'a>,
    max_pages: u32,
    began: Instant,
    /// When a browser shows no more pages; `None` without a browser.
    renders_until: Option<Instant>,
    discovered: u64,
    fetched: u64,
    percent: u8,
}

impl<'a> ProgressMeter<'a> {
    /// The state before the first discovery, for a crawl of at most `max_pages` pages.
    pub(super) fn new(
        on_progress: OnProgress<'a>,
        max_pages: u32,
        renders_until: Option<Instant>,
    ) -> Self {
        Self {
            on_progress,
            max_pages,
            began: Instant::now(),
            renders_until,
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

    /// Reports progress. The percentage never falls.
    pub(super) fn report(&mut self, evaluated: Evaluated) {
        let goal = self.discovered.min(u64::from(self.max_pages)).max(1);
        let fetched = self.fetched.min(goal);
        let begin = CRAWLING.0;
        let end = match self.renders_until {
            Some(_) => MEASURING.0,
            None => CRAWLING.1,
        };
        let share = fetched
            .saturating_mul(u64::from(end - begin))
            .checked_div(goal)
            .unwrap_or(0);
        let percent = u8::try_from(share).unwrap_or(end).saturating_add(begin);
        self.percent = self.percent.max(percent.min(end));
        let now = Instant::now();
        let renders_until = self
            .renders_until
            .filter(|until| evaluated.renders_all && *until > now);
        (self.on_progress)(&Progress {
            phase: match renders_until {
                Some(_) => Phase::Rendering,
                None => Phase::Crawling,
            },
            pages_discovered: self.discovered,
            pages_fetched: self.fetched,
            pages_audited: evaluated.pages,
            pages_rendered: evaluated.rendered,
            measuring: None,
            time_left: renders_until.and_then(|until| {
                let left = time_left(now - self.began, fetched, goal)?;
                Some(left.min(until - now))
            }),
            percent: self.percent,
            waiting: None,
        });
    }
}

/// How long the rest of the crawl takes at its pace.
fn time_left(took: Duration, fetched: u64, goal: u64) -> Option<Duration> {
    if fetched < LEAST_FETCHED {
        return None;
    }
    let left = u32::try_from(goal - fetched).ok()?;
    took.checked_mul(left)?
        .checked_div(u32::try_from(fetched).ok()?)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// The progress of a crawl that found 20 URLs and requested some of them within 10 s.
    fn reported(fetched: u64, renders_for: Option<u64>, renders_all: bool) -> Progress {
        let seen = Mutex::new(None);
        let on_progress = |progress: &Progress| *seen.lock().unwrap() = Some(*progress);
        let renders_until = renders_for.map(|left| Instant::now() + Duration::from_secs(left));
        let mut meter = ProgressMeter::new(&on_progress, 1_000, renders_until);
        meter.began = Instant::now() - Duration::from_secs(10);
        (0..20).for_each(|_| meter.record_discovery(true));
        (0..fetched).for_each(|_| meter.record_fetch());
        meter.report(Evaluated {
            pages: fetched,
            rendered: 3,
            renders_all,
        });
        seen.into_inner().unwrap().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_crawl_whose_pages_are_all_shown_is_rendering() {
        tokio::time::advance(Duration::from_secs(60)).await;
        let rendering = reported(10, Some(100), true);
        assert_eq!((rendering.phase, rendering.percent), (Phase::Rendering, 37));
        assert_eq!(rendering.time_left, Some(Duration::from_secs(10)));
        assert_eq!(rendering.pages_rendered, 3);
        // The browser has less time than the crawl takes.
        assert_eq!(
            reported(10, Some(4), true).time_left,
            Some(Duration::from_secs(4))
        );
        assert_eq!(
            reported(4, Some(100), true).time_left,
            None,
            "too few to tell"
        );
        assert_eq!(reported(20, Some(100), true).percent, 70);
    }

    #[tokio::test(start_paused = true)]
    async fn a_crawl_of_which_few_pages_or_none_are_shown_is_crawling() {
        tokio::time::advance(Duration::from_secs(60)).await;
        for (renders_for, renders_all) in [(Some(100), false), (Some(0), true), (None, true)] {
            let crawling = reported(10, renders_for, renders_all);
            assert_eq!(
                (crawling.phase, crawling.time_left),
                (Phase::Crawling, None)
            );
        }
        assert_eq!(reported(20, None, false).percent, 90);
    }
}
