//! The catalogue of checks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::Dimension;
use crate::report::Severity;

/// A check of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Id of the check, the noun of what it finds.
    pub check_id: String,
    /// What it finds, as a headline.
    pub title: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// What it judges: `page`, `resource`, `origin` or `site`.
    pub scope: String,
    /// How much its finding hurts.
    pub severity: Severity,
    /// Its weight in the score of its dimension; 0 where it is no part of it.
    pub weight: u32,
    /// Whether it needs a browser.
    pub needs_browser: bool,
    /// The address of its documentation, a page that needs no key.
    pub help_url: String,
}

/// All checks of the variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckList {
    /// The checks, by dimension and id.
    pub checks: Vec<Check>,
}
