//! How far a run has come, as pages and their events show it.

use chrono::{DateTime, TimeDelta, Utc};
use domain::run::{Run, RunPhase, RunState};
use domain::text::{count, grouped};

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
    /// About how long it still takes; empty where that cannot be told.
    pub(crate) time_left: String,
}

impl Progress {
    pub(crate) fn new(run: &Run, now: DateTime<Utc>) -> Self {
        let progress = &run.progress;
        Self {
            id: run.id.to_string(),
            url: run.url.clone(),
            phase: phase(progress.phase),
            percent: progress.percent.min(100),
            pages_discovered: grouped(progress.pages_discovered),
            pages_fetched: grouped(progress.pages_fetched),
            pages_audited: grouped(progress.pages_audited),
            time_left: match &run.state {
                RunState::Running { started_at } => {
                    time_left(now - *started_at, progress.percent).unwrap_or_default()
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
            "left": self.time_left,
        })
        .to_string()
    }
}

const fn phase(phase: RunPhase) -> &'static str {
    match phase {
        RunPhase::Queued => "Waiting for a worker",
        RunPhase::Discovering => "Reading robots.txt, the start page and sitemaps",
        RunPhase::Crawling => "Auditing pages",
        RunPhase::Rendering => "Auditing pages in a browser",
        RunPhase::Scoring => "Checking the whole site and calculating the scores",
        RunPhase::Done => "Finished",
    }
}

/// About how long a run still takes, at its pace so far.
fn time_left(elapsed: TimeDelta, percent: u8) -> Option<String> {
    if elapsed < LEAST_ELAPSED || !(LEAST_PERCENT..100).contains(&percent) {
        return None;
    }
    let left = elapsed.num_seconds() * (100 - i64::from(percent)) / i64::from(percent);
    let left = left.unsigned_abs();
    Some(match left {
        ..60 => "less than a minute left".to_owned(),
        _ => format!(
            "about {} left",
            count((left + 30) / 60, "minute", "minutes")
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_pace() {
        let left = |seconds, percent| time_left(TimeDelta::seconds(seconds), percent);
        assert_eq!(left(9, 50), None);
        assert_eq!(left(60, 9), None);
        assert_eq!(left(60, 100), None);
        assert_eq!(left(30, 50).as_deref(), Some("less than a minute left"));
        assert_eq!(left(60, 50).as_deref(), Some("about 1 minute left"));
        assert_eq!(left(100, 10).as_deref(), Some("about 15 minutes left"));
    }
}
