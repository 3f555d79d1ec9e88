//! Ending a run with its report.

use std::collections::HashMap;

use crate::action::RunCoverage;
use crate::id::{IssueId, ReportId};
use crate::ports::{
    Claim, Clock, CompletedRun, IdSource, JobQueue, LeaseStatus, NewCause, NewOccurrence, NewPage,
    StoreError,
};
use crate::report::{AuditResult, Issue, IssueCause, PageVisit, ReportPair};
use crate::run::{RunPhase, RunProgress};
use crate::score::DimensionWeights;

/// How many causes or occurrences are written in one transaction.
pub const OCCURRENCES_A_BATCH: usize = 500;

/// How many pages are written in one transaction.
const PAGES_A_BATCH: usize = 500;

/// Scores a result, writes its pages and occurrences in batches and completes the run. `alive` is
/// called before each batch, to give a sign of life where one is due.
///
/// # Errors
/// When the database fails; the run is then not completed, and can be attempted again.
pub fn complete_run(
    queue: &dyn JobQueue,
    clock: &dyn Clock,
    ids: &dyn IdSource,
    weights: &DimensionWeights,
    claim: &Claim,
    result: &AuditResult,
    alive: &mut dyn FnMut() -> Result<LeaseStatus, StoreError>,
) -> Result<LeaseStatus, StoreError> {
    let reports = ReportPair::assemble(result, weights);
    for batch in causes(&reports).chunks(OCCURRENCES_A_BATCH) {
        if alive()? == LeaseStatus::Lost || queue.write_causes(claim, batch)? == LeaseStatus::Lost {
            return Ok(LeaseStatus::Lost);
        }
    }
    for batch in occurrences(&reports.current.issues).chunks(OCCURRENCES_A_BATCH) {
        if alive()? == LeaseStatus::Lost
            || queue.write_occurrences(claim, batch)? == LeaseStatus::Lost
        {
            return Ok(LeaseStatus::Lost);
        }
    }
    for batch in pages(&result.pages).chunks(PAGES_A_BATCH) {
        if alive()? == LeaseStatus::Lost || queue.write_pages(claim, batch)? == LeaseStatus::Lost {
            return Ok(LeaseStatus::Lost);
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
        coverage: RunCoverage::from_result(result, &reports.current, claim.options.device),
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

/// The causes to store, in their order over all issues.
fn causes(reports: &ReportPair) -> Vec<NewCause> {
    let legacy: HashMap<_, _> = causes_of(&reports.legacy.issues)
        .map(|(_, _, cause)| (cause.fingerprint.as_str(), cause.score_impact))
        .collect();
    (0_u32..)
        .zip(causes_of(&reports.current.issues))
        .map(|(position, (issue, ordinal, cause))| NewCause {
            position,
            issue,
            ordinal,
            score_impact_legacy: legacy.get(cause.fingerprint.as_str()).copied(),
            cause: IssueCause {
                occurrences: Vec::new(),
                ..cause.clone()
            },
        })
        .collect()
}

/// The occurrences to store, in their order.
fn occurrences(issues: &[Issue]) -> Vec<NewOccurrence> {
    (0_u32..)
        .zip(causes_of(issues))
        .flat_map(|(position, (_, _, cause))| {
            (0_u32..)
                .zip(&cause.occurrences)
                .map(move |(ordinal, occurrence)| NewOccurrence {
                    cause: position,
                    ordinal,
                    occurrence: occurrence.clone(),
                })
        })
        .collect()
}

/// The causes of all issues, each with the place of its issue and its own place there.
fn causes_of(issues: &[Issue]) -> impl Iterator<Item = (u32, u32, &IssueCause)> {
    (0_u32..).zip(issues).flat_map(|(place, issue)| {
        let causes = (0_u32..).zip(&issue.causes);
        causes.map(move |(ordinal, cause)| (place, ordinal, cause))
    })
}
