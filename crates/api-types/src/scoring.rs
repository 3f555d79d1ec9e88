//! The calculation of the scores, so that a person can recompute them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;
use crate::severity::Severity;

/// The calculation of the scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Scoring {
    /// Version of the scoring model. Scores of different versions are not comparable. Version 1 was a sum: a
    /// subscore was 100 minus all costs, and the overall score their weighted arithmetic mean.
    #[serde(default = "first_version")]
    pub scoring_version: u32,
    /// Version of the audit engine.
    pub engine_version: String,
    /// Version of the catalogue of checks. Scores of different catalogue versions are not fully comparable.
    pub catalogue_version: String,
    /// The weights of the dimensions. The overall score is the weighted harmonic mean of the unrounded
    /// subscores, `Σ weight / Σ (weight / max(subscore, 1))`, rounded half up.
    pub weights: PerDimension<u32>,
    /// The calculation of each subscore.
    pub dimensions: PerDimension<DimensionScoring>,
}

const fn first_version() -> u32 {
    1
}

/// The calculation of a subscore: the mean of the page scores, times (1 − penalty × reach) for each check that is
/// not of pages, in the order of `checks`, and at most the cap. Every product is rounded half up to a billionth,
/// the subscore to whole points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DimensionScoring {
    /// The page scores.
    #[serde(default)]
    pub pages: PageScoring,
    /// The cap of the subscore, if there is one.
    pub cap: Option<Cap>,
    /// The metrics that a browser measured; `null` if nothing was measured. Then the performance score comes from
    /// the checks only.
    #[serde(default)]
    pub metrics: Option<Metrics>,
    /// The applicable checks, in the order of the catalogue.
    pub checks: Vec<CheckScoring>,
}

/// The metrics that a browser measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// The number of measured pages.
    pub pages: u64,
    /// The mean score of the metrics, 0 to 100.
    pub mean: f64,
}

/// The page scores of a dimension. The list of the report's pages has each page's scores.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageScoring {
    /// The number of pages that count; 0 in reports of scoring version 1.
    pub count: u64,
    /// The mean of their scores, 0 to 100, with seven decimals; 100 if no page counts.
    pub mean: f64,
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

/// What one check costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckScoring {
    /// The check.
    pub check_id: String,
    /// What it evaluates: `page`, `resource`, `origin` or `site`. Checks of pages lower the page scores, the others
    /// the subscore.
    pub scope: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// The share of a score that this severity costs, 0 to 1.
    pub penalty: f64,
    /// The number of pages or resources that it evaluated; 1 for a check of the origin or the site.
    pub judged: u64,
    /// How many of them fail.
    pub failed: u64,
    /// The share of the penalty that it costs, 0 to 1: the mean over everything that it evaluated.
    pub reach: f64,
    /// The points that the dimension gains without its findings, 0 to 100.
    pub cost: f64,
}
