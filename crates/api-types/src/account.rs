//! Who is calling, and what the plan allows.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::report::Variant;

/// The organization, plan and key behind a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    /// The organization that the key opens.
    pub organization: Organization,
    /// Its plan.
    pub plan: Plan,
    /// The key of this call.
    pub key: Key,
    /// Which variant of the interface this server speaks.
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

/// What an organization may use, and has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// Id of the plan.
    pub plan_id: String,
    /// Its name.
    pub name: String,
    /// Whether it is a paid plan.
    pub paid: bool,
    /// Its caps.
    pub limits: PlanLimits,
    /// What is used of them.
    pub usage: PlanUsage,
}

/// The caps of a plan; `null` where there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanLimits {
    /// Sites at most.
    pub sites: Option<u64>,
    /// Runs started in a calendar month at most.
    pub monthly_runs: Option<u64>,
    /// Bytes stored of runs at most. A start is never refused for it: beyond it the oldest runs are
    /// removed with their reports, but of each site the latest run and the latest report.
    pub storage_bytes: Option<u64>,
}

/// What an organization has used of its plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanUsage {
    /// Its sites.
    pub sites: u64,
    /// The runs started in the period, less those that failed with `internal`.
    pub monthly_runs: u64,
    /// Bytes stored of its runs: reports, issues, occurrences and pages.
    pub storage_bytes: u64,
    /// When the period began: the first moment of the calendar month in UTC, RFC 3339.
    pub period_start: String,
    /// When it ends: the first moment of the next month, RFC 3339.
    pub period_end: String,
}

/// A key, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Key {
    /// Id of the key.
    pub key_id: String,
    /// What it is for.
    pub name: String,
    /// The beginning of the secret, by which a person recognizes it.
    pub prefix: String,
    /// What it allows.
    pub role: Role,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// When it was last used before this call, RFC 3339 in UTC; kept to the minute.
    pub last_used_at: Option<String>,
    /// When it stops working, RFC 3339 in UTC; `null` for never.
    pub expires_at: Option<String>,
}

/// What a key allows. Each role may do all that those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Look at everything, and ask for handoff prompts.
    Read,
    /// Also start and cancel runs, and work on actions.
    Member,
    /// Also change sites, schedules and webhooks.
    Admin,
}
