//! Sites and their history.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;
use crate::run::Run;
use crate::start_audit::StartAuditOptions;

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

/// A site to create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateSiteRequest {
    /// Any page of the site: an absolute http or https URL, without a user name or a password.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/")]
    pub url: String,
    /// Its name, up to 200 characters; its host unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
}

/// What to change of a site: at least one of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct UpdateSiteRequest {
    /// Its name, up to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
    /// The options that its runs begin with, where they do not ask for others. They replace those
    /// set before as a whole; `{}` sets none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<StartAuditOptions>,
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
