//! Outcomes of deliveries. Every write matches the number of the claim.

use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::id::{OrgId, WebhookId};
use domain::ports::{DeliveryClaim, JobKind, LeaseStatus};
use domain::webhook::{DeliveryAttempt, DeliveryStatus, Verdict, WebhookState};

use super::rows;
use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{deliveries, webhooks};
use crate::database::values::stored_time;
use crate::queue::lease::{self, GivenBack};
use crate::queue::{due, job};
use crate::stores::audit_log::{Line, note};
use crate::stores::outbox::delivery;

/// The delivery of a claim.
macro_rules! claimed {
    ($claim:expr) => {
        deliveries::table
            .filter(deliveries::id.eq($claim.id.as_str()))
            .filter(deliveries::org_id.eq($claim.event.org_id.as_str()))
    };
}

/// The column values of a delivery that was cancelled before it was sent.
macro_rules! cancelled {
    ($now:expr) => {
        (
            deliveries::status.eq(DeliveryStatus::Cancelled.as_str()),
            deliveries::next_attempt_at.eq(None::<NaiveDateTime>),
            deliveries::finished_at.eq(stored_time($now)),
        )
    };
}

/// Stores an attempt and the resulting state of the delivery.
pub(super) fn finish(
    connection: &mut AnyConnection,
    claim: &DeliveryClaim,
    attempt: &DeliveryAttempt,
    verdict: Verdict,
    now: DateTime<Utc>,
) -> Result<LeaseStatus, StorageError> {
    let org = &claim.event.org_id;
    // Locked before the delivery, in the same order as a change of the webhook.
    let webhook = match verdict {
        Verdict::Gone => rows::lock(connection, org, &claim.webhook_id)?,
        Verdict::Delivered | Verdict::Again(_) | Verdict::GivenUp => None,
    };
    // A result for the old URL must not disable a webhook whose URL has changed.
    let has_moved = webhook
        .as_ref()
        .is_some_and(|webhook| webhook.url != claim.url.as_str());
    let verdict = if has_moved {
        Verdict::Again(now)
    } else {
        verdict
    };
    let (status, next) = match verdict {
        Verdict::Delivered => (DeliveryStatus::Delivered, None),
        Verdict::Gone | Verdict::GivenUp => (DeliveryStatus::Failed, None),
        Verdict::Again(at) => (DeliveryStatus::Pending, Some(at)),
    };
    // The job is locked before its delivery, everywhere.
    let held = match next {
        Some(at) => lease::postpone(connection, claim.into(), at)?,
        None => lease::end(connection, claim.into())?,
    };
    if held == LeaseStatus::Lost {
        return Ok(LeaseStatus::Lost);
    }
    let attempts: String = claimed!(claim)
        .select(deliveries::attempts)
        .first(connection)?;
    let mut attempts = delivery::attempts_from_json(&attempts)?;
    attempts.push(attempt.clone());
    let finished = next.is_none().then_some(now);
    diesel::update(claimed!(claim))
        .set((
            deliveries::status.eq(status.as_str()),
            deliveries::attempts.eq(delivery::attempts_to_json(&attempts)?),
            deliveries::next_attempt_at.eq(next.map(stored_time)),
            deliveries::finished_at.eq(finished.map(stored_time)),
        ))
        .execute(connection)?;
    if verdict == Verdict::Gone
        && webhook.is_some_and(|webhook| webhook.state == WebhookState::Enabled)
    {
        disable(connection, org, &claim.webhook_id, now)?;
    }
    if verdict == Verdict::Gone {
        cancel_all(connection, org, &claim.webhook_id, now)?;
    }
    Ok(LeaseStatus::Held)
}

fn disable(
    connection: &mut AnyConnection,
    org: &OrgId,
    webhook: &WebhookId,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    diesel::update(webhooks::table.find(webhook.as_str()))
        .set((
            webhooks::state.eq(WebhookState::Gone.as_str()),
            webhooks::updated_at.eq(stored_time(now)),
        ))
        .execute(connection)?;
    let line = Line {
        event: "webhook.disabled",
        subject: webhook.as_str(),
        detail: "the receiver returned 410".to_owned(),
    };
    note(connection, org, now, &Actor::System, &line)
}

/// Cancels all pending deliveries of a webhook, including those being sent.
pub(super) fn cancel_all(
    connection: &mut AnyConnection,
    org: &OrgId,
    webhook: &WebhookId,
    now: DateTime<Utc>,
) -> Result<(), StorageError> {
    job::remove_of_host(connection, JobKind::Delivery, webhook.as_str())?;
    let waiting = deliveries::table
        .filter(deliveries::org_id.eq(org.as_str()))
        .filter(deliveries::webhook_id.eq(webhook.as_str()))
        .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()));
    diesel::update(waiting)
        .set(cancelled!(now))
        .execute(connection)?;
    Ok(())
}

/// Hands back a delivery that was not attempted.
pub(super) fn hand_back(
    connection: &mut AnyConnection,
    claim: &DeliveryClaim,
    not_before: Option<DateTime<Utc>>,
) -> Result<LeaseStatus, StorageError> {
    let given = GivenBack {
        due_at: not_before,
        ..GivenBack::default()
    };
    let held = lease::give_back(connection, claim.into(), &given)?;
    if held == LeaseStatus::Held
        && let Some(at) = not_before
    {
        diesel::update(claimed!(claim))
            .set(deliveries::next_attempt_at.eq(stored_time(at)))
            .execute(connection)?;
    }
    Ok(held)
}

/// Cancels a delivery that must not be sent.
pub(super) fn cancel(
    connection: &mut AnyConnection,
    claim: &DeliveryClaim,
    now: DateTime<Utc>,
) -> Result<LeaseStatus, StorageError> {
    let held = lease::end(connection, claim.into())?;
    if held == LeaseStatus::Held {
        diesel::update(claimed!(claim))
            .set(cancelled!(now))
            .execute(connection)?;
    }
    Ok(held)
}

/// Makes deliveries due at `now` that are due after `latest`.
pub(super) fn repair_future_timestamps(
    connection: &mut AnyConnection,
    latest: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<u64, StorageError> {
    let repaired = due::repair_times(connection, JobKind::Delivery, latest, now)?;
    let waiting = deliveries::table
        .filter(deliveries::status.eq(DeliveryStatus::Pending.as_str()))
        .filter(deliveries::next_attempt_at.gt(stored_time(latest)));
    diesel::update(waiting)
        .set(deliveries::next_attempt_at.eq(stored_time(now)))
        .execute(connection)?;
    Ok(repaired)
}
