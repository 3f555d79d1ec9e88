use api_types::event as wire;
use domain::event::{Event, EventFacts, RunNamed};
use domain::report::Variant;
use domain::schedule::SkipReason;
use report::json::{dimension, severity};

use super::same_variants::{ToWire, same_variants};
use super::{run, subscores, time};

same_variants! {
    SkipReason, wire::SkipReason:
    MonthlyRunLimitHit, PaymentRequired, RunUnderWay, TargetNotAllowed, OptionsNotAllowed
}

/// The body of an event for webhooks, always the same bytes for the same event.
#[must_use]
pub fn event_body(event: &Event, variant: Variant) -> Vec<u8> {
    // A struct of strings and numbers always serializes to JSON.
    serde_json::to_vec(&self::event(event, variant)).unwrap_or_default()
}

/// An event.
fn event(event: &Event, variant: Variant) -> wire::Event {
    wire::Event {
        timestamp: time(event.at),
        what: body(&event.facts, variant),
    }
}

fn body(facts: &EventFacts, variant: Variant) -> wire::EventBody {
    match facts {
        EventFacts::RunCompleted {
            run,
            report_id,
            scores,
        } => {
            let run = named(run);
            wire::EventBody::RunCompleted(wire::RunCompleted {
                run_id: run.id,
                site_id: run.site_id,
                url: run.url,
                trigger: run.trigger,
                report_id: report_id.to_string(),
                overall_score: scores.overall(variant),
                subscores: subscores(scores, variant),
            })
        }
        EventFacts::RunFailed { run, error } => {
            let run = named(run);
            wire::EventBody::RunFailed(wire::RunFailed {
                run_id: run.id,
                site_id: run.site_id,
                url: run.url,
                trigger: run.trigger,
                error: run::run_error(error),
            })
        }
        EventFacts::IssueRegressed {
            action_id,
            site_id,
            check_id,
            dimension: of,
            severity: how_bad,
            run_id,
            report_id,
            affected_pages,
        } => wire::EventBody::IssueRegressed(wire::IssueRegressed {
            action_id: action_id.to_string(),
            site_id: site_id.to_string(),
            check_id: check_id.clone(),
            dimension: dimension(*of),
            severity: severity(*how_bad),
            run_id: run_id.to_string(),
            report_id: report_id.to_string(),
            affected_pages: *affected_pages,
        }),
        EventFacts::ActionUpdated {
            action_id,
            site_id,
            changed,
            status,
            priority,
            run_id,
        } => wire::EventBody::ActionUpdated(wire::ActionUpdated {
            action_id: action_id.to_string(),
            site_id: site_id.as_ref().map(ToString::to_string),
            changed: changed.clone(),
            status: status.to_wire(),
            priority: priority.map(ToWire::to_wire),
            run_id: run_id.as_ref().map(ToString::to_string),
        }),
        EventFacts::ScheduleSkipped {
            site_id,
            url,
            reason,
            due_at,
            next_run_at,
        } => wire::EventBody::ScheduleSkipped(wire::ScheduleSkipped {
            site_id: site_id.to_string(),
            url: url.clone(),
            reason: reason.to_wire(),
            due_at: time(*due_at),
            next_run_at: next_run_at.map(time),
        }),
        EventFacts::Test { webhook_id } => wire::EventBody::Test(wire::Test {
            webhook_id: webhook_id.to_string(),
        }),
    }
}

/// The data of a run in events.
struct Named {
    id: String,
    site_id: String,
    url: String,
    trigger: api_types::run::Trigger,
}

fn named(run: &RunNamed) -> Named {
    Named {
        id: run.id.to_string(),
        site_id: run.site_id.to_string(),
        url: run.url.clone(),
        trigger: run.trigger.to_wire(),
    }
}
