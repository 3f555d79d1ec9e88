//! Events that are sent to webhooks.
//!
//! ```
//! use api_types::event::{Event, EventType};
//!
//! let event: Event = serde_json::from_str(
//!     r#"{"type":"schedule.skipped","timestamp":"2026-11-21T03:12:00.000Z","data":{
//!         "siteId":"site_01KAK2M4T0B7F2G4H6J8K1M3NP","url":"https://example.com/",
//!         "reason":"monthly_run_limit_hit","dueAt":"2026-11-21T03:12:00.000Z",
//!         "nextRunAt":"2026-11-28T03:12:00.000Z"}}"#,
//! )?;
//! assert_eq!(event.kind(), EventType::ScheduleSkipped);
//! # Ok::<(), serde_json::Error>(())
//! ```

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::action::{ActionStatus, Priority};
use crate::dimension::{Dimension, PerDimension};
use crate::report::Severity;
use crate::run::{RunError, Trigger};

/// The body of a delivery. Receivers must ignore unknown fields and types, because more may be added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When the event happened, RFC 3339 in UTC.
    pub timestamp: String,
    /// The type and data of the event.
    #[serde(flatten)]
    pub what: EventBody,
}

impl Event {
    /// The type and data of the event.
    #[must_use]
    pub const fn kind(&self) -> EventType {
        match self.what {
            EventBody::RunCompleted(_) => EventType::RunCompleted,
            EventBody::RunFailed(_) => EventType::RunFailed,
            EventBody::IssueRegressed(_) => EventType::IssueRegressed,
            EventBody::ActionUpdated(_) => EventType::ActionUpdated,
            EventBody::ScheduleSkipped(_) => EventType::ScheduleSkipped,
            EventBody::Test(_) => EventType::Test,
        }
    }
}

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum EventType {
    /// A run completed and has a report.
    #[serde(rename = "run.completed")]
    RunCompleted,
    /// A run failed. Cancelled runs send no event.
    #[serde(rename = "run.failed")]
    RunFailed,
    /// A run found an issue again whose action item was done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed,
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated,
    /// A scheduled run was skipped.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped,
    /// A test delivery was requested.
    #[serde(rename = "test")]
    Test,
}

/// The type and data of an event: ids, URLs and numbers; never text of an audited page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
pub enum EventBody {
    /// A run completed and has a report.
    #[serde(rename = "run.completed")]
    RunCompleted(RunCompleted),
    /// A run failed.
    #[serde(rename = "run.failed")]
    RunFailed(RunFailed),
    /// A run found an issue again whose action item was done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed(IssueRegressed),
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated(ActionUpdated),
    /// A scheduled run was skipped.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped(ScheduleSkipped),
    /// A test delivery was requested.
    #[serde(rename = "test")]
    Test(Test),
}

/// A run completed and has a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunCompleted {
    /// The run.
    pub run_id: String,
    /// Its site.
    pub site_id: String,
    /// The start URL.
    pub url: String,
    /// What started it.
    pub trigger: Trigger,
    /// The report.
    pub report_id: String,
    /// The overall score, 0 to 100.
    pub overall_score: u8,
    /// The score in each dimension, 0 to 100.
    pub subscores: PerDimension<u8>,
}

/// A run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunFailed {
    /// The run.
    pub run_id: String,
    /// Its site.
    pub site_id: String,
    /// The start URL.
    pub url: String,
    /// What started it.
    pub trigger: Trigger,
    /// The reason.
    pub error: RunError,
}

/// A run found an issue again whose action item was done. `action.updated` reports that the item is open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssueRegressed {
    /// The action item of the issue.
    pub action_id: String,
    /// The site.
    pub site_id: String,
    /// The id of the check.
    pub check_id: String,
    /// The dimension of the check.
    pub dimension: Dimension,
    /// The severity of the issue.
    pub severity: Severity,
    /// The run that found the issue.
    pub run_id: String,
    /// The report of that run.
    pub report_id: String,
    /// The number of affected pages.
    pub affected_pages: u64,
}

/// A person or an audit changed an action item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionUpdated {
    /// The item.
    pub action_id: String,
    /// The site of the item; `null` if it has none.
    pub site_id: Option<String>,
    /// The names of the changed fields.
    pub changed: Vec<String>,
    /// The current status.
    pub status: ActionStatus,
    /// The priority; `null` if an audit made the change, because audits do not change the priority.
    pub priority: Option<Priority>,
    /// The run that made the change; `null` if a person made it.
    pub run_id: Option<String>,
}

/// A scheduled run was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleSkipped {
    /// The site.
    pub site_id: String,
    /// The URL of the site.
    pub url: String,
    /// The reason.
    pub reason: SkipReason,
    /// When the run was due, RFC 3339 in UTC.
    pub due_at: String,
    /// When the next run is due, RFC 3339 in UTC.
    pub next_run_at: Option<String>,
}

/// Why a scheduled run was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The organization reached the monthly run limit of its plan.
    MonthlyRunLimitHit,
    /// The organization is not on a paid plan, which this server requires.
    PaymentRequired,
    /// An earlier run of the site has not ended yet.
    RunUnderWay,
    /// The operator no longer allows the site's address.
    TargetNotAllowed,
    /// The operator no longer allows the site's options.
    OptionsNotAllowed,
}

/// A test delivery was requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// The webhook.
    pub webhook_id: String,
}
