//! What changed since the site's report before.

use std::collections::BTreeMap;

use crate::Dimension;
use crate::id::ReportId;

/// What changed since the site's report before, in numbers, for the dimensions of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Changes {
    /// The report before.
    pub against: ReportId,
    /// The overall score less that of the report before.
    pub score_change: i16,
    /// Each subscore less that of the report before.
    pub subscore_changes: BTreeMap<Dimension, i16>,
    /// Whether the scores come from different scoring models, so that their changes say nothing about the
    /// site.
    pub scoring_version_changed: bool,
    /// Issues whose checks the report before did not have.
    pub new_issues: u64,
    /// Issues of the report before whose checks this one does not have.
    pub fixed_issues: u64,
    /// Audited pages that the report before did not have.
    pub new_pages: u64,
    /// Audited pages of the report before that this one does not have.
    pub gone_pages: u64,
}
