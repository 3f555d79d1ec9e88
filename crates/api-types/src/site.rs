//! Sites and their history.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;
use crate::run::Run;

/// One host of the organization: without a leading `www.`, plus any port that is not the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Id of the site.
    pub site_id: String,
    /// The address of its root.
    pub url: String,
    /// Its name.
    pub name: String,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// The run that was started last, whatever its state.
    pub latest_run: Option<Run>,
    /// The overall score of the run that completed last, 0 to 100.
    pub latest_score: Option<u8>,
    /// How many action items are open or in progress.
    pub open_actions: u64,
}

/// All sites of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteList {
    /// The sites, oldest first.
    pub sites: Vec<Site>,
}

/// The recent runs of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteHistory {
    /// The site.
    pub site_id: String,
    /// Its runs, newest first.
    pub runs: Vec<HistoryRun>,
}

/// A run with its scores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Its overall score, 0 to 100; `null` unless it is completed.
    pub overall_score: Option<u8>,
    /// Its score in each dimension, 0 to 100; `null` unless it is completed.
    pub subscores: Option<PerDimension<u8>>,
}
