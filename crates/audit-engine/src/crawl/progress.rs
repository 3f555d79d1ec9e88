//! The progress of an audit.

use std::time::Duration;

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
    /// What the audit waits for after the crawl; `None` in the other phases.
    pub waiting: Option<Waiting>,
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
    /// Pages that a browser measures. Nothing is requested beside them.
    Measuring,
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
            Self::Measuring => (88, 92),
            Self::WellKnown => (92, 94),
            Self::Resources => (94, 96),
            Self::ExternalLinks => (96, 99),
        }
    }
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
            waiting: None,
        }
    }

    pub(crate) const fn scoring(discovered: u64, fetched: u64, audited: u64) -> Self {
        Self {
            phase: Phase::Scoring,
            pages_discovered: discovered,
            pages_fetched: fetched,
            pages_audited: audited,
            percent: 92,
            waiting: None,
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
        Progress::scoring(3, 2, 1)
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
}
