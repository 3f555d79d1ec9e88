//! What the engine hands over.

use super::{Coverage, Finding, PageVisit, SiteLinks, UnjudgedCheck};
use crate::artifact::Artifact;
use crate::score::{Cap, Tallies};
use crate::waiver::AppliedWaiver;

/// Everything one audit counted and saw, before it is scored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct AuditResult {
    /// The URL that was asked for.
    pub requested_url: String,
    /// The start page that was audited, after redirects.
    pub url: String,
    /// How much of the site was seen.
    pub coverage: Coverage,
    /// The page scores, and one count for each check that gave a verdict.
    pub tallies: Tallies,
    /// What holds dimensions down.
    pub caps: Vec<Cap>,
    /// What was found: one for each check and cause.
    pub findings: Vec<Finding>,
    /// The waivers of the audit, with the number of occurrences that each accepted.
    pub waivers: Vec<AppliedWaiver>,
    /// The checks that gave no verdict, and why.
    pub unjudged: Vec<UnjudgedCheck>,
    /// The addresses of the site that were asked for, in the order of the crawl.
    pub pages: Vec<PageVisit>,
    /// Where the links of the site lead.
    #[cfg_attr(feature = "serde", serde(default))]
    pub links: SiteLinks,
    /// Pictures of pages and of what was found on them, in the order of their ids. At most [`MAX_ARTIFACTS`] of
    /// [`MAX_RUN_ARTIFACT_BYTES`] bytes in all.
    ///
    /// [`MAX_ARTIFACTS`]: crate::artifact::MAX_ARTIFACTS
    /// [`MAX_RUN_ARTIFACT_BYTES`]: crate::artifact::MAX_RUN_ARTIFACT_BYTES
    #[cfg_attr(feature = "serde", serde(default))]
    pub artifacts: Vec<Artifact>,
    /// The ids of all checks that the audit had, whatever they said.
    pub catalogue: Vec<String>,
    /// Version of the engine.
    pub engine_version: String,
    /// Version of the catalogue of checks.
    pub catalogue_version: String,
}
