//! Ending a run with its report.

use crate::action::RunCoverage;
use crate::id::{IssueId, ReportId};
use crate::ports::{
    Claim, Clock, CompletedRun, Held, IdSource, JobQueue, NewOccurrence, NewPage, StoreError,
};
use crate::report::{
    AuditResult, Issue, MAX_OCCURRENCES_PER_ISSUE, MAX_OCCURRENCES_PER_PAGE, Occurrence, PageVisit,
    ReportPair,
};
use crate::run::{RunPhase, RunProgress};
use crate::score::DimensionWeights;

/// How many occurrences are written in one transaction.
pub const OCCURRENCES_A_BATCH: usize = 500;

/// How many pages are written in one transaction.
const PAGES_A_BATCH: usize = 500;

/// Scores a result, writes its pages and occurrences in batches and completes the run. `alive` is
/// called before each batch, to give a sign of life where one is due.
///
/// # Errors
/// When the database fails; the run is then not completed, and can be attempted again.
pub fn conclude(
    queue: &dyn JobQueue,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    weights: &DimensionWeights,
    claim: &Claim,
    result: &AuditResult,
    alive: &mut dyn FnMut() -> Result<Held, StoreError>,
) -> Result<Held, StoreError> {
    let reports = ReportPair::assemble(result, weights);
    for batch in occurrences(&reports.current.issues).chunks(OCCURRENCES_A_BATCH) {
        if alive()? == Held::Lost || queue.write_occurrences(claim, batch)? == Held::Lost {
            return Ok(Held::Lost);
        }
    }
    for batch in pages(&result.pages).chunks(PAGES_A_BATCH) {
        if alive()? == Held::Lost || queue.write_pages(claim, batch)? == Held::Lost {
            return Ok(Held::Lost);
        }
    }
    let coverage = &result.coverage;
    let completed = CompletedRun {
        report_id: ReportId::make(ids),
        issue_ids: reports
            .current
            .issues
            .iter()
            .map(|_| IssueId::make(ids))
            .collect(),
        coverage: RunCoverage::of(result, &reports.current, claim.options.device),
        reports,
        progress: RunProgress {
            phase: RunPhase::Done,
            pages_discovered: coverage.pages_discovered,
            pages_fetched: coverage.pages_fetched,
            pages_audited: coverage.pages_audited,
            percent: 100,
        },
    };
    queue.complete(claim, &completed, ids, clock.now())
}

/// The pages to store, in their order.
fn pages(visits: &[PageVisit]) -> Vec<NewPage> {
    (0_u32..)
        .zip(visits)
        .map(|(position, visit)| NewPage {
            position,
            visit: visit.clone(),
        })
        .collect()
}

/// The occurrences to store: those of each issue in order, bounded by issue and by page.
fn occurrences(issues: &[Issue]) -> Vec<NewOccurrence> {
    let mut all = Vec::new();
    for (number, issue) in (0_u32..).zip(issues) {
        let kept = bounded(&issue.occurrences);
        all.extend(
            (0_u32..)
                .zip(kept)
                .map(|(ordinal, occurrence)| NewOccurrence {
                    issue: number,
                    ordinal,
                    occurrence: occurrence.clone(),
                }),
        );
    }
    all
}

fn bounded(occurrences: &[Occurrence]) -> impl Iterator<Item = &Occurrence> {
    let mut by_page = std::collections::HashMap::new();
    occurrences
        .iter()
        .filter(move |occurrence| {
            let count = by_page.entry(occurrence.url.as_str()).or_insert(0_usize);
            *count += 1;
            *count <= MAX_OCCURRENCES_PER_PAGE
        })
        .take(MAX_OCCURRENCES_PER_ISSUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(url: &str, count: usize) -> Vec<Occurrence> {
        let occurrence = Occurrence {
            url: url.to_owned(),
            selector: None,
            snippet: None,
            line: None,
            message: "No name.".to_owned(),
        };
        vec![occurrence; count]
    }

    #[test]
    fn twenty_a_page_are_stored() {
        let found = [on("/a", 30), on("/b", 5)].concat();
        assert_eq!(bounded(&found).count(), 25);
    }

    #[test]
    fn a_thousand_an_issue_are_stored() {
        let found: Vec<_> = (0..200)
            .flat_map(|page| on(&format!("/{page}"), 10))
            .collect();
        assert_eq!(bounded(&found).count(), 1_000);
    }
}
