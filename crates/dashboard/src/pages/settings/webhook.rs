//! One webhook: its fields, its state, a test, and its deliveries.

use askama::Template;
use domain::event::EventKind;
use domain::id::{EventId, WebhookId};
use domain::key::Role;
use domain::text::grouped;
use domain::usecase::update_webhook;
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryCursor, DeliveryStatus, Webhook, WebhookPatch, WebhookState,
};

use super::cursor;
use super::nav::Nav;
use super::webhook_form::{self, WebhookFields};
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get(
        "/settings/webhooks/{id}",
        Access::SignedIn(Role::Admin),
        show,
    ),
    Route::post(
        "/settings/webhooks/{id}",
        Access::SignedIn(Role::Admin),
        change,
    ),
    Route::post(
        "/settings/webhooks/{id}/enable",
        Access::SignedIn(Role::Admin),
        |visit| set_enabled(visit, true),
    ),
    Route::post(
        "/settings/webhooks/{id}/disable",
        Access::SignedIn(Role::Admin),
        |visit| set_enabled(visit, false),
    ),
    Route::post(
        "/settings/webhooks/{id}/test",
        Access::SignedIn(Role::Admin),
        test,
    ),
    Route::post(
        "/settings/webhooks/{id}/delete",
        Access::SignedIn(Role::Admin),
        delete,
    ),
];

/// Deliveries on a page.
const ON_A_PAGE: u32 = 50;

struct Row {
    event: &'static str,
    event_id: EventId,
    status: DeliveryStatus,
    attempts: usize,
    /// How the last attempt ended.
    last: Option<String>,
    happened: Time,
    next: Option<Time>,
}

impl Row {
    fn new(delivery: Delivery) -> Self {
        Self {
            event: delivery.event.as_str(),
            event_id: delivery.event_id,
            status: delivery.status,
            attempts: delivery.attempts.len(),
            last: delivery.attempts.last().map(outcome),
            happened: Time::new(delivery.created_at),
            next: Time::optional(delivery.next_attempt_at),
        }
    }
}

/// How an attempt ended, in a few words.
fn outcome(attempt: &DeliveryAttempt) -> String {
    let duration = grouped(attempt.duration_ms);
    match (attempt.status_code, &attempt.error) {
        (Some(status), Some(error)) => format!("HTTP {status}, {error}, {duration} ms"),
        (Some(status), None) => format!("HTTP {status}, {duration} ms"),
        (None, Some(error)) => format!("{error}, {duration} ms"),
        (None, None) => format!("no response, {duration} ms"),
    }
}

#[derive(Template)]
#[template(path = "pages/settings/webhook.html")]
struct Page {
    layout: Layout,
    nav: Nav,
    webhook: Webhook,
    state: WebhookState,
    created: Time,
    fields: WebhookFields,
    rows: Vec<Row>,
    /// Whether the list does not show its beginning.
    is_continued: bool,
    /// The cursor of the deliveries before these.
    older: Option<String>,
    /// Whether a test was queued just now.
    is_tested: bool,
    problem: Option<String>,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let webhook = webhook(visit)?;
    let fields = WebhookFields::stored(&webhook, visit.variant());
    Reply::page(&page(visit, webhook, fields, None)?)
}

/// The webhook that the path names.
fn webhook(visit: &Visit) -> Result<Webhook, Failure> {
    let id = visit.id("id", WebhookId::parse)?;
    let found = visit.state.stores.webhook(visit.org()?, &id)?;
    found.ok_or(Failure::NotFound)
}

fn page(
    visit: &Visit,
    webhook: Webhook,
    fields: WebhookFields,
    problem: Option<String>,
) -> Result<Page, Failure> {
    let after = cursor(visit, DeliveryCursor::decode)?;
    let kinds = EventKind::all_in(visit.variant());
    let (stores, org) = (&visit.state.stores, visit.org()?);
    let found = stores.deliveries(org, &webhook.id, &kinds, after.as_ref(), ON_A_PAGE)?;
    let found = found.ok_or(Failure::NotFound)?;
    Ok(Page {
        layout: Layout::new(visit, "Webhook", Section::Settings),
        nav: Nav::new(visit, "/settings/webhooks"),
        state: webhook.state,
        created: Time::new(webhook.created_at),
        webhook,
        fields,
        rows: found.deliveries.into_iter().map(Row::new).collect(),
        is_continued: after.is_some(),
        older: found.next.map(|next| next.encode()),
        is_tested: visit.query.text("done") == "test",
        problem,
    })
}

/// The path of the page of the webhook that the path of the form names.
fn own_path(id: &WebhookId) -> String {
    format!("/settings/webhooks/{id}")
}

fn change(visit: &Visit) -> Result<Reply, Failure> {
    let webhook = webhook(visit)?;
    let variant = visit.variant();
    let id = webhook.id.clone();
    let refused = |problem: String| {
        let fields = WebhookFields::sent(&visit.form, variant);
        Reply::invalid(&page(visit, webhook, fields, Some(problem))?)
    };
    let Some(events) = webhook_form::chosen(&visit.form, variant) else {
        return refused("Choose at least one event.".to_owned());
    };
    let patch = WebhookPatch {
        url: Some(visit.form.text("url").to_owned()),
        events: Some(events),
        enabled: None,
    };
    let (stores, clock) = (&*visit.state.stores, &*visit.state.clock);
    let allow = &visit.state.settings.allow_targets;
    let which = (visit.org()?, Some(&id));
    match update_webhook(stores, clock, allow, which, patch, &visit.by()?) {
        Ok(Some(_)) => Ok(Reply::redirect(own_path(&id))),
        Ok(None) => Err(Failure::NotFound),
        Err(error) => refused(webhook_form::refusal(error)?),
    }
}

fn set_enabled(visit: &Visit, enabled: bool) -> Result<Reply, Failure> {
    let id = visit.id("id", WebhookId::parse)?;
    let patch = WebhookPatch {
        enabled: Some(enabled),
        ..WebhookPatch::default()
    };
    let stores = &visit.state.stores;
    let changed = stores.patch_webhook(visit.org()?, &id, &patch, visit.now(), &visit.by()?)?;
    match changed {
        Some(_) => Ok(Reply::redirect(own_path(&id))),
        None => Err(Failure::NotFound),
    }
}

fn test(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", WebhookId::parse)?;
    let event = EventId::make(&*visit.state.ids);
    let stores = &visit.state.stores;
    let queued = stores.test_webhook(visit.org()?, &id, &event, visit.now(), &visit.by()?)?;
    match queued {
        Some(_) => Ok(Reply::redirect(format!("{}?done=test", own_path(&id)))),
        None => Err(Failure::NotFound),
    }
}

fn delete(visit: &Visit) -> Result<Reply, Failure> {
    let id = visit.id("id", WebhookId::parse)?;
    let stores = &visit.state.stores;
    match stores.delete_webhook(visit.org()?, &id, visit.now(), &visit.by()?)? {
        true => Ok(Reply::redirect("/settings/webhooks")),
        false => Err(Failure::NotFound),
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    #[test]
    fn the_end_of_an_attempt_is_told_in_a_few_words() {
        for (status_code, error, text) in [
            (Some(204), None, "HTTP 204, 1,250 ms"),
            (
                None,
                Some("connection refused"),
                "connection refused, 1,250 ms",
            ),
            (None, None, "no response, 1,250 ms"),
        ] {
            let attempt = DeliveryAttempt {
                at: DateTime::UNIX_EPOCH,
                duration_ms: 1_250,
                status_code,
                error: error.map(str::to_owned),
            };
            assert_eq!(outcome(&attempt), text);
        }
    }
}
