//! The progress of an audit.

use std::time::Duration;

/// The phase of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// robots.txt, the start page, sitemaps.
    Discovering,
    /// Crawling pages.
    Crawling,
    /// Pages in a browser: the crawl while the browser shows all pages, and the measurement of pages after the crawl.
    Rendering,
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
            Self::Rendering => "rendering",
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
    /// Evaluated pages that a browser showed so far.
    pub pages_rendered: u64,
    /// The measurement of pages after the crawl; `None` before it begins.
    pub measuring: Option<Measuring>,
    /// About how long [`Phase::Rendering`] still takes, if that can be told.
    pub time_left: Option<Duration>,
    /// An estimate from 0 to 100. It never decreases.
    pub percent: u8,
    /// What the audit waits for after the crawl; `None` in the other phases.
    pub waiting: Option<Waiting>,
}

/// How many pages a browser has measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measuring {
    /// Pages measured so far.
    pub pages: u64,
    /// Pages that were chosen.
    pub chosen: u64,
}

/// The loads of measured pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoadCounts {
    /// The pages.
    pub(crate) pages: Measuring,
    /// Loads that have ended.
    pub(crate) loads: u32,
    /// Loads that are made if each of them is steady.
    pub(crate) planned: u32,
}

/// What an audit waits for after the crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The requests that are being made.
    pub step: Step,
    /// The number of requests sent since the crawl ended.
    pub requests: u64,
    /// The longest time that this step still takes. What has not responded by then is left out.
    pub at_most: Duration,
}

/// What is done after the crawl, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Well-known URLs such as `/llms.txt`, and pages that name each other as translations.
    WellKnown,
    /// Images, scripts, style sheets, fonts.
    Resources,
    /// Links to other sites.
    ExternalLinks,
}

impl Step {
    /// The percentages of the audit at which this step begins and ends.
    const fn range(self) -> (u8, u8) {
        match self {
            Self::WellKnown => (92, 94),
            Self::Resources => (94, 96),
            Self::ExternalLinks => (96, 99),
        }
    }
}

/// The percentages of an audit with a browser at which the measurement of pages begins and ends.
pub(super) const MEASURING: (u8, u8) = (70, 90);

/// Receives the progress of an audit. It runs on the audit's own task and must return quickly.
pub type OnProgress<'a> = &'a (dyn Fn(&Progress) + Send + Sync);

impl Progress {
    pub(crate) const fn begin() -> Self {
        Self {
            phase: Phase::Discovering,
            pages_discovered: 0,
            pages_fetched: 0,
            pages_audited: 0,
            pages_rendered: 0,
            measuring: None,
            time_left: None,
            percent: 0,
            waiting: None,
        }
    }

    /// The progress after the crawl.
    pub(crate) const fn scoring(
        (discovered, fetched): (u64, u64),
        (audited, rendered): (u64, u64),
    ) -> Self {
        Self {
            phase: Phase::Scoring,
            pages_discovered: discovered,
            pages_fetched: fetched,
            pages_audited: audited,
            pages_rendered: rendered,
            measuring: None,
            time_left: None,
            percent: 92,
            waiting: None,
        }
    }

    /// The same progress once pages are measured, and afterwards.
    pub(crate) fn with_measured(self, counts: Option<LoadCounts>) -> Self {
        Self {
            measuring: counts.map(|counts| counts.pages),
            ..self
        }
    }

    /// The same progress while pages are measured, which has taken this long and takes `at_most` more.
    pub(crate) fn measuring(self, counts: LoadCounts, took: Duration, at_most: Duration) -> Self {
        let (begin, end) = MEASURING;
        let loads = counts.loads.min(counts.planned);
        let done = u32::from(end - begin) * loads / counts.planned.max(1);
        let left = took
            .checked_div(loads)
            .map(|each| each * (counts.planned - loads));
        Self {
            phase: Phase::Rendering,
            time_left: left.map(|left| left.min(at_most)),
            percent: begin + u8::try_from(done).unwrap_or(end - begin),
            ..self.with_measured(Some(counts))
        }
    }

    /// The same progress while a step is under way that may take `whole`.
    pub(crate) fn waiting(self, waiting: Waiting, whole: Duration) -> Self {
        let (begin, end) = waiting.step.range();
        let done = whole.saturating_sub(waiting.at_most).as_millis();
        let of_step = u128::from(end - begin) * done / whole.as_millis().max(1);
        let percent = begin + u8::try_from(of_step).unwrap_or(end - begin);
        Self {
            percent: percent.max(self.percent),
            waiting: Some(waiting),
            ..self
        }
    }

    pub(crate) const fn done(coverage: &domain::report::Coverage) -> Self {
        Self {
            phase: Phase::Done,
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            pages_rendered: coverage.pages_rendered,
            measuring: None,
            time_left: None,
            percent: 100,
            waiting: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(step: Step, left: u64) -> u8 {
        let waiting = Waiting {
            step,
            requests: 7,
            at_most: Duration::from_secs(left),
        };
        Progress::scoring((3, 2), (1, 0))
            .waiting(waiting, Duration::from_secs(40))
            .percent
    }

    #[test]
    fn the_percentage_moves_while_the_audit_waits() {
        assert_eq!(at(Step::WellKnown, 40), 92);
        assert_eq!(at(Step::Resources, 20), 95);
        assert_eq!(at(Step::ExternalLinks, 40), 96);
        assert_eq!(at(Step::ExternalLinks, 0), 99);
        assert_eq!(at(Step::ExternalLinks, 80), 96);
    }

    #[test]
    fn the_time_left_of_a_measurement_follows_from_the_loads_before() {
        let after = |loads, took| {
            let counts = LoadCounts {
                pages: Measuring {
                    pages: 1,
                    chosen: 3,
                },
                loads,
                planned: 5,
            };
            let (took, at_most) = (Duration::from_secs(took), Duration::from_secs(20));
            let progress = Progress::scoring((9, 8), (7, 7)).measuring(counts, took, at_most);
            assert_eq!(progress.phase, Phase::Rendering);
            assert_eq!(progress.measuring, Some(counts.pages));
            (
                progress.percent,
                progress.time_left.map(|left| left.as_secs()),
            )
        };
        assert_eq!(after(0, 3), (70, None));
        assert_eq!(after(3, 6), (82, Some(4)));
        assert_eq!(after(1, 30), (74, Some(20)), "never more than there is");
        assert_eq!(after(6, 60), (90, Some(0)), "a load that is repeated");
    }
}
