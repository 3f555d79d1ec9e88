//! Labels of API values, and conversions of arguments to API values.

use api_types::action::{ActionStatus, BriefStatus, Priority};
use api_types::dimension::{Dimension, PerDimension};
use api_types::handoff::HandoffFormat;
use api_types::report::Severity;
use api_types::run::{Device, Mode, RunPhase, RunProgress, RunStatus};
use api_types::schedule::Frequency;
use api_types::webhook::WebhookEvent;
use audit_engine::checks::find;
use domain::SubjectKind;

use crate::args::{
    ActionStatusArg, DeviceArg, DimensionArg, FrequencyArg, HandoffArg, ModeArg, PriorityArg,
    RunStatusArg, WebhookEventArg,
};

pub(super) const fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Queued => "queued",
        RunStatus::Running => "running",
        RunStatus::Completed => "completed",
        RunStatus::Failed => "failed",
        RunStatus::Cancelled => "cancelled",
    }
}

pub(super) const fn phase(progress: &RunProgress) -> &'static str {
    match progress.phase {
        RunPhase::Queued => "waiting for a worker",
        RunPhase::Discovering => "fetching robots.txt, the start page and sitemaps",
        RunPhase::Crawling => "crawling",
        RunPhase::Rendering if progress.pages_measured.is_some() => "measuring pages in a browser",
        RunPhase::Rendering => "rendering pages in a browser",
        RunPhase::Scoring => "checking resources, links and well-known URLs",
        RunPhase::Done => "done",
    }
}

/// A label with a symbol, so that it is readable without color.
pub(super) const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "▲ critical",
        Severity::Serious => "◆ serious",
        Severity::Moderate => "● moderate",
        Severity::Minor => "○ minor",
        Severity::Info => "· info",
    }
}

pub(super) const fn domain_severity(severity: Severity) -> domain::Severity {
    match severity {
        Severity::Critical => domain::Severity::Critical,
        Severity::Serious => domain::Severity::Serious,
        Severity::Moderate => domain::Severity::Moderate,
        Severity::Minor => domain::Severity::Minor,
        Severity::Info => domain::Severity::Info,
    }
}

pub(super) const fn action_status(status: ActionStatus) -> &'static str {
    match status {
        ActionStatus::Open => "open",
        ActionStatus::InProgress => "in progress",
        ActionStatus::Done => "done",
        ActionStatus::Dismissed => "dismissed",
    }
}

pub(super) const fn priority(priority: Priority) -> &'static str {
    match priority {
        Priority::Critical => "critical",
        Priority::High => "high",
        Priority::Medium => "medium",
        Priority::Low => "low",
    }
}

pub(super) const fn brief_status(status: BriefStatus) -> &'static str {
    match status {
        BriefStatus::None => "none",
        BriefStatus::Queued => "queued",
        BriefStatus::Generating => "generating",
        BriefStatus::Ready => "ready",
        BriefStatus::Failed => "failed",
    }
}

pub(super) const fn frequency(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Daily => "daily",
        Frequency::Weekly => "weekly",
        Frequency::Monthly => "monthly",
        Frequency::Custom => "cron",
    }
}

pub(super) const fn event(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::RunCompleted => "run.completed",
        WebhookEvent::RunFailed => "run.failed",
        WebhookEvent::IssueRegressed => "issue.regressed",
        WebhookEvent::ActionUpdated => "action.updated",
        WebhookEvent::ScheduleSkipped => "schedule.skipped",
    }
}

/// What the findings of a check affect, as reports say it: "12 pages", "48 files", "whole site". Checks that this
/// version does not have are counted in pages.
pub(super) fn reach(check: Option<&str>, affected: u64) -> String {
    let subject = check.and_then(find).map(|check| check.scope.into());
    report::reach_of(subject.unwrap_or(SubjectKind::Page), affected)
}

