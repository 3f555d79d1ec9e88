//! What an audit found, and what its report says of it.
//!
//! An [`AuditResult`] holds what the engine counted and saw. [`Report::assemble`] turns it into
//! scores, issues in order and texts; the same result always gives the same report.

mod audit_result;
mod coverage;
mod diff;
mod finding;
mod issue;
mod page;
mod pair;
mod place;
mod scores;
mod summary;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod unjudged;
mod variant;

pub use audit_result::AuditResult;
pub use coverage::{Coverage, CrawlMode, StoppedBy};
pub use diff::{IdentifiedIssue, ReportDiff, diff};
pub use finding::{Finding, Occurrence, SubjectKind};
pub use issue::Issue;
pub use page::{PageCursor, PageVisit};
pub use pair::ReportPair;
pub use place::OccurrenceCursor;
pub use scores::Scores;
pub use summary::Summaries;
pub use unjudged::{Unjudged, UnjudgedCheck};
pub use variant::Variant;

use crate::score::{DimensionWeights, Ledger, Score};

/// How many occurrences of an issue come with a report.
pub const INLINE_OCCURRENCES: usize = 20;
/// How many occurrences of an issue are kept at most, of all that were found.
pub const MAX_OCCURRENCES_PER_ISSUE: usize = 1_000;
/// How many occurrences of an issue are kept for each page at most.
pub const MAX_OCCURRENCES_PER_PAGE: usize = 20;

/// The report on one audit.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The start page that was audited, after redirects.
    pub url: String,
    /// Which dimensions it speaks of.
    pub variant: Variant,
    /// Scores and the sums behind them.
    pub score: Score,
    /// What to know first, in words.
    pub summaries: Summaries,
    /// What was found, worst first.
    pub issues: Vec<Issue>,
    /// How much of the site was seen.
    pub coverage: Coverage,
    /// Checks that gave no verdict, and why.
    pub unjudged: Vec<UnjudgedCheck>,
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
            .map(|finding| Issue::of(finding, &ledger, &result.coverage))
            .collect();
        issues.sort_by(Issue::worst_first);
        Self {
            url: result.url.clone(),
            variant,
            summaries: Summaries::write(&score, &issues, &ledger, &result.coverage),
            score,
            issues,
            coverage: result.coverage.clone(),
            unjudged: unjudged_in(result, variant),
            engine_version: result.engine_version.clone(),
            catalogue_version: result.catalogue_version.clone(),
        }
    }
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
