//! The sums behind the scores of a report.

use api_types::dimension::{Dimension, PerDimension};
use api_types::scoring::{CheckScoring, Scoring};
use serde::Serialize;
use utoipa::ToSchema;

/// The most deductions of a dimension that are told.
const DEDUCTIONS: usize = 10;

/// The sum behind one subscore: 100 less all deductions, rounded half up, and no more than the cap.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sum {
    /// The dimension.
    dimension: Dimension,
    /// Its subscore.
    subscore: u8,
    /// What it counts in the overall score.
    weight: u32,
    /// The weights of all checks in it, added up.
    sum_of_weights: u64,
    /// The highest subscore that a grave finding leaves, and the check that found it.
    cap: Option<Limit>,
    /// How many checks were applied.
    checks: usize,
    /// The checks that cost most, at most ten.
    deductions: Vec<Deduction>,
}

/// What holds a subscore down.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Limit {
    /// The check that found it.
    check_id: String,
    /// The highest subscore possible.
    maximum: u8,
}

/// What a check costs a dimension.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Deduction {
    /// The check.
    check_id: String,
    /// What it counts in its dimension.
    weight: u32,
    /// How many pages or files it was applied to.
    applicable: u64,
    /// How many of them are not in order.
    affected: u64,
    /// The points of 100 that it costs.
    points: f64,
}

/// The six dimensions, in the order they are always in.
const DIMENSIONS: [Dimension; 6] = [
    Dimension::Performance,
    Dimension::Accessibility,
    Dimension::Seo,
    Dimension::Security,
    Dimension::Content,
    Dimension::AiReadiness,
];

/// The value of one dimension; none where the variant does not have it.
pub(super) fn of<T>(values: &PerDimension<T>, dimension: Dimension) -> Option<&T> {
    match dimension {
        Dimension::Performance => Some(&values.performance),
        Dimension::Accessibility => Some(&values.accessibility),
        Dimension::Seo => Some(&values.seo),
        Dimension::Security => Some(&values.security),
        Dimension::Content => Some(&values.content),
        Dimension::AiReadiness => values.ai_readiness.as_ref(),
    }
}

/// The sums behind the subscores, or behind one of them.
pub(super) fn sums(
    scoring: &Scoring,
    subscores: &PerDimension<u8>,
    only: Option<Dimension>,
) -> Vec<Sum> {
    let wanted = DIMENSIONS
        .into_iter()
        .filter(|dimension| only.is_none_or(|only| only == *dimension));
    wanted
        .filter_map(|dimension| {
            let sum = of(&scoring.dimensions, dimension)?;
            let mut costly: Vec<&CheckScoring> = sum
                .checks
                .iter()
                .filter(|check| check.deduction > 0.0)
                .collect();
            costly.sort_by(|a, b| b.deduction.total_cmp(&a.deduction));
            Some(Sum {
                dimension,
                subscore: *of(subscores, dimension)?,
                weight: *of(&scoring.weights, dimension)?,
                sum_of_weights: sum.sum_of_weights,
                cap: sum.cap.as_ref().map(|cap| Limit {
                    check_id: cap.check_id.clone(),
                    maximum: cap.maximum,
                }),
                checks: sum.checks.len(),
                deductions: costly
                    .into_iter()
                    .take(DEDUCTIONS)
                    .map(|check| Deduction {
                        check_id: check.check_id.clone(),
                        weight: check.weight,
                        applicable: check.applicable,
                        affected: check.affected,
                        points: check.deduction,
                    })
                    .collect(),
            })
        })
        .collect()
}
