//! The sums behind the scores, so that a person can recompute them by hand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;

/// The sums behind the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scoring {
    /// Version of the engine that audited.
    pub engine_version: String,
    /// Version of the catalogue of checks. Scores of different catalogues compare badly.
    pub catalogue_version: String,
    /// What each dimension counts in the overall score: the mean of the subscores with these
    /// weights, rounded half up.
    pub weights: PerDimension<u32>,
    /// The sum behind each subscore.
    pub dimensions: PerDimension<DimensionScoring>,
}

/// The sum behind one subscore: 100 less all deductions, rounded half up, and no more than the cap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DimensionScoring {
    /// The weights of all checks below, added up.
    pub sum_of_weights: u64,
    /// What holds the subscore down, if anything does.
    pub cap: Option<Cap>,
    /// The checks that were applied, by id.
    pub checks: Vec<CheckScoring>,
}

/// A finding so grave that the subscore cannot be above a maximum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cap {
    /// The check that found it.
    pub check_id: String,
    /// The highest subscore possible, 0 to 100.
    pub maximum: u8,
    /// Why.
    pub reason: String,
}

/// One check's term in the sum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckScoring {
    /// The check.
    pub check_id: String,
    /// What it counts in its dimension.
    pub weight: u32,
    /// How many pages or files it was applied to; 1 for a check of the origin or the site.
    pub applicable: u64,
    /// How many of them are not in order.
    pub affected: u64,
    /// 1 less affected / applicable; for a graded check the mean grade. From 0 to 1.
    pub score: f64,
    /// The points of the dimension's 100 that it costs: 100 × weight × (1 − score) / sumOfWeights.
    pub deduction: f64,
}
