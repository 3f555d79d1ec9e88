//! What is sent to webhooks.
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

/// The body of a delivery. Receivers skip fields and types that they do not know: more may come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When it happened, RFC 3339 in UTC.
    pub timestamp: String,
    /// What happened.
    #[serde(flatten)]
    pub what: EventBody,
}

impl Event {
    /// What happened.
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
    /// A run has a report.
    #[serde(rename = "run.completed")]
    RunCompleted,
    /// A run ended without a report, and not because somebody cancelled it.
    #[serde(rename = "run.failed")]
    RunFailed,
    /// A run found again what had been done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed,
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated,
    /// A schedule was due, and its run was not started.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped,
    /// Somebody asked for a test delivery.
    #[serde(rename = "test")]
    Test,
}

/// What happened, with the particulars: ids, addresses, numbers; never text of an audited page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "data")]
pub enum EventBody {
    /// A run has a report.
    #[serde(rename = "run.completed")]
    RunCompleted(RunCompleted),
    /// A run ended without a report.
    #[serde(rename = "run.failed")]
    RunFailed(RunFailed),
    /// A run found again what had been done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed(IssueRegressed),
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated(ActionUpdated),
    /// A schedule was due, and its run was not started.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped(ScheduleSkipped),
    /// Somebody asked for a test delivery.
    #[serde(rename = "test")]
    Test(Test),
}

/// A run has a report.
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

/// A run ended without a report.
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
    /// Why.
    pub error: RunError,
}

/// A run found again what had been done. `action.updated` tells of the same item that it is open again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IssueRegressed {
    /// The action item that was done.
    pub action_id: String,
    /// The site.
    pub site_id: String,
    /// The check, by its id in the catalogue.
    pub check_id: String,
    /// The dimension it counts for.
    pub dimension: Dimension,
    /// How bad it is.
    pub severity: Severity,
    /// The run that found it.
    pub run_id: String,
    /// The report of that run.
    pub report_id: String,
    /// On how many pages it is.
    pub affected_pages: u64,
}

/// A person or an audit changed an action item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionUpdated {
    /// The item.
    pub action_id: String,
    /// Its site; `null` for one that is about none.
    pub site_id: Option<String>,
    /// Which fields became different, as the resource spells them.
    pub changed: Vec<String>,
    /// Where it stands now.
    pub status: ActionStatus,
    /// How much it matters; `null` where an audit made the change, which leaves it as it is.
    pub priority: Option<Priority>,
    /// The run that made the change; `null` where a person did.
    pub run_id: Option<String>,
}

/// A schedule was due, and its run was not started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduleSkipped {
    /// The site.
    pub site_id: String,
    /// Its address.
    pub url: String,
    /// Why.
    pub reason: SkipReason,
    /// When it was due, RFC 3339 in UTC.
    pub due_at: String,
    /// When it is due next, RFC 3339 in UTC.
    pub next_run_at: Option<String>,
}

/// Why a run of a schedule was not started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The organization has started as many runs this month as its plan allows.
    MonthlyRunLimitHit,
    /// The organization is not on a paid plan, which this server needs.
    PaymentRequired,
    /// An earlier run of the site has not ended.
    RunUnderWay,
    /// The operator does not allow the site's address any more.
    TargetNotAllowed,
    /// The operator does not allow the site's options any more.
    OptionsNotAllowed,
}

/// Somebody asked for a test delivery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Test {
    /// The webhook.
    pub webhook_id: String,
}
