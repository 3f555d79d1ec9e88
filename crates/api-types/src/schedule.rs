//! When a site is audited by itself.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// When a site is audited by itself. For a site that was never given a schedule `enabled` is `false`
/// and all else but the site `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Schedule {
    /// The site.
    pub site_id: String,
    /// Whether it is kept.
    pub enabled: bool,
    /// How often.
    pub frequency: Option<Frequency>,
    /// The cron expression of a `custom` frequency, five fields.
    pub cron: Option<String>,
    /// The IANA name of the time zone it is kept in.
    pub timezone: Option<String>,
    /// When the next run is due, RFC 3339 in UTC.
    pub next_run_at: Option<String>,
    /// When its last run was started, RFC 3339 in UTC.
    pub last_run_at: Option<String>,
    /// Its last run.
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

/// When a site is to be audited by itself, from now on. It takes the place of the schedule before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SetScheduleRequest {
    /// Whether it is kept. One that is not keeps its settings and starts nothing.
    pub enabled: bool,
    /// How often.
    pub frequency: Frequency,
    /// The cron expression of a `custom` frequency: minute, hour, day of the month, month, day of the
    /// week. With `custom` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "30 4 * * 1-5")]
    pub cron: Option<String>,
    /// The IANA name of the time zone it is kept in.
    #[schema(example = "Europe/Berlin")]
    pub timezone: String,
}
