//! The calculation of the scores of a report.

use api_types::dimension::{Dimension, PerDimension};
use api_types::scoring::{CheckScoring, PageScoring, Scoring};
use serde::Serialize;
use utoipa::ToSchema;

/// The maximum number of listed checks per dimension.
const COSTLY: usize = 10;

/// The calculation of a subscore: the mean page score, lowered by the checks of resources, origin and site, and at
/// most the cap.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sum {
    /// The dimension.
    dimension: Dimension,
    /// The subscore.
    subscore: u8,
    /// The weight in the overall score.
    weight: u32,
    /// The number of pages, and the mean of their scores.
    pages: PageScoring,
    /// The cap of the subscore due to a severe finding, and its check.
    cap: Option<Limit>,
    /// The number of applicable checks.
    checks: usize,
    /// The checks that cost most, at most ten.
    costly: Vec<CheckScoring>,
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
            let mut costly: Vec<CheckScoring> = sum
                .checks
                .iter()
                .filter(|check| check.cost > 0.0)
                .cloned()
                .collect();
            costly.sort_by(|a, b| b.cost.total_cmp(&a.cost));
            costly.truncate(COSTLY);
            Some(Sum {
                dimension,
                subscore: *value(subscores, dimension)?,
                weight: *value(&scoring.weights, dimension)?,
                pages: sum.pages.clone(),
                cap: sum.cap.as_ref().map(|cap| Limit {
                    check_id: cap.check_id.clone(),
                    maximum: cap.maximum,
                }),
                checks: sum.checks.len(),
                costly,
            })
        })
        .collect()
}
