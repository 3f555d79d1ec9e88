//! The webhooks of the organization, and creating one.

use askama::Template;
use domain::id::WebhookId;
use domain::key::Role;
use domain::report::Variant;
use domain::text::count;
use domain::usecase::{CreateWebhook, create_webhook};
use domain::webhook::{Webhook, WebhookState};

use super::nav::Nav;
use super::webhook_form::{self, WebhookFields};
use crate::failure::Failure;
use crate::format::Time;
use crate::layout::{Layout, Section};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::visit::Visit;

pub(in crate::pages) const ROUTES: &[Route] = &[
    Route::get("/settings/webhooks", Access::SignedIn(Role::Admin), show),
    Route::post("/settings/webhooks", Access::SignedIn(Role::Admin), create),
];

struct Row {
    id: WebhookId,
    url: String,
    events: String,
    state: WebhookState,
    created: Time,
}

impl Row {
    fn new(webhook: Webhook, variant: Variant) -> Self {
        let events = webhook.events.iter().filter(|kind| kind.is_in(variant));
        let events = u64::try_from(events.count()).unwrap_or(u64::MAX);
        Self {
            id: webhook.id,
            url: webhook.url,
            events: count(events, "event", "events"),
            state: webhook.state,
            created: Time::new(webhook.created_at),
        }
    }
}

#[derive(Template)]
#[template(path = "pages/settings/webhooks.html")]
struct Webhooks {
    layout: Layout,
    nav: Nav,
    rows: Vec<Row>,
    fields: WebhookFields,
    problem: Option<String>,
    /// A webhook that was just created, with its secret, which is shown this once.
    made: Option<Made>,
}

struct Made {
    id: WebhookId,
    url: String,
    secret: String,
}

fn show(visit: &Visit) -> Result<Reply, Failure> {
    let fields = WebhookFields::empty(visit.variant());
    Reply::page(&page(visit, fields, None, None)?)
}

fn page(
    visit: &Visit,
    fields: WebhookFields,
    problem: Option<String>,
    made: Option<Made>,
) -> Result<Webhooks, Failure> {
    let webhooks = visit.state.stores.webhooks(visit.org()?)?.into_iter();
    Ok(Webhooks {
        layout: Layout::new(visit, "Webhooks", Section::Settings),
        nav: Nav::new(visit, "/settings/webhooks"),
        rows: webhooks
            .map(|webhook| Row::new(webhook, visit.variant()))
            .collect(),
        fields,
        problem,
        made,
    })
}

/// Creates a webhook. The page after it is the answer to the form itself, because the secret is stored encrypted and
/// never shown again.
fn create(visit: &Visit) -> Result<Reply, Failure> {
    let variant = visit.variant();
    let refused = |problem: String| {
        let fields = WebhookFields::sent(&visit.form, variant);
        Reply::invalid(&page(visit, fields, Some(problem), None)?)
    };
    let Some(events) = webhook_form::chosen(&visit.form, variant) else {
        return refused("Choose at least one event.".to_owned());
    };
    let request = CreateWebhook {
        url: visit.form.text("url").to_owned(),
        events,
        by: visit.by()?,
    };
    let state = &visit.state;
    let (stores, clock, ids) = (&*state.stores, &*state.clock, &*state.ids);
    let allow = &state.settings.allow_targets;
    match create_webhook(stores, clock, ids, allow, visit.org()?, request) {
        Ok(new) => {
            let made = Made {
                id: new.webhook.id,
                url: new.webhook.url,
                secret: new.secret.expose().to_owned(),
            };
            let fields = WebhookFields::empty(variant);
            Reply::page(&page(visit, fields, None, Some(made))?)
        }
        Err(error) => refused(webhook_form::refusal(error)?),
    }
}
