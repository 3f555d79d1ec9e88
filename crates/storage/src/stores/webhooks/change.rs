//! Creating, changing, testing and removing webhooks, each in one transaction with an audit log line.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::event::{Event, EventFacts};
use domain::id::{EventId, OrgId, WebhookId};
use domain::ports::{CreateWebhookError, JobKind, NewWebhook};
use domain::webhook::{Delivery, MAX_WEBHOOKS, Webhook, WebhookPatch, WebhookState, host_of};

use super::{finish, rows};
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::webhooks;
use crate::database::secret::{SealContext, SecretKey, seal_text};
use crate::database::values::{storable, stored_time};
use crate::queue::job;
use crate::stores::audit_log::{Line, note};
use crate::stores::orgs;
use crate::stores::outbox;

/// Stores a webhook. Everything is validated before anything is written.
pub(super) fn create(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    org: &OrgId,
    new: &NewWebhook,
    by: &Actor,
) -> Result<Result<(), CreateWebhookError>, StorageError> {
    let webhook = &new.webhook;
    if webhook.org_id != *org || !orgs::lock(connection, org)? {
        return Err(StorageError::Failed(format!(
            "there is no organization {org}"
        )));
    }
    let count: i64 = webhooks::table
        .filter(webhooks::org_id.eq(org.as_str()))
        .count()
        .get_result(connection)?;
    if count >= i64::from(MAX_WEBHOOKS) {
        return Ok(Err(CreateWebhookError::TooMany(MAX_WEBHOOKS)));
    }
    let context = SealContext::Webhook(org, &webhook.id);
    diesel::insert_into(webhooks::table)
        .values((
            webhooks::id.eq(webhook.id.as_str()),
            webhooks::org_id.eq(org.as_str()),
            webhooks::url.eq(storable(&webhook.url)),
            webhooks::events.eq(rows::events_of(webhook)),
            webhooks::state.eq(webhook.state.as_str()),
            webhooks::sealed_secret.eq(seal_text(key, context, new.secret.expose())?),
            webhooks::created_at.eq(stored_time(webhook.created_at)),
            webhooks::updated_at.eq(stored_time(webhook.updated_at)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "webhook.created",
        subject: webhook.id.as_str(),
        detail: host_of(&webhook.url),
    };
    note(connection, org, webhook.created_at, by, &line)?;
    Ok(Ok(()))
}

/// Changes a webhook, and returns it as changed.
pub(super) fn patch(
    connection: &mut AnyConnection,
    org: &OrgId,
    id: &WebhookId,
    patch: &WebhookPatch,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<Option<Webhook>, StorageError> {
    let Some(mut webhook) = rows::lock(connection, org, id)? else {
        return Ok(None);
    };
    let changed = patch.apply(&mut webhook, now);
    if changed.is_empty() {
        return Ok(Some(webhook));
    }
    diesel::update(webhooks::table.find(id.as_str()))
        .set((
            webhooks::url.eq(storable(&webhook.url)),
            webhooks::events.eq(rows::events_of(&webhook)),
            webhooks::state.eq(webhook.state.as_str()),
            webhooks::updated_at.eq(stored_time(now)),
        ))
        .execute(connection)?;
    if webhook.state != WebhookState::Enabled {
        finish::cancel_all(connection, org, id, now)?;
    }
    let line = Line {
        event: "webhook.changed",
        subject: id.as_str(),
        detail: changed.join(", "),
    };
    note(connection, org, now, by, &line)?;
    Ok(Some(webhook))
}

/// Removes a webhook with its deliveries. Returns `false` if there is no such webhook.
pub(crate) fn delete(
    connection: &mut AnyConnection,
    org: &OrgId,
    id: &WebhookId,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<bool, StorageError> {
    let Some(webhook) = rows::lock(connection, org, id)? else {
        return Ok(false);
    };
    job::remove_of_host(connection, JobKind::Delivery, id.as_str())?;
    diesel::delete(webhooks::table.find(id.as_str())).execute(connection)?;
    let line = Line {
        event: "webhook.deleted",
        subject: id.as_str(),
        detail: host_of(&webhook.url),
    };
    note(connection, org, now, by, &line)?;
    Ok(true)
}

/// Queues a test event for one webhook.
pub(super) fn test(
    connection: &mut AnyConnection,
    (org, id): (&OrgId, &WebhookId),
    event: &EventId,
    now: DateTime<Utc>,
    by: &Actor,
) -> Result<Option<Delivery>, StorageError> {
    if rows::lock(connection, org, id)?.is_none() {
        return Ok(None);
    }
    let event = Event {
        id: event.clone(),
        org_id: org.clone(),
        at: now,
        facts: EventFacts::Test {
            webhook_id: id.clone(),
        },
    };
    let delivery = outbox::record_for(connection, &event, id)?;
    let line = Line {
        event: "webhook.tested",
        subject: id.as_str(),
        detail: event.id.to_string(),
    };
    note(connection, org, now, by, &line)?;
    Ok(Some(delivery))
}
