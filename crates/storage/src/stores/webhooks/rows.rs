//! Rows of webhooks.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::event::EventKind;
use domain::id::{OrgId, WebhookId};
use domain::webhook::{Webhook, WebhookState};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::webhooks;
use crate::database::values::known;

#[derive(Queryable, Selectable)]
#[diesel(table_name = webhooks)]
pub(crate) struct WebhookRow {
    id: String,
    org_id: String,
    url: String,
    events: String,
    state: String,
    created_at: NaiveDateTime,
    updated_at: NaiveDateTime,
}

impl WebhookRow {
    pub(super) fn read(self) -> Result<Webhook, StorageError> {
        let events = self.events.split(' ').map(|name| {
            let kind = EventKind::named(name);
            known("event", name, kind)
        });
        Ok(Webhook {
            id: known("webhook", &self.id, WebhookId::parse(&self.id))?,
            org_id: known("organization", &self.org_id, OrgId::parse(&self.org_id))?,
            events: events.collect::<Result<_, _>>()?,
            state: known("state", &self.state, WebhookState::named(&self.state))?,
            created_at: self.created_at.and_utc(),
            updated_at: self.updated_at.and_utc(),
            url: self.url,
        })
    }
}

/// Returns the events of a webhook in their stored form.
pub(super) fn events_of(webhook: &Webhook) -> String {
    let names: Vec<_> = webhook.events.iter().map(|kind| kind.as_str()).collect();
    names.join(" ")
}

pub(super) fn find(
    connection: &mut AnyConnection,
    org: &OrgId,
    webhook: &WebhookId,
) -> Result<Option<Webhook>, StorageError> {
    let row: Option<WebhookRow> = webhooks::table
        .filter(webhooks::org_id.eq(org.as_str()))
        .filter(webhooks::id.eq(webhook.as_str()))
        .select(WebhookRow::as_select())
        .get_result(connection)
        .optional()?;
    row.map(WebhookRow::read).transpose()
}

/// Reads a webhook and locks it until the transaction ends, so no event is queued for it meanwhile. It is always
/// locked before its deliveries.
pub(super) fn lock(
    connection: &mut AnyConnection,
    org: &OrgId,
    webhook: &WebhookId,
) -> Result<Option<Webhook>, StorageError> {
    if let AnyConnection::Postgres(postgres) = connection {
        let query = webhooks::table
            .filter(webhooks::org_id.eq(org.as_str()))
            .filter(webhooks::id.eq(webhook.as_str()))
            .select(webhooks::id);
        let _kept: Vec<String> = query.for_update().load(postgres)?;
    }
    find(connection, org, webhook)
}
