//! What happens that others want to know: the events that webhooks are sent.
//!
//! Events say what happened in ids, addresses and numbers, never in the words of an audited page. They are
//! stored in the transaction of the change that they tell of, so there is none without its change and no
//! change without it.

use chrono::{DateTime, Utc};

use crate::Dimension;
use crate::Severity;
use crate::action::{ActionItem, ActionStatus, AuditFacts, Change, Priority, Reopened, RunFacts};
use crate::id::{ActionId, EventId, OrgId, ReportId, RunId, SiteId, WebhookId};
use crate::named_enum::named_enum;
use crate::report::{Scores, Variant};
use crate::run::{RunError, Trigger};
use crate::schedule::SkipReason;

named_enum! {
    /// What an event is about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum EventKind {
        /// A run has a report.
        RunCompleted = "run.completed",
        /// A run failed. Cancelled runs send no event.
        RunFailed = "run.failed",
        /// A run found again what had been done.
        IssueRegressed = "issue.regressed",
        /// A person or an audit changed an action item.
        ActionUpdated = "action.updated",
        /// A schedule was due, and its run was not started.
        ScheduleSkipped = "schedule.skipped",
        /// A test delivery was requested.
        Test = "test",
    }
}

impl EventKind {
    /// Whether it is about action items.
    #[must_use]
    pub const fn is_of_actions(self) -> bool {
        matches!(self, Self::IssueRegressed | Self::ActionUpdated)
    }

    /// Whether a variant of the interface has it: the older one has no action items.
    #[must_use]
    pub const fn is_in(self, variant: Variant) -> bool {
        match variant {
            Variant::Current => true,
            Variant::Legacy => !self.is_of_actions(),
        }
    }

    /// The kinds that a variant of the interface has.
    #[must_use]
    pub fn all_in(variant: Variant) -> Vec<Self> {
        let all = Self::ALL.into_iter();
        all.filter(|kind| kind.is_in(variant)).collect()
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its id, by which receivers tell that they have it already.
    pub id: EventId,
    /// Whose it is.
    pub org_id: OrgId,
    /// When.
    pub at: DateTime<Utc>,
    /// What.
    pub facts: EventFacts,
}

impl Event {
    /// What it is about.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        self.facts.kind()
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventFacts {
    /// A run has a report.
    RunCompleted {
        /// The run.
        run: RunNamed,
        /// The report.
        report_id: ReportId,
        /// Its scores.
        scores: Scores,
    },
    /// A run ended without a report.
    RunFailed {
        /// The run.
        run: RunNamed,
        /// Why.
        error: RunError,
    },
    /// A run found again what had been done.
    IssueRegressed {
        /// The item that was done.
        action_id: ActionId,
        /// The site.
        site_id: SiteId,
        /// The check.
        check_id: String,
        /// Its dimension.
        dimension: Dimension,
        /// How bad it is.
        severity: Severity,
        /// The run that found it.
        run_id: RunId,
        /// The report of that run.
        report_id: ReportId,
        /// On how many pages it is.
        affected_pages: u64,
    },
    /// A person or an audit changed an action item.
    ActionUpdated {
        /// The item.
        action_id: ActionId,
        /// Its site.
        site_id: Option<SiteId>,
        /// The fields that became different, as the wire spells them.
        changed: Vec<String>,
        /// The current status.
        status: ActionStatus,
        /// How much it matters; none where an audit made the change.
        priority: Option<Priority>,
        /// The run that made the change; none where a person did.
        run_id: Option<RunId>,
    },
    /// A schedule was due, and its run was not started.
    ScheduleSkipped {
        /// The site.
        site_id: SiteId,
        /// The address of its root.
        url: String,
        /// Why.
        reason: SkipReason,
        /// When it was due.
        due_at: DateTime<Utc>,
        /// When it is due next.
        next_run_at: Option<DateTime<Utc>>,
    },
    /// A test delivery was requested.
    Test {
        /// The webhook.
        webhook_id: WebhookId,
    },
}

/// A run as events name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunNamed {
    /// Its id.
    pub id: RunId,
    /// Its site.
    pub site_id: SiteId,
    /// The start URL.
    pub url: String,
    /// What started it.
    pub trigger: Trigger,
}

impl EventFacts {
    /// What it is about.
    #[must_use]
    pub const fn kind(&self) -> EventKind {
        match self {
            Self::RunCompleted { .. } => EventKind::RunCompleted,
            Self::RunFailed { .. } => EventKind::RunFailed,
            Self::IssueRegressed { .. } => EventKind::IssueRegressed,
            Self::ActionUpdated { .. } => EventKind::ActionUpdated,
            Self::ScheduleSkipped { .. } => EventKind::ScheduleSkipped,
            Self::Test { .. } => EventKind::Test,
        }
    }

    /// What a person's change of an item tells; `changed` is what
    /// [`ActionPatch::apply`](crate::action::ActionPatch::apply) answered, and not empty.
    #[must_use]
    pub fn of_patch(item: &ActionItem, changed: &[&str]) -> Self {
        Self::ActionUpdated {
            action_id: item.id.clone(),
            site_id: item.site_id.clone(),
            changed: changed.iter().map(|&field| field.to_owned()).collect(),
            status: item.status,
            priority: Some(item.priority),
            run_id: None,
        }
    }

    /// What a change that an audit makes tells. New items and fresh evidence are no events: the report
    /// tells of them.
    #[must_use]
    pub fn of_change(change: &Change, run: &RunFacts<'_>) -> Vec<Self> {
        match change {
            Change::Open(_) | Change::Refresh { .. } => Vec::new(),
            Change::Verify {
                id,
                resolved_at,
                verified_at,
                ..
            } => {
                // What a person said to be done earlier stays done since then.
                let changed = match resolved_at == verified_at {
                    true => &["status", "resolvedAt", "verifiedAt"][..],
                    false => &["verifiedAt"],
                };
                vec![by_audit(id, changed, ActionStatus::Done, run)]
            }
            Change::Dismiss { id, .. } => {
                let changed = ["status", "resolvedAt"];
                vec![by_audit(id, &changed, ActionStatus::Dismissed, run)]
            }
            Change::Reopen { id, why, audit, .. } => match why {
                Reopened::Regression => {
                    let changed = ["status", "resolvedAt", "verifiedAt"];
                    vec![
                        regression(id, audit, run),
                        by_audit(id, &changed, ActionStatus::Open, run),
                    ]
                }
                Reopened::NoLongerWaived => {
                    let changed = ["status", "resolvedAt"];
                    vec![by_audit(id, &changed, ActionStatus::Open, run)]
                }
            },
        }
    }
}

fn by_audit(
    action: &ActionId,
    changed: &[&str],
    status: ActionStatus,
    run: &RunFacts<'_>,
) -> EventFacts {
    EventFacts::ActionUpdated {
        action_id: action.clone(),
        site_id: Some(run.site_id.clone()),
        changed: changed.iter().map(|&field| field.to_owned()).collect(),
        status,
        priority: None,
        run_id: Some(run.run_id.clone()),
    }
}

fn regression(action: &ActionId, audit: &AuditFacts, run: &RunFacts<'_>) -> EventFacts {
    EventFacts::IssueRegressed {
        action_id: action.clone(),
        site_id: run.site_id.clone(),
        check_id: audit.check_id.clone(),
        dimension: audit.dimension,
        severity: audit.severity,
        run_id: run.run_id.clone(),
        report_id: run.report_id.clone(),
        affected_pages: audit.affected_pages,
    }
}
