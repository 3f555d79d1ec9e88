//! Claiming a delivery.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use domain::id::{DeliveryId, WebhookId};
use domain::ports::{DeliveryClaim, DeliveryFairness, JobClaim, JobKind, WorkerId};
use domain::webhook::{DeliveryAttempt, DeliveryStatus, WebhookSecret};

use super::fairness;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::key_check::is_ours;
use crate::database::schema::{deliveries, events, jobs, webhooks};
use crate::database::secret::{SealContext, SecretKey, open_text};
use crate::database::values::{known, stored_time};
use crate::queue::Now;
use crate::queue::due::{DueJob, due};
use crate::queue::lease;
use crate::stores::outbox::EventRow;
use crate::stores::outbox::delivery;

/// Maximum unreadable deliveries that one claim ends.
const UNREADABLE_AT_MOST: usize = 100;

/// The log message of a delivery that cannot be read.
const UNREADABLE: &str = "the service cannot read the webhook's secret or the event";

/// Claims the next delivery in fair order. Deliveries before it whose rows cannot be read are ended as failed, so
/// that they do not block the queue. A process whose key is not the key of the database claims nothing.
pub(super) fn claim(
    connection: &mut AnyConnection,
    key: Option<&SecretKey>,
    (worker, lease): (&WorkerId, TimeDelta),
    turns: &DeliveryFairness,
    now: Now,
) -> Result<Option<DeliveryClaim>, StorageError> {
    for _ in 0..UNREADABLE_AT_MOST {
        let Some(job) = lock_next(connection, turns, now)? else {
            return Ok(None);
        };
        let claim = job.take(connection, JobKind::Delivery, (worker, lease), now)?;
        let row: Option<DeliveryToDo> = deliveries::table
            .find(&claim.subject)
            .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()))
            .select(DeliveryToDo::as_select())
            .get_result(connection)
            .optional()?;
        let Some(row) = row else {
            let _held = lease::end(connection, (&claim).into())?;
            continue;
        };
        let (url, sealed): (String, String) = webhooks::table
            .find(&row.webhook_id)
            .select((webhooks::url, webhooks::sealed_secret))
            .get_result(connection)?;
        let event: EventRow = events::table
            .find(&row.event_id)
            .select(EventRow::as_select())
            .get_result(connection)?;
        let attempts = row.attempts.clone();
        // The conversion runs no query, so the transaction can continue after an error.
        let why = match row.read(key, &claim, url, &sealed, event) {
            Err(StorageError::Failed(why)) => why,
            // If the key is wrong and the row is intact, other processes can send it.
            Err(StorageError::Sealed(why)) if is_ours(connection, key)? => why.to_owned(),
            read => return read.map(Some),
        };
        end_unreadable(connection, &claim, &attempts, &why, now.shown)?;
    }
    Ok(None)
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = deliveries)]
struct DeliveryToDo {
    webhook_id: String,
    event_id: String,
    attempts: String,
}

impl DeliveryToDo {
    fn read(
        self,
        key: Option<&SecretKey>,
        claim: &JobClaim,
        url: String,
        sealed: &str,
        event: EventRow,
    ) -> Result<DeliveryClaim, StorageError> {
        let webhook_id = WebhookId::parse(&self.webhook_id);
        let webhook_id = known("webhook", &self.webhook_id, webhook_id)?;
        let secret = open_text(
            key,
            SealContext::Webhook(&claim.org_id, &webhook_id),
            sealed,
        )?;
        let id = DeliveryId::parse(&claim.subject);
        Ok(DeliveryClaim {
            id: known("delivery", &claim.subject, id)?,
            webhook_id,
            url,
            secret: WebhookSecret::stored(secret),
            event: event.read()?,
            attempts: delivery::attempts_from_json(&self.attempts)?.len(),
            epoch: claim.epoch,
        })
    }
}

/// Returns the next job in fair order, locked until the transaction ends. PostgreSQL skips jobs that other workers
/// are claiming (`SKIP LOCKED`).
fn lock_next(
    connection: &mut AnyConnection,
    turns: &DeliveryFairness,
    now: Now,
) -> Result<Option<DueJob>, StorageError> {
    for org in fairness::next(connection, turns, now)? {
        // Each webhook costs one look-up in the index `jobs_host`, no matter how many deliveries wait for it or for
        // other webhooks.
        for webhook in fairness::longest_due(connection, &org, turns, now)? {
            let job = lock_longest_due_of(connection, &webhook, now)?;
            if job.is_some() {
                return Ok(job);
            }
        }
    }
    Ok(None)
}

fn lock_longest_due_of(
    connection: &mut AnyConnection,
    webhook: &str,
    now: Now,
) -> Result<Option<DueJob>, StorageError> {
    let first = due!(JobKind::Delivery, now)
        .filter(jobs::host.eq(webhook))
        .order((jobs::available_at, jobs::id))
        .limit(1);
    Ok(match connection {
        AnyConnection::Sqlite(sqlite) => {
            let job = first.select(DueJob::as_select()).first(sqlite);
            job.optional()?
        }
        AnyConnection::Postgres(postgres) => first
            .select(DueJob::as_select())
            .for_update()
            .skip_locked()
            .first(postgres)
            .optional()?,
    })
}

/// Ends a delivery as failed. Its log of earlier attempts is kept, if it can be read.
fn end_unreadable(
    connection: &mut AnyConnection,
    claim: &JobClaim,
    attempts: &str,
    why: &str,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    let id = claim.subject.as_str();
    tracing::error!(delivery.id = id, error = why, "unreadable delivery ended");
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
        ))
        .execute(connection)?;
    lease::end(connection, claim.into()).map(drop)
}
