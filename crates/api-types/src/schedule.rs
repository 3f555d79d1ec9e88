//! Schedules of automatic audits.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The schedule of automatic audits of a site. For a site without a schedule, `enabled` is `false` and all
/// other fields except `siteId` are `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// The site.
    pub site_id: String,
    /// Whether the schedule is active.
    pub enabled: bool,
    /// The frequency.
    pub frequency: Option<Frequency>,
    /// The cron expression of a `custom` frequency, five fields.
    pub cron: Option<String>,
    /// The IANA time zone of the schedule.
    pub timezone: Option<String>,
    /// When the next run is due, RFC 3339 in UTC.
    pub next_run_at: Option<String>,
    /// When the last scheduled run was started, RFC 3339 in UTC.
    pub last_run_at: Option<String>,
    /// The last scheduled run.
    pub last_run_id: Option<String>,
}

/// How often a site is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Frequency {
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
    /// Every month.
    Monthly,
    /// By a cron expression.
    Custom,
}

/// A new schedule of automatic audits of a site. It replaces the previous schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetScheduleRequest {
    /// Whether the schedule is active. An inactive schedule keeps its settings and starts no runs.
    pub enabled: bool,
    /// The frequency.
    pub frequency: Frequency,
    /// The cron expression: minute, hour, day of month, month, day of week. Only with frequency
    /// `custom`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "30 4 * * 1-5")]
    pub cron: Option<String>,
    /// The IANA time zone of the schedule.
    #[schema(example = "Europe/Berlin")]
    pub timezone: String,
}
