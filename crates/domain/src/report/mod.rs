//! What an audit found, and what its report says of it.
//!
//! An [`AuditResult`] holds what the engine counted and saw. [`Report::assemble`] turns it into
//! scores, issues in order and texts; the same result always gives the same report.

mod advice;
mod audit_result;
mod cause;
mod cause_gain;
mod changes;
mod coverage;
mod diff;
mod evidence_budget;
mod file_name;
mod finding;
mod folder;
mod issue;
mod issue_state;
mod known_causes;
mod lab_changes;
mod made;
mod measurement;
mod page;
mod page_filter;
mod page_order;
mod pair;
mod place;
mod repeated;
mod run_facts;
mod scores;
mod site_links;
mod stored;
mod summary;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod unjudged;
mod variant;

pub use advice::advice_for;
pub use audit_result::AuditResult;
pub use cause::IssueCause;
pub use changes::Changes;
pub use coverage::{Coverage, CrawlMode, StoppedBy};
pub use diff::{ComparedIssue, ReportDiff, diff};
pub use evidence_budget::EvidenceBudget;
pub use file_name::file_name;
pub use finding::{Finding, FindingCause, Occurrence};
pub use folder::{Folder, MAX_FOLDER_BYTES, MAX_FOLDER_LEVELS, MAX_FOLDERS, folders};
pub use issue::Issue;
pub use issue_state::IssueState;
pub use known_causes::KnownCauses;
pub use lab_changes::{LabChange, LabChangeKind, LabPageChanges, is_noise, lab_changes};
pub use measurement::{LabMetrics, LabProfile, LabSpread, MAX_MEASURED_PAGES, PageMeasurement};
pub use page::{PageDetails, PageScores, PageVisit};
pub use page_filter::{MAX_PAGE_SEARCH_CHARS, PageFilter, PageListing, StatusFilter};
pub use page_order::{PageCursor, PageOrder, PageSort, SortedPages};
pub use pair::ReportPair;
pub use place::{CauseCursor, OccurrenceCursor};
pub use repeated::{repeated, repeats};
pub use run_facts::RunFacts;
pub use scores::Scores;
pub use site_links::{
    KeptCount, LinkCounts, LinkCursor, LinkKind, LinkTarget, LinkVerdict, MAX_CHAIN_HOPS,
    MAX_LINK_TARGET_BYTES, MAX_LINK_TARGETS, MAX_LINKING_PAGES, MAX_REDIRECT_CHAIN_BYTES,
    MAX_REDIRECT_CHAINS, RedirectChain, RedirectCursor, RedirectHop, SiteLinks,
};
pub use stored::{IssueIdentity, StoredReport};
pub use summary::Summaries;
pub use unjudged::{Unjudged, UnjudgedCheck};
pub use variant::Variant;

pub use crate::fingerprint::{fingerprint, is_fingerprint};
use crate::score::{DimensionWeights, Ledger, Score};
use crate::waiver::AppliedWaiver;

/// Causes of an issue that a page shows of a report, at most.
pub const GLANCE_CAUSES: usize = 5;
/// Occurrences of a cause that a page shows of a report, at most.
pub const GLANCE_OCCURRENCES: usize = 3;
/// Causes of an issue that come with a report, at most.
pub const INLINE_CAUSES: usize = 20;
/// Occurrences of a cause that come with a report, at most.
pub const INLINE_OCCURRENCES: usize = 5;
/// Causes of a check that are kept, at most: more than a person reads, and few enough that a report
/// stays small whatever a site sends.
pub const MAX_CAUSES: usize = 1_000;
/// Occurrences of a check that are kept, at most.
pub const MAX_OCCURRENCES: usize = 1_000;
/// Occurrences of a check on one page that are kept, at most. Beyond them the first occurrence of a
/// cause is kept alone, so that every cause has an example.
pub const MAX_OCCURRENCES_PER_PAGE: usize = 20;
/// Bytes of text in the causes and occurrences of a whole report that are kept, at most. Where there
/// is more, the checks of least gain keep fewer.
pub const MAX_EVIDENCE_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of addresses and titles in the pages of a report that are kept, at most; pages beyond are
/// counted in `coverage.skipped`.
pub const MAX_PAGES_BYTES: usize = 6 * 1024 * 1024;
/// Bytes of descriptions, headings, canonical URLs and languages in the pages of a report that are kept, at most;
/// pages beyond, which have none of them, are counted in `coverage.skipped`.
pub const MAX_PAGE_TEXT_BYTES: usize = 2 * 1024 * 1024;

/// The report on one audit.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Report {
    /// The start page that was audited, after redirects.
    pub url: String,
    /// Which dimensions it speaks of.
    pub variant: Variant,
    /// Scores and the sums behind them.
    pub score: Score,
    /// What to know first, in words.
    pub summaries: Summaries,
    /// What was found, one issue for each check, in the order of [`Issue::most_gain_first`].
    pub issues: Vec<Issue>,
    /// How much of the site was seen.
    pub coverage: Coverage,
    /// Checks that gave no verdict, and why.
    pub unjudged: Vec<UnjudgedCheck>,
    /// The waivers of the audit, also those that accepted nothing and those that have expired.
    pub waivers: Vec<AppliedWaiver>,
    /// What changed since the site's report before; none on the first, and in a report that is not stored.
    pub changes: Option<Changes>,
    /// Version of the engine.
    pub engine_version: String,
    /// Version of the catalogue of checks.
    pub catalogue_version: String,
}

impl Report {
    /// Makes the report of a result.
    #[must_use]
    pub fn assemble(result: &AuditResult, variant: Variant, weights: &DimensionWeights) -> Self {
        let dimensions = variant.dimensions();
        let ledger = Ledger::new(&result.tallies, &result.caps, weights, dimensions);
        let score = ledger.score();
        let mut issues: Vec<_> = result
            .findings
            .iter()
            .filter(|finding| dimensions.contains(&finding.dimension))
            .map(|finding| Issue::new(finding, &result.url, &ledger, &result.coverage))
            .collect();
        issues.sort_by(Issue::most_gain_first);
        let unjudged = unjudged_in(result, variant);
        Self {
            url: result.url.clone(),
            variant,
            summaries: Summaries::write(&score, &issues, &result.coverage, &unjudged),
            score,
            issues,
            coverage: result.coverage.clone(),
            unjudged,
            waivers: waivers_in(result, variant),
            changes: None,
            engine_version: result.engine_version.clone(),
            catalogue_version: result.catalogue_version.clone(),
        }
    }
}

/// The waivers that a report of the variant shows: in one without all dimensions, those of checks that found something.
fn waivers_in(result: &AuditResult, variant: Variant) -> Vec<AppliedWaiver> {
    let dimensions = variant.dimensions();
    let is_shown = |check_id: &str| {
        let mut findings = result.findings.iter();
        dimensions.len() == crate::Dimension::ALL.len()
            || findings
                .any(|found| found.check_id == check_id && dimensions.contains(&found.dimension))
    };
    let waivers = result.waivers.iter();
    let shown = waivers.filter(|applied| is_shown(&applied.waiver.terms.check_id));
    shown.cloned().collect()
}

/// The checks without a verdict, in the order of their dimensions and ids.
fn unjudged_in(result: &AuditResult, variant: Variant) -> Vec<UnjudgedCheck> {
    let mut unjudged: Vec<_> = result
        .unjudged
        .iter()
        .filter(|check| variant.dimensions().contains(&check.dimension))
        .cloned()
        .collect();
    unjudged.sort();
    unjudged
}
