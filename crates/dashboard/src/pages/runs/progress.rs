//! How far a run has come, as pages and their events show it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::run::{Run, RunPhase, RunProgress, RunState};
use domain::text::{grouped, time_left};

/// The shortest time after which a run's pace says when it ends.
const LEAST_ELAPSED: TimeDelta = TimeDelta::seconds(10);
/// The least progress, in percent, after which a run's pace says when it ends.
const LEAST_PERCENT: u8 = 10;

/// How far a run has come, in words and numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) id: String,
    pub(crate) url: String,
    /// What the run is doing.
    pub(crate) phase: &'static str,
    pub(crate) percent: u8,
    pub(crate) pages_discovered: String,
    pub(crate) pages_fetched: String,
    pub(crate) pages_audited: String,
    pub(crate) pages_rendered: String,
    /// About how long it still takes; empty where that cannot be told.
    pub(crate) time_left: String,
}

impl Progress {
    pub(crate) fn new(run: &Run, now: DateTime<Utc>) -> Self {
        let progress = &run.progress;
        Self {
            id: run.id.to_string(),
            url: run.url.clone(),
            phase: phase(progress),
            percent: progress.percent.min(100),
            pages_discovered: grouped(progress.pages_discovered),
            pages_fetched: grouped(progress.pages_fetched),
            pages_audited: grouped(progress.pages_audited),
            pages_rendered: grouped(progress.pages_rendered),
            time_left: match &run.state {
                RunState::Running { started_at } => {
                    left(progress, now - *started_at).unwrap_or_default()
                }
                _ => String::new(),
            },
        }
    }

    /// The same as the data of an event: the texts of the page's elements by their names in `data-live`.
    pub(super) fn event(&self) -> String {
        serde_json::json!({
            "phase": self.phase,
            "percent": self.percent.to_string(),
            "discovered": self.pages_discovered,
            "fetched": self.pages_fetched,
            "audited": self.pages_audited,
            "rendered": self.pages_rendered,
            "left": self.time_left,
        })
        .to_string()
    }
}

const fn phase(progress: &RunProgress) -> &'static str {
    match progress.phase {
        RunPhase::Queued => "Waiting for a worker",
        RunPhase::Discovering => "Reading robots.txt, the start page and sitemaps",
        RunPhase::Crawling => "Auditing pages",
        RunPhase::Rendering if progress.pages_measured.is_some() => {
            "Measuring how fast pages load in a browser"
        }
        RunPhase::Rendering => "Auditing pages in a browser",
        RunPhase::Scoring => "Checking the whole site and calculating the scores",
        RunPhase::Done => "Finished",
    }
}

/// About how long a run still takes: what the browser still needs, otherwise what follows from the pace of the run so far.
fn left(progress: &RunProgress, elapsed: TimeDelta) -> Option<String> {
    match (progress.phase, progress.seconds_left) {
        (RunPhase::Rendering, Some(seconds)) => {
            Some(format!("{} for the browser", time_left(seconds)))
        }
        (RunPhase::Rendering, None) => None,
        _ => left_at_pace(elapsed, progress.percent),
    }
}

/// About how long a run still takes, at its pace so far.
fn left_at_pace(elapsed: TimeDelta, percent: u8) -> Option<String> {
    if elapsed < LEAST_ELAPSED || !(LEAST_PERCENT..100).contains(&percent) {
        return None;
    }
    let left = elapsed.num_seconds() * (100 - i64::from(percent)) / i64::from(percent);
    Some(time_left(left.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_pace() {
        let left = |seconds, percent| left_at_pace(TimeDelta::seconds(seconds), percent);
        assert_eq!(left(9, 50), None);
        assert_eq!(left(60, 9), None);
        assert_eq!(left(60, 100), None);
        assert_eq!(left(30, 50).as_deref(), Some("less than a minute left"));
        assert_eq!(left(60, 50).as_deref(), Some("about 1 minute left"));
        assert_eq!(left(100, 10).as_deref(), Some("about 15 minutes left"));
    }

    #[test]
    fn what_the_browser_still_needs_is_told_while_it_works() {
        let mut progress = RunProgress {
            phase: RunPhase::Rendering,
            percent: 50,
            seconds_left: Some(130),
            ..RunProgress::QUEUED
        };
        let elapsed = TimeDelta::seconds(100);
        let told = left(&progress, elapsed);
        assert_eq!(
            told.as_deref(),
            Some("about 2 minutes left for the browser")
        );
        progress.seconds_left = None;
        assert_eq!(left(&progress, elapsed), None);
        assert_eq!(phase(&progress), "Auditing pages in a browser");
        progress.pages_measured = Some(0);
        assert_eq!(
            phase(&progress),
            "Measuring how fast pages load in a browser"
        );
    }
}
