use std::collections::BTreeSet;

use api_types::event::EventType;
use api_types::webhook as wire;
use domain::event::EventKind;
use domain::ports::{DeliveryPage, NewWebhook};
use domain::report::Variant;
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryStatus, Webhook, WebhookState};

use super::same_variants::{ToWire, same_variants};
use super::time;
use crate::input::InvalidFields;
use httpkit::problem::{FieldCode, Problem};

same_variants! {
    EventKind, EventType:
    RunCompleted, RunFailed, IssueRegressed, ActionUpdated, ScheduleSkipped, Test
}
same_variants! { DeliveryStatus, wire::DeliveryStatus: Pending, Delivered, Failed, Cancelled }

/// A webhook, with those of its events that the variant has.
pub(crate) fn webhook(webhook: &Webhook, variant: Variant) -> wire::Webhook {
    wire::Webhook {
        webhook_id: webhook.id.to_string(),
        url: webhook.url.clone(),
        events: webhook
            .events
            .iter()
            .filter(|kind| kind.is_in(variant))
            .filter_map(|kind| wanted(*kind))
            .collect(),
        enabled: webhook.state == WebhookState::Enabled,
        disabled_reason: match webhook.state {
            WebhookState::Enabled => None,
            WebhookState::TurnedOff => Some(wire::DisabledReason::TurnedOff),
            WebhookState::Gone => Some(wire::DisabledReason::Gone),
        },
        created_at: time(webhook.created_at),
        updated_at: time(webhook.updated_at),
    }
}

/// A created webhook with its secret.
pub(crate) fn created_webhook(new: &NewWebhook, variant: Variant) -> wire::CreatedWebhook {
    wire::CreatedWebhook {
        webhook: webhook(&new.webhook, variant),
        secret: new.secret.expose().to_owned(),
    }
}

/// All webhooks.
pub(crate) fn webhooks(webhooks: &[Webhook], variant: Variant) -> wire::WebhookList {
    let webhooks = webhooks.iter();
    wire::WebhookList {
        webhooks: webhooks.map(|one| webhook(one, variant)).collect(),
    }
}

/// The events of a request: at least one, each once, and each one that the variant has.
pub(crate) fn webhook_events(
    asked: &[wire::WebhookEvent],
    variant: Variant,
    invalid: &mut InvalidFields,
) -> Option<BTreeSet<EventKind>> {
    let mut events = BTreeSet::new();
    let mut are_valid = !asked.is_empty();
    let mut refuse = |code, field: String, message: &str| {
        invalid.add(Problem::coded(code, field, message));
        are_valid = false;
    };
    if asked.is_empty() {
        let message = "At least one event is required.";
        refuse(FieldCode::OutOfRange, "events".to_owned(), message);
    }
    for (index, event) in asked.iter().enumerate() {
        let kind = kind(*event);
        let field = || format!("events[{index}]");
        if !kind.is_in(variant) {
            refuse(FieldCode::UnknownValue, field(), "");
        } else if !events.insert(kind) {
            let message = "The event is listed more than once.";
            refuse(FieldCode::Repeated, field(), message);
        }
    }
    are_valid.then_some(events)
}

/// A problem of a body, with the events of the variant for each unknown event.
pub(crate) fn webhook_problem(problem: Problem, variant: Variant) -> Problem {
    let mut errors = problem.clone().into_fields();
    let events = errors
        .iter_mut()
        .filter(|error| error.code == FieldCode::UnknownValue.as_str())
        .filter(|error| error.field.starts_with("events["));
    let mut is_about_events = false;
    for error in events {
        error.message = needed(variant);
        error.allowed = names(variant);
        is_about_events = true;
    }
    match is_about_events {
        true => problem.with_fields(errors),
        false => problem,
    }
}

fn needed(variant: Variant) -> String {
    format!("Must be one of {}.", names(variant).join(", "))
}

/// The names of the events of a variant.
fn names(variant: Variant) -> Vec<String> {
    let kinds = EventKind::all_in(variant).into_iter();
    let kinds = kinds.filter(|kind| wanted(*kind).is_some());
    kinds.map(|kind| kind.as_str().to_owned()).collect()
}

const fn kind(event: wire::WebhookEvent) -> EventKind {
    match event {
        wire::WebhookEvent::RunCompleted => EventKind::RunCompleted,
        wire::WebhookEvent::RunFailed => EventKind::RunFailed,
        wire::WebhookEvent::IssueRegressed => EventKind::IssueRegressed,
        wire::WebhookEvent::ActionUpdated => EventKind::ActionUpdated,
        wire::WebhookEvent::ScheduleSkipped => EventKind::ScheduleSkipped,
    }
}

/// The name of an event to which webhooks can subscribe; there is none for test events.
const fn wanted(kind: EventKind) -> Option<wire::WebhookEvent> {
    Some(match kind {
        EventKind::RunCompleted => wire::WebhookEvent::RunCompleted,
        EventKind::RunFailed => wire::WebhookEvent::RunFailed,
        EventKind::IssueRegressed => wire::WebhookEvent::IssueRegressed,
        EventKind::ActionUpdated => wire::WebhookEvent::ActionUpdated,
        EventKind::ScheduleSkipped => wire::WebhookEvent::ScheduleSkipped,
        EventKind::Test => return None,
    })
}

/// A page of a list of deliveries.
pub(crate) fn deliveries(page: &DeliveryPage) -> wire::DeliveryList {
    wire::DeliveryList {
        deliveries: page.deliveries.iter().map(delivery).collect(),
        next_cursor: page.next.as_ref().map(|cursor| cursor.encode()),
    }
}

/// A delivery.
pub(crate) fn delivery(delivery: &Delivery) -> wire::Delivery {
    wire::Delivery {
        delivery_id: delivery.id.to_string(),
        webhook_id: delivery.webhook_id.to_string(),
        event_id: delivery.event_id.to_string(),
        event: delivery.event.to_wire(),
        status: delivery.status.to_wire(),
        attempts: delivery.attempts.iter().map(attempt).collect(),
        next_attempt_at: delivery.next_attempt_at.map(time),
        created_at: time(delivery.created_at),
        finished_at: delivery.finished_at.map(time),
    }
}

fn attempt(attempt: &DeliveryAttempt) -> wire::DeliveryAttempt {
    wire::DeliveryAttempt {
        at: time(attempt.at),
        duration_ms: attempt.duration_ms,
        status_code: attempt.status_code,
        error: attempt.error.clone(),
    }
}
