//! The sums that lead to the scores.

use domain::Dimension;
use domain::report::Report;
use domain::score::{CheckScore, DimensionScore};
use domain::text::grouped;

use crate::scored::Scored;
use crate::wording::score::decimals;

/// The sum of a dimension.
pub(crate) struct SumView<'a> {
    /// Of which.
    pub(crate) dimension: Dimension,
    /// The score it leads to.
    pub(crate) score: &'a DimensionScore,
    /// The weights of its checks together.
    pub(crate) sum_of_weights: String,
    /// Its checks, those that cost most first.
    pub(crate) terms: Vec<TermView<'a>>,
}

/// What a check contributes.
pub(crate) struct TermView<'a> {
    pub(crate) check_id: &'a str,
    pub(crate) weight: u32,
    pub(crate) applicable: String,
    pub(crate) affected: String,
    pub(crate) score: String,
    pub(crate) deduction: String,
}

/// The sums of the dimensions whose scores mean something.
pub(super) fn sums<'a>(report: &'a Report, scored: &'a Scored) -> Vec<SumView<'a>> {
    let dimensions = scored.dimensions(report);
    dimensions
        .map(|(dimension, score)| SumView {
            dimension,
            score,
            sum_of_weights: grouped(score.sum_of_weights),
            terms: terms(score),
        })
        .collect()
}

fn terms(score: &DimensionScore) -> Vec<TermView<'_>> {
    let mut checks: Vec<_> = score.checks.iter().collect();
    checks.sort_by(|one, other| {
        let costs = other.deduction.cmp(&one.deduction);
        costs.then_with(|| one.check_id.cmp(&other.check_id))
    });
    let terms = checks.into_iter().map(|check: &CheckScore| TermView {
        check_id: &check.check_id,
        weight: check.weight,
        applicable: grouped(check.applicable),
        affected: grouped(check.affected),
        score: decimals(&check.score, 4),
        deduction: decimals(&check.deduction, 3),
    });
    terms.collect()
}
