//! A site in the table of the start page.

use domain::ports::SiteCard;
use domain::report::Variant;
use domain::run::RunStatus;

use crate::format::Time;
use crate::score::{Scored, change};

/// A site in the table.
pub(super) struct SiteRow {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) address: String,
    /// The report that was made last.
    pub(super) latest: Option<Latest>,
    pub(super) open_critical: u64,
    pub(super) next_run: Option<Time>,
    /// The run that was started last, where it failed.
    pub(super) failed_run: Option<String>,
}

/// The report that was made last.
pub(super) struct Latest {
    pub(super) report_id: String,
    pub(super) overall: Scored,
    pub(super) subscores: Vec<Scored>,
    /// How the overall score changed since the report before; none where there is none.
    pub(super) change: Option<String>,
}

impl SiteRow {
    pub(super) fn new(card: SiteCard, variant: Variant) -> Self {
        let previous = card.previous.map(|report| report.scores.overall(variant));
        let latest = card.latest.map(|report| {
            let overall = report.scores.overall(variant);
            Latest {
                report_id: report.report_id.to_string(),
                overall: Scored::new(overall),
                subscores: report
                    .scores
                    .subscores(variant)
                    .map(|(_, score)| Scored::new(score))
                    .collect(),
                change: previous.map(|before| change(overall, before)),
            }
        });
        let failed = card
            .latest_run
            .filter(|run| run.state.status() == RunStatus::Failed);
        Self {
            id: card.site.id.to_string(),
            name: card.site.name,
            address: card.site.url,
            latest,
            open_critical: card.open_critical,
            next_run: Time::optional(card.next_run_at),
            failed_run: failed.map(|run| run.id.to_string()),
        }
    }
}
