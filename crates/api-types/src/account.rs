//! The caller's account and the limits of its plan.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::report::Variant;

/// The organization, plan and key of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The organization that the key belongs to.
    pub organization: Organization,
    /// The plan of the organization.
    pub plan: Plan,
    /// The key of this request.
    pub key: Key,
    /// The variant of the API that this server provides.
    pub variant: Variant,
}

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Organization {
    /// Id of the organization.
    pub organization_id: String,
    /// Its name.
    pub name: String,
}

/// The plan of an organization: limits and usage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Id of the plan.
    pub plan_id: String,
    /// Its name.
    pub name: String,
    /// Whether the plan is a paid plan.
    pub paid: bool,
    /// The limits of the plan.
    pub limits: PlanLimits,
    /// The current usage.
    pub usage: PlanUsage,
}

/// The limits of a plan; `null` means no limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimits {
    /// The maximum number of sites.
    pub sites: Option<u64>,
    /// The maximum number of runs started per calendar month.
    pub monthly_runs: Option<u64>,
    /// The maximum number of stored bytes of runs. It never blocks a new run: above it, the oldest runs are
    /// deleted with their reports. The latest run and the latest report of each site are kept.
    pub storage_bytes: Option<u64>,
    /// The maximum number of pages of a run that a browser renders. It never blocks a run: further pages are audited as the
    /// server sends them.
    #[serde(default)]
    pub rendered_pages_per_run: Option<u64>,
    /// The maximum number of pages that a browser renders for the runs started in a calendar month. It never blocks a run.
    #[serde(default)]
    pub monthly_rendered_pages: Option<u64>,
}

/// The usage of a plan by an organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanUsage {
    /// The number of sites.
    pub sites: u64,
    /// The number of runs started in the period, without those that failed with `internal`.
    pub monthly_runs: u64,
    /// The stored bytes of runs: reports, issues, occurrences and pages.
    pub storage_bytes: u64,
    /// The number of audited pages that a browser rendered for the runs started in the period, with the pages that active
    /// runs have reserved.
    #[serde(default)]
    pub monthly_rendered_pages: u64,
    /// The start of the period: the start of the calendar month in UTC, RFC 3339.
    pub period_start: String,
    /// The end of the period: the start of the next month, RFC 3339.
    pub period_end: String,
}

/// An API key without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Id of the key.
    pub key_id: String,
    /// The name of the key, which states its purpose.
    pub name: String,
    /// The first characters of the secret, to recognize the key.
    pub prefix: String,
    /// The role of the key.
    pub role: Role,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// When the key was last used before this request, RFC 3339 in UTC; updated at most once a minute.
    pub last_used_at: Option<String>,
    /// When the key expires, RFC 3339 in UTC; `null` for never.
    pub expires_at: Option<String>,
}

/// The role of a key or member. Each role includes the permissions of the roles before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Read everything and create handoff prompts.
    Read,
    /// Also start and cancel runs, and change action items, comments and briefs.
    Member,
    /// Also manage sites, schedules and webhooks.
    Admin,
}
