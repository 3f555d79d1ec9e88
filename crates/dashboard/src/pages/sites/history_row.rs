//! A run in the history of a site.

use domain::ports::HistoryEntry;
use domain::report::Variant;
use domain::run::RunStatus;

use crate::format::Time;
use crate::pages::runs::started_by;
use crate::score::{Scored, change};

/// A run in the table.
pub(super) struct HistoryRow {
    pub(super) run_id: String,
    pub(super) created: Time,
    pub(super) status: &'static str,
    pub(super) started_by: &'static str,
    /// Its report, where it completed.
    pub(super) scored: Option<ScoredRun>,
}

/// The report of a run.
pub(super) struct ScoredRun {
    pub(super) report_id: String,
    pub(super) overall: Scored,
    pub(super) subscores: Vec<Scored>,
    /// How the overall score changed since the report before it on the page.
    pub(super) change: Option<String>,
    /// Whether the form that compares two reports begins with it, as the earlier and as the later one.
    pub(super) is_before: bool,
    pub(super) is_after: bool,
}

/// The rows of a page of the history.
pub(super) fn rows(entries: &[HistoryEntry], variant: Variant) -> Vec<HistoryRow> {
    // From the oldest on, each with the score of the report before it.
    let mut before: Option<u8> = None;
    let mut rows: Vec<_> = entries
        .iter()
        .rev()
        .map(|entry| {
            let scored = entry.run.report_id().zip(entry.scores.as_ref());
            let scored = scored.map(|(report, scores)| {
                let overall = scores.overall(variant);
                let earlier = before.replace(overall);
                ScoredRun {
                    report_id: report.to_string(),
                    overall: Scored::new(overall),
                    subscores: scores
                        .subscores(variant)
                        .map(|(_, score)| Scored::new(score))
                        .collect(),
                    change: earlier.map(|score| change(overall, score)),
                    is_before: false,
                    is_after: false,
                }
            });
            HistoryRow {
                run_id: entry.run.id.to_string(),
                created: Time::new(entry.run.created_at),
                status: status(entry.run.state.status()),
                started_by: started_by(entry.run.trigger),
                scored,
            }
        })
        .collect();
    rows.reverse();
    // The last audit and the one before it.
    let mut scored = rows.iter_mut().filter_map(|row| row.scored.as_mut());
    if let Some(latest) = scored.next() {
        latest.is_after = true;
    }
    if let Some(earlier) = scored.next() {
        earlier.is_before = true;
    }
    rows
}

const fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Queued => "waiting",
        RunStatus::Running => "in progress",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Cancelled => "cancelled",
    }
}
