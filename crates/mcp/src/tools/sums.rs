//! The calculation of the scores of a report.

use api_types::dimension::{Dimension, PerDimension};
use api_types::scoring::{CheckScoring, Scoring};
use serde::Serialize;
use utoipa::ToSchema;

/// The maximum number of listed deductions per dimension.
const DEDUCTIONS: usize = 10;

/// The calculation of a subscore: 100 minus all deductions, rounded half up, and at most the cap.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sum {
    /// The dimension.
    dimension: Dimension,
    /// The subscore.
    subscore: u8,
    /// The weight in the overall score.
    weight: u32,
    /// The sum of the weights of its checks.
    sum_of_weights: u64,
    /// The cap of the subscore due to a severe finding, and its check.
    cap: Option<Limit>,
    /// The number of applicable checks.
    checks: usize,
    /// The checks with the largest deductions, at most ten.
    deductions: Vec<Deduction>,
}

/// The cap of a subscore.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Limit {
    /// The check that found it.
    check_id: String,
    /// The maximum subscore.
    maximum: u8,
}

/// The deduction of a check.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Deduction {
    /// The check.
    check_id: String,
    /// The weight in the dimension.
    weight: u32,
    /// The number of pages or resources that it applies to.
    applicable: u64,
    /// The number of applicable pages or resources that fail the check.
    affected: u64,
    /// The points deducted from 100.
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

/// The value of one dimension; `None` if the variant does not have it.
pub(super) fn value<T>(values: &PerDimension<T>, dimension: Dimension) -> Option<&T> {
    match dimension {
        Dimension::Performance => Some(&values.performance),
        Dimension::Accessibility => Some(&values.accessibility),
        Dimension::Seo => Some(&values.seo),
        Dimension::Security => Some(&values.security),
        Dimension::Content => Some(&values.content),
        Dimension::AiReadiness => values.ai_readiness.as_ref(),
    }
}

/// The calculation of all subscores or of one of them.
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
            let sum = value(&scoring.dimensions, dimension)?;
            let mut costly: Vec<&CheckScoring> = sum
                .checks
                .iter()
                .filter(|check| check.deduction > 0.0)
                .collect();
            costly.sort_by(|a, b| b.deduction.total_cmp(&a.deduction));
            Some(Sum {
                dimension,
                subscore: *value(subscores, dimension)?,
                weight: *value(&scoring.weights, dimension)?,
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
