//! The calculation of the scores, so that a person can recompute them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;

/// The calculation of the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scoring {
    /// Version of the audit engine.
    pub engine_version: String,
    /// Version of the catalogue of checks. Scores of different catalogue versions are not fully comparable.
    pub catalogue_version: String,
    /// The weights of the dimensions. The overall score is the weighted mean of the subscores, rounded half
    /// up.
    pub weights: PerDimension<u32>,
    /// The calculation of each subscore.
    pub dimensions: PerDimension<DimensionScoring>,
}

/// The calculation of a subscore: 100 minus all deductions, rounded half up, and at most the cap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DimensionScoring {
    /// The sum of the weights of all checks below.
    pub sum_of_weights: u64,
    /// The cap of the subscore, if there is one.
    pub cap: Option<Cap>,
    /// The applicable checks, by id.
    pub checks: Vec<CheckScoring>,
}

/// A finding so severe that it caps the subscore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cap {
    /// The check that found it.
    pub check_id: String,
    /// The maximum subscore, 0 to 100.
    pub maximum: u8,
    /// The reason.
    pub reason: String,
}

/// The deduction of one check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckScoring {
    /// The check.
    pub check_id: String,
    /// The weight of the check in its dimension.
    pub weight: u32,
    /// The number of pages or resources that the check applies to; 1 for a check of the origin or the site.
    pub applicable: u64,
    /// The number of applicable pages or resources that fail the check.
    pub affected: u64,
    /// The score from 0 to 1: 1 − affected / applicable, or the mean grade for a graded check.
    pub score: f64,
    /// The points deducted from the 100 of the dimension: 100 × weight × (1 − score) / sumOfWeights.
    pub deduction: f64,
}
