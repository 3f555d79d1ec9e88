//! The sums that lead to the scores.

use domain::Dimension;
use domain::report::Report;
use domain::score::{CheckScore, DimensionScore};
use domain::text::grouped;

use crate::scored::Scored;
use crate::wording::score::decimals;

/// The sum of a dimension.
pub struct SumView<'a> {
    /// Of which.
    pub dimension: Dimension,
    /// The score it leads to.
    pub score: &'a DimensionScore,
    /// The weights of its checks together.
    pub sum_of_weights: String,
    /// Its checks, those that cost most first.
    pub terms: Vec<TermView<'a>>,
}

/// What a check contributes.
pub struct TermView<'a> {
    /// Its id.
    pub check_id: &'a str,
    /// What it counts in its dimension.
    pub weight: u32,
    /// How many subjects it was applied to.
    pub applicable: String,
    /// How many of them are not in order.
    pub affected: String,
    /// The part of the subjects that is in order, from 0 to 1.
    pub score: String,
    /// The points deducted from the dimension's 100.
    pub deduction: String,
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