/// The values with the names of their dimensions, in the usual order.
pub(super) fn by_dimension<T: Copy>(values: &PerDimension<T>) -> Vec<(&'static str, T)> {
    let mut all = vec![
        ("Performance", values.performance),
        ("Accessibility", values.accessibility),
        ("SEO", values.seo),
        ("Security", values.security),
        ("Content", values.content),
    ];
    all.extend(values.ai_readiness.map(|value| ("AI readiness", value)));
    all
}

impl From<RunStatusArg> for RunStatus {
    fn from(status: RunStatusArg) -> Self {
        match status {
            RunStatusArg::Queued => Self::Queued,
            RunStatusArg::Running => Self::Running,
            RunStatusArg::Completed => Self::Completed,
            RunStatusArg::Failed => Self::Failed,
            RunStatusArg::Cancelled => Self::Cancelled,
        }
    }
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Auto => Self::Auto,
            ModeArg::Static => Self::Static,
            ModeArg::Rendered => Self::Rendered,
        }
    }
}

impl From<DeviceArg> for Device {
    fn from(device: DeviceArg) -> Self {
        match device {
            DeviceArg::Mobile => Self::Mobile,
            DeviceArg::Desktop => Self::Desktop,
        }
    }
}

impl From<DimensionArg> for Dimension {
    fn from(dimension: DimensionArg) -> Self {
        match dimension {
            DimensionArg::Performance => Self::Performance,
            DimensionArg::Accessibility => Self::Accessibility,
            DimensionArg::Seo => Self::Seo,
            DimensionArg::Security => Self::Security,
            DimensionArg::Content => Self::Content,
            DimensionArg::AiReadiness => Self::AiReadiness,
        }
    }
}

impl From<ActionStatusArg> for ActionStatus {
    fn from(status: ActionStatusArg) -> Self {
        match status {
            ActionStatusArg::Open => Self::Open,
            ActionStatusArg::InProgress => Self::InProgress,
            ActionStatusArg::Done => Self::Done,
            ActionStatusArg::Dismissed => Self::Dismissed,
        }
    }
}

impl From<PriorityArg> for Priority {
    fn from(priority: PriorityArg) -> Self {
        match priority {
            PriorityArg::Critical => Self::Critical,
            PriorityArg::High => Self::High,
            PriorityArg::Medium => Self::Medium,
            PriorityArg::Low => Self::Low,
        }
    }
}

impl From<HandoffArg> for HandoffFormat {
    fn from(format: HandoffArg) -> Self {
        match format {
            HandoffArg::Markdown => Self::Markdown,
            HandoffArg::Cursor => Self::Cursor,
        }
    }
}

impl From<FrequencyArg> for Frequency {
    fn from(frequency: FrequencyArg) -> Self {
        match frequency {
            FrequencyArg::Daily => Self::Daily,
            FrequencyArg::Weekly => Self::Weekly,
            FrequencyArg::Monthly => Self::Monthly,
        }
    }
}

impl From<WebhookEventArg> for WebhookEvent {
    fn from(event: WebhookEventArg) -> Self {
        match event {
            WebhookEventArg::RunCompleted => Self::RunCompleted,
            WebhookEventArg::RunFailed => Self::RunFailed,
            WebhookEventArg::IssueRegressed => Self::IssueRegressed,
            WebhookEventArg::ActionUpdated => Self::ActionUpdated,
            WebhookEventArg::ScheduleSkipped => Self::ScheduleSkipped,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(Some("cache-policy-weak"), 48, "48 files")]
    #[case(Some("image-alt"), 1, "1 page")]
    #[case(Some("sitemap-missing"), 1, "whole site")]
    #[case(Some("of-a-later-version"), 1_204, "1,204 pages")]
    #[case(None, 2, "2 pages")]
    fn findings_are_counted_in_what_the_check_judges(
        #[case] check: Option<&str>,
        #[case] affected: u64,
        #[case] expected: &str,
    ) {
        assert_eq!(reach(check, affected), expected);
    }
}
