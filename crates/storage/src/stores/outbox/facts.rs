//! Stored facts of events.

use chrono::DateTime;
use domain::FailureCode;
use domain::action::{ActionStatus, Priority};
use domain::event::{EventFacts, RunNamed};
use domain::id::{ActionId, ReportId, RunId, SiteId, WebhookId};
use domain::report::Scores;
use domain::run::{RunError, Trigger};
use domain::schedule::SkipReason;
use serde::{Deserialize, Serialize};

use crate::database::error::StorageError;
use crate::database::values::{self, known, storable};

const fn first_scoring_version() -> u32 {
    1
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind")]
enum StoredFacts {
    #[serde(rename = "run.completed")]
    RunCompleted {
        run: StoredRun,
        report_id: String,
        overall: u8,
        overall_legacy: u8,
        subscores: [u8; 6],
        /// Missing in events of earlier versions.
        #[serde(default = "first_scoring_version")]
        scoring_version: u32,
    },
    #[serde(rename = "run.failed")]
    RunFailed {
        run: StoredRun,
        code: String,
        message: String,
    },
    #[serde(rename = "issue.regressed")]
    IssueRegressed {
        action_id: String,
        site_id: String,
        check_id: String,
        dimension: String,
        severity: String,
        run_id: String,
        report_id: String,
        affected_pages: u64,
    },
    #[serde(rename = "action.updated")]
    ActionUpdated {
        action_id: String,
        site_id: Option<String>,
        changed: Vec<String>,
        status: String,
        priority: Option<String>,
        run_id: Option<String>,
    },
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped {
        site_id: String,
        url: String,
        reason: String,
        due_at_ms: i64,
        next_run_at_ms: Option<i64>,
    },
    #[serde(rename = "test")]
    Test { webhook_id: String },
}

#[derive(Serialize, Deserialize)]
struct StoredRun {
    id: String,
    site_id: String,
    url: String,
    trigger: String,
}

pub(super) fn to_json(facts: &EventFacts) -> Result<String, StorageError> {
    values::to_json(&StoredFacts::from_facts(facts))
}

pub(super) fn from_json(stored: &str) -> Result<EventFacts, StorageError> {
    let stored: StoredFacts = values::from_json("event", stored)?;
    stored.read()
}

impl StoredFacts {
    fn from_facts(facts: &EventFacts) -> Self {
        match facts {
            EventFacts::RunCompleted {
                run,
                report_id,
                scores,
            } => Self::RunCompleted {
                run: StoredRun::from_run(run),
                report_id: report_id.to_string(),
                overall: scores.overall,
                overall_legacy: scores.overall_legacy,
                subscores: scores.subscores,
                scoring_version: scores.version,
            },
            EventFacts::RunFailed { run, error } => Self::RunFailed {
                run: StoredRun::from_run(run),
                code: error.code.as_str().to_owned(),
                message: storable(&error.message),
            },
            EventFacts::IssueRegressed {
                action_id,
                site_id,
                check_id,
                dimension,
                severity,
                run_id,
                report_id,
                affected_pages,
            } => Self::IssueRegressed {
                action_id: action_id.to_string(),
                site_id: site_id.to_string(),
                check_id: check_id.clone(),
                dimension: dimension.to_string(),
                severity: severity.to_string(),
                run_id: run_id.to_string(),
                report_id: report_id.to_string(),
                affected_pages: *affected_pages,
            },
            EventFacts::ActionUpdated {
                action_id,
                site_id,
                changed,
                status,
                priority,
                run_id,
            } => Self::ActionUpdated {
                action_id: action_id.to_string(),
                site_id: site_id.as_ref().map(ToString::to_string),
                changed: changed.clone(),
                status: status.as_str().to_owned(),
                priority: priority.map(|priority| priority.to_string()),
                run_id: run_id.as_ref().map(ToString::to_string),
            },
            EventFacts::ScheduleSkipped {
                site_id,
                url,
                reason,
                due_at,
                next_run_at,
            } => Self::ScheduleSkipped {
                site_id: site_id.to_string(),
                url: url.clone(),
                reason: reason.as_str().to_owned(),
                due_at_ms: due_at.timestamp_millis(),
                next_run_at_ms: next_run_at.map(|time| time.timestamp_millis()),
            },
            EventFacts::Test { webhook_id } => Self::Test {
                webhook_id: webhook_id.to_string(),
            },
        }
    }

    fn read(self) -> Result<EventFacts, StorageError> {
        let time = |millis: i64| {
            let time = DateTime::from_timestamp_millis(millis);
            known("time", &millis.to_string(), time)
        };
        Ok(match self {
            Self::RunCompleted {
                run,
                report_id,
                overall,
                overall_legacy,
                subscores,
                scoring_version,
            } => EventFacts::RunCompleted {
                run: run.read()?,
                report_id: stored_as("report", &report_id, ReportId::parse)?,
                scores: Scores {
                    version: scoring_version,
                    overall,
                    overall_legacy,
                    subscores,
                },
            },
            Self::RunFailed { run, code, message } => EventFacts::RunFailed {
                run: run.read()?,
                error: RunError {
                    code: stored_as("failure", &code, FailureCode::named)?,
                    message,
                },
            },
            Self::IssueRegressed {
                action_id,
                site_id,
                check_id,
                dimension,
                severity,
                run_id,
                report_id,
                affected_pages,
            } => EventFacts::IssueRegressed {
                action_id: stored_as("action", &action_id, ActionId::parse)?,
                site_id: stored_as("site", &site_id, SiteId::parse)?,
                check_id,
                dimension: stored_as("dimension", &dimension, |name| name.parse().ok())?,
                severity: stored_as("severity", &severity, |name| name.parse().ok())?,
                run_id: stored_as("run", &run_id, RunId::parse)?,
                report_id: stored_as("report", &report_id, ReportId::parse)?,
                affected_pages,
            },
            Self::ActionUpdated {
                action_id,
                site_id,
                changed,
                status,
                priority,
                run_id,
            } => EventFacts::ActionUpdated {
                action_id: stored_as("action", &action_id, ActionId::parse)?,
                site_id: stored_as_if_any("site", site_id, SiteId::parse)?,
                changed,
                status: stored_as("status", &status, ActionStatus::named)?,
                priority: stored_as_if_any("priority", priority, Priority::named)?,
                run_id: stored_as_if_any("run", run_id, RunId::parse)?,
            },
            Self::ScheduleSkipped {
                site_id,
                url,
                reason,
                due_at_ms,
                next_run_at_ms,
            } => EventFacts::ScheduleSkipped {
                site_id: stored_as("site", &site_id, SiteId::parse)?,
                url,
                reason: stored_as("reason", &reason, SkipReason::named)?,
                due_at: time(due_at_ms)?,
                next_run_at: next_run_at_ms.map(time).transpose()?,
            },
            Self::Test { webhook_id } => EventFacts::Test {
                webhook_id: stored_as("webhook", &webhook_id, WebhookId::parse)?,
            },
        })
    }
}

impl StoredRun {
    fn from_run(run: &RunNamed) -> Self {
        Self {
            id: run.id.to_string(),
            site_id: run.site_id.to_string(),
            url: run.url.clone(),
            trigger: run.trigger.as_str().to_owned(),
        }
    }

    fn read(self) -> Result<RunNamed, StorageError> {
        Ok(RunNamed {
            id: stored_as("run", &self.id, RunId::parse)?,
            site_id: stored_as("site", &self.site_id, SiteId::parse)?,
            trigger: stored_as("trigger", &self.trigger, Trigger::named)?,
            url: self.url,
        })
    }
}

/// Parses a value that is stored by its name.
fn stored_as<T>(what: &str, stored: &str, parse: fn(&str) -> Option<T>) -> Result<T, StorageError> {
    known(what, stored, parse(stored))
}

fn stored_as_if_any<T>(
    what: &str,
    stored: Option<String>,
    parse: fn(&str) -> Option<T>,
) -> Result<Option<T>, StorageError> {
    stored
        .map(|stored| stored_as(what, &stored, parse))
        .transpose()
}
