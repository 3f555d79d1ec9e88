//! Rows of deliveries of events to webhooks.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::event::{Event, EventKind};
use domain::id::{DeliveryId, EventId, WebhookId};
use domain::ports::IdSource;
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryStatus};
use serde::{Deserialize, Serialize};

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::deliveries;
use crate::database::values::{from_json, known, stored_time, to_json};
use crate::queue::job::{self, NewJob};

/// Whether a webhook's stored event list contains an event.
pub(crate) fn has_event(stored: &str, kind: EventKind) -> bool {
    stored.split(' ').any(|name| name == kind.as_str())
}

/// Queues the delivery of an event to a webhook.
pub(crate) fn insert_delivery(
    connection: &mut AnyConnection,
    event: &Event,
    webhook: &WebhookId,
    ids: &dyn IdSource,
) -> Result<Delivery, StorageError> {
    let delivery = Delivery {
        id: DeliveryId::make(ids),
        webhook_id: webhook.clone(),
        event_id: event.id.clone(),
        event: event.kind(),
        status: DeliveryStatus::Pending,
        attempts: Vec::new(),
        next_attempt_at: Some(event.at),
        created_at: event.at,
        finished_at: None,
    };
    diesel::insert_into(deliveries::table)
        .values((
            deliveries::id.eq(delivery.id.as_str()),
            deliveries::org_id.eq(event.org_id.as_str()),
            deliveries::webhook_id.eq(webhook.as_str()),
            deliveries::event_id.eq(event.id.as_str()),
            deliveries::kind.eq(delivery.event.as_str()),
            deliveries::status.eq(delivery.status.as_str()),
            deliveries::attempts.eq(attempts_to_json(&delivery.attempts)?),
            deliveries::next_attempt_at.eq(stored_time(event.at)),
            deliveries::created_at.eq(stored_time(event.at)),
            deliveries::epoch.eq(0),
        ))
        .execute(connection)?;
    let (org, id) = (&event.org_id, delivery.id.as_str());
    let job = NewJob::delivery(org, webhook, id, event.at);
    job::insert(connection, &job)?;
    Ok(delivery)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = deliveries)]
pub(crate) struct DeliveryRow {
    id: String,
    webhook_id: String,
    event_id: String,
    kind: String,
    status: String,
    attempts: String,
    next_attempt_at: Option<NaiveDateTime>,
    created_at: NaiveDateTime,
    finished_at: Option<NaiveDateTime>,
}

impl DeliveryRow {
    pub(crate) fn read(self) -> Result<Delivery, StorageError> {
        let status = DeliveryStatus::named(&self.status);
        Ok(Delivery {
            id: known("delivery", &self.id, DeliveryId::parse(&self.id))?,
            webhook_id: known(
                "webhook",
                &self.webhook_id,
                WebhookId::parse(&self.webhook_id),
            )?,
            event_id: known("event", &self.event_id, EventId::parse(&self.event_id))?,
            event: known("event", &self.kind, EventKind::named(&self.kind))?,
            status: known("status of a delivery", &self.status, status)?,
            attempts: attempts_from_json(&self.attempts)?,
            next_attempt_at: self.next_attempt_at.map(|time| time.and_utc()),
            created_at: self.created_at.and_utc(),
            finished_at: self.finished_at.map(|time| time.and_utc()),
        })
    }
}

/// A stored delivery attempt.
#[derive(Serialize, Deserialize)]
struct StoredAttempt {
    at_ms: i64,
    duration_ms: u64,
    status_code: Option<u16>,
    error: Option<String>,
}

pub(crate) fn attempts_to_json(attempts: &[DeliveryAttempt]) -> Result<String, StorageError> {
    let stored = attempts.iter().map(|attempt| StoredAttempt {
        at_ms: attempt.at.timestamp_millis(),
        duration_ms: attempt.duration_ms,
        status_code: attempt.status_code,
        error: attempt.error.clone(),
    });
    to_json(&stored.collect::<Vec<_>>())
}

pub(crate) fn attempts_from_json(stored: &str) -> Result<Vec<DeliveryAttempt>, StorageError> {
    let stored: Vec<StoredAttempt> = from_json("attempts", stored)?;
    let read = stored.into_iter().map(|attempt| {
        let at = DateTime::<Utc>::from_timestamp_millis(attempt.at_ms);
        Ok(DeliveryAttempt {
            at: known("time", &attempt.at_ms.to_string(), at)?,
            duration_ms: attempt.duration_ms,
            status_code: attempt.status_code,
            error: attempt.error,
        })
    });
    read.collect()
}
