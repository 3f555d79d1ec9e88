//! The catalogue of checks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::Dimension;
use crate::report::Severity;

/// A check of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Id of the check.
    pub check_id: String,
    /// The title: what the check finds.
    pub title: String,
    /// The dimension of the check.
    pub dimension: Dimension,
    /// What the check evaluates: each `page`, `resource` or `origin`, or the `site`.
    pub scope: String,
    /// The severity of its findings.
    pub severity: Severity,
    /// The points of 100 that the check costs where it fails everywhere; 0 if it does not count.
    pub weight: u32,
    /// Whether the check needs a browser.
    pub needs_browser: bool,
    /// The URL of its documentation, a page that needs no key.
    pub help_url: String,
}

/// All checks of the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckList {
    /// The checks, by dimension and id.
    pub checks: Vec<Check>,
}
