//! Sites and their history.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::PerDimension;
use crate::report::LabPage;
use crate::run::Run;
use crate::start_audit::StartAuditOptions;

/// A host of the organization: without a leading `www.`, and with the port if it is not the default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Site {
    /// Id of the site.
    pub site_id: String,
    /// The root URL of the site.
    pub url: String,
    /// Its name.
    pub name: String,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// The latest run, in any status.
    pub latest_run: Option<Run>,
    /// The overall score of the latest completed run, 0 to 100.
    pub latest_score: Option<u8>,
    /// The number of action items that are open or in progress.
    pub open_actions: u64,
}

/// A site to create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateSiteRequest {
    /// The URL of any page of the site: an absolute http or https URL without user name and password.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/")]
    pub url: String,
    /// The name, up to 200 characters; the host by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
}

/// A change of a site: at least one of the fields.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(min_properties = 1)]
pub struct UpdateSiteRequest {
    /// The name, up to 200 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 200)]
    pub name: Option<String>,
    /// The default options of the site's runs. They replace all previous default options; `{}` removes
    /// them.
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SiteHistory {
    /// The site.
    pub site_id: String,
    /// Its runs, newest first.
    pub runs: Vec<HistoryRun>,
}

/// A run with its scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRun {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// The overall score, 0 to 100; `null` unless the run is completed.
    pub overall_score: Option<u8>,
    /// The score of each dimension, 0 to 100; `null` unless the run is completed.
    pub subscores: Option<PerDimension<u8>>,
    /// What a browser measured of the start page; `null` if it did not.
    #[serde(default)]
    pub lab: Option<LabPage>,
}
