//! Claiming a delivery.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use domain::id::{DeliveryId, OrgId, WebhookId};
use domain::ports::{DeliveryClaim, DeliveryTurns, WorkerId};
use domain::webhook::{DeliveryAttempt, DeliveryStatus, WebhookSecret};

use super::turns;
use crate::database::connection::AnyConnection;
use crate::database::error::Fault;
use crate::database::key_check::is_ours;
use crate::database::schema::{deliveries, events, webhooks};
use crate::database::secret::{Place, SecretKey, open_text};
use crate::database::values::{known, number, stored_time};
use crate::stores::outbox::EventRow;
use crate::stores::outbox::delivery;

/// Deliveries that one claim ends at most because their rows cannot be read.
const UNREADABLE_AT_MOST: usize = 100;

/// What the log of a delivery says that cannot be read.
const UNREADABLE: &str = "the service cannot read the webhook's secret or the event";

/// Claims the delivery whose turn it is. Those before it whose rows cannot be read are ended as failed, so
/// that they do not keep the others waiting. A process with another key than the database's claims
/// nothing.
pub(super) fn claim(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    (worker, lease): (&WorkerId, TimeDelta),
    turns: &DeliveryTurns,
    now: DateTime<Utc>,
) -> Result<Option<DeliveryClaim>, Fault> {
    for _ in 0..UNREADABLE_AT_MOST {
        let Some(row) = lock_next(connection, turns, now)? else {
            return Ok(None);
        };
        diesel::update(deliveries::table.find(&row.id))
            .set((
                deliveries::epoch.eq(row.epoch + 1),
                deliveries::lease_owner.eq(&worker.0),
                deliveries::lease_expires_at.eq(stored_time(now + lease)),
            ))
            .execute(connection)?;
        let (url, sealed): (String, String) = webhooks::table
            .find(&row.webhook_id)
            .select((webhooks::url, webhooks::sealed_secret))
            .get_result(connection)?;
        let event: EventRow = events::table
            .find(&row.event_id)
            .select(EventRow::as_select())
            .get_result(connection)?;
        let (id, attempts) = (row.id.clone(), row.attempts.clone());
        // Reading asks nothing of the database, so the transaction can go on after an error.
        let why = match row.read(key, url, &sealed, event) {
            Err(Fault::Failed(why)) => why,
            // Where the key is wrong and not the row, others can send it.
            Err(Fault::Sealed(why)) if is_ours(connection, key)? => why.to_owned(),
            read => return read.map(Some),
        };
        end_unreadable(connection, (&id, &attempts), &why, now)?;
    }
    Ok(None)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = deliveries)]
struct DueRow {
    id: String,
    org_id: String,
    webhook_id: String,
    event_id: String,
    attempts: String,
    epoch: i64,
}

impl DueRow {
    fn read(
        self,
        key: Option<&SecretKey>,
        url: String,
        sealed: &str,
        event: EventRow,
    ) -> Result<DeliveryClaim, Fault> {
        let org = known("organization", &self.org_id, OrgId::parse(&self.org_id))?;
        let webhook_id = WebhookId::parse(&self.webhook_id);
        let webhook_id = known("webhook", &self.webhook_id, webhook_id)?;
        let secret = open_text(key, Place::Webhook(&org, &webhook_id), sealed)?;
        Ok(DeliveryClaim {
            id: known("delivery", &self.id, DeliveryId::parse(&self.id))?,
            webhook_id,
            url,
            secret: WebhookSecret::stored(secret),
            event: event.read()?,
            attempts: delivery::attempts_from_json(&self.attempts)?.len(),
            epoch: number("epoch", self.epoch + 1)?,
        })
    }
}

/// The delivery whose turn it is, kept to this transaction. On PostgreSQL those that others are just
/// claiming are passed over.
fn lock_next(
    connection: &mut AnyConnection,
    turns: &DeliveryTurns,
    now: DateTime<Utc>,
) -> Result<Option<DueRow>, Fault> {
    for org in turns::next(connection, turns, now)? {
        if let Some(row) = lock_longest_due(connection, &org, turns, now)? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

/// The one of an organization's deliveries that has been due longest. Each of its webhooks costs one look into
/// the index `deliveries_due`, however much waits for it or for others.
fn lock_longest_due(
    connection: &mut AnyConnection,
    org: &str,
    turns: &DeliveryTurns,
    now: DateTime<Utc>,
) -> Result<Option<DueRow>, Fault> {
    for webhook in turns::longest_due(connection, org, turns, now)? {
        let row = lock_longest_due_of(connection, &webhook, now)?;
        if row.is_some() {
            return Ok(row);
        }
    }
    Ok(None)
}

fn lock_longest_due_of(
    connection: &mut AnyConnection,
    webhook: &str,
    now: DateTime<Utc>,
) -> Result<Option<DueRow>, Fault> {
    let first = turns::due!(now)
        .filter(deliveries::webhook_id.eq(webhook))
        .order((deliveries::next_attempt_at, deliveries::id))
        .limit(1);
    Ok(match connection {
        AnyConnection::Sqlite(sqlite) => {
            let row = first.select(DueRow::as_select()).first(sqlite);
            row.optional()?
        }
        AnyConnection::Postgres(postgres) => first
            .select(DueRow::as_select())
            .for_update()
            .skip_locked()
            .first(postgres)
            .optional()?,
    })
}

/// Ends a delivery. What was tried before stays in its log, where that can be read.
fn end_unreadable(
    connection: &mut AnyConnection,
    (id, attempts): (&str, &str),
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), Fault> {
    tracing::error!(
        delivery.id = id,
        error = why,
        "a delivery that cannot be read is ended"
    );
    let mut attempts = delivery::attempts_from_json(attempts).unwrap_or_default();
    attempts.push(DeliveryAttempt {
        at: now,
        duration_ms: 0,
        status_code: None,
        error: Some(UNREADABLE.to_owned()),
    });
    diesel::update(deliveries::table.find(id))
        .set((
            deliveries::status.eq(DeliveryStatus::Failed.as_str()),
            deliveries::attempts.eq(delivery::attempts_to_json(&attempts)?),
            deliveries::next_attempt_at.eq(None::<NaiveDateTime>),
            deliveries::finished_at.eq(stored_time(now)),
            deliveries::lease_owner.eq(None::<String>),
            deliveries::lease_expires_at.eq(None::<NaiveDateTime>),
        ))
        .execute(connection)?;
    Ok(())
}
