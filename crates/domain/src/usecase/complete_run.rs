//! Ending a run with its report.

use std::collections::HashMap;

use crate::action::RunCoverage;
use crate::id::{IssueId, ReportId};
use crate::ports::{
    Claim, Clock, CompletedRun, IdSource, JobQueue, LeaseStatus, NewCause, NewLink, NewOccurrence,
    NewPage, NewPageOrder, NewRedirect, PAGE_ORDER_PART, StoreError,
};
use crate::report::{
    AuditResult, Issue, IssueCause, MAX_FOLDERS, PageSort, PageVisit, ReportPair, SiteLinks,
    SortedPages, folders,
};
use crate::run::RunPhase;
use crate::score::DimensionWeights;

/// How many causes or occurrences are written in one transaction.
pub const OCCURRENCES_A_BATCH: usize = 500;

/// How many pages, link targets or redirect chains are written in one transaction.
const PAGES_A_BATCH: usize = 500;

/// How many parts of orders of pages are written in one transaction.
const ORDERS_A_BATCH: usize = 100;

/// Scores a result, writes its pages, links and occurrences in batches and completes the run. `alive` is
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
    let mut writer = Writer { alive };
    let held = writer.write(&causes(&reports), OCCURRENCES_A_BATCH, |batch| {
        queue.write_causes(claim, batch)
    })? && writer.write(
        &occurrences(&reports.current.issues),
        OCCURRENCES_A_BATCH,
        |batch| queue.write_occurrences(claim, batch),
    )? && writer.write(&pages(&result.pages), PAGES_A_BATCH, |batch| {
        queue.write_pages(claim, batch)
    })? && writer.write(&orders(&result.pages), ORDERS_A_BATCH, |batch| {
        queue.write_page_orders(claim, batch)
    })? && writer.write(&links(&result.links), PAGES_A_BATCH, |batch| {
        queue.write_links(claim, batch)
    })? && writer.write(&redirects(&result.links), PAGES_A_BATCH, |batch| {
        queue.write_redirects(claim, batch)
    })? && writer.write(&folders(&result.pages), MAX_FOLDERS, |all| {
        queue.write_folders(claim, all)
    })?;
    if !held {
        return Ok(LeaseStatus::Lost);
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
        links: result.links.counts,
        reports,
        progress: coverage.progress(RunPhase::Done, 100),
    };
    queue.complete(claim, &completed, ids, clock.now())
}

/// Writes rows in batches, with a sign of life before each.
struct Writer<'a> {
    alive: &'a mut dyn FnMut() -> Result<LeaseStatus, StoreError>,
}

impl Writer<'_> {
    /// Writes all rows; answers whether the claim is still held.
    fn write<T>(
        &mut self,
        rows: &[T],
        at_once: usize,
        write: impl Fn(&[T]) -> Result<LeaseStatus, StoreError>,
    ) -> Result<bool, StoreError> {
        for batch in rows.chunks(at_once) {
            if (self.alive)()? == LeaseStatus::Lost || write(batch)? == LeaseStatus::Lost {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The orders of the pages to store, in parts. That of the crawl is the order in which the pages are stored.
fn orders(visits: &[PageVisit]) -> Vec<NewPageOrder> {
    let pages: Vec<_> = (0_u32..).zip(visits).collect();
    PageSort::stored()
        .flat_map(|sort| {
            let SortedPages { positions, known } = SortedPages::new(sort, &pages);
            let parts = (0_u32..).zip(positions.chunks(PAGE_ORDER_PART));
            let parts = parts.map(|(part, positions)| NewPageOrder {
                sort,
                part,
                known,
                positions: positions.to_vec(),
            });
            parts.collect::<Vec<_>>()
        })
        .collect()
}

/// The link targets to store, in their order.
fn links(links: &SiteLinks) -> Vec<NewLink> {
    let targets = (0_u32..).zip(&links.targets);
    targets
        .map(|(position, target)| NewLink {
            position,
            target: target.clone(),
        })
        .collect()
}

/// The redirect chains to store, in their order.
fn redirects(links: &SiteLinks) -> Vec<NewRedirect> {
    let chains = (0_u32..).zip(&links.chains);
    chains
        .map(|(position, chain)| NewRedirect {
            position,
            chain: chain.clone(),
        })
        .collect()
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
