//! Webhooks and their deliveries.

mod change;
mod claim;
mod deliveries;
mod fairness;
mod finish;
pub(crate) mod rows;

use chrono::{DateTime, TimeDelta, Utc};
use diesel::prelude::*;
use domain::audit_log::Actor;
use domain::event::{Event, EventKind};
use domain::id::{EventId, OrgId, WebhookId};
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::ports::{
    CreateWebhookError, DeliveryClaim, DeliveryFairness, DeliveryPage, JobKind, LeaseStatus,
    NewWebhook, StoreError, TestWebhookError, WebhookStore, WorkerId,
};
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryCursor, Verdict, Webhook, WebhookPatch};

use crate::database::Database;
use crate::database::schema::webhooks;
use crate::queue::due;
use crate::stores::{idempotency, outbox};
pub(crate) use change::delete as delete_webhook;
use rows::WebhookRow;

impl WebhookStore for Database {
    fn create_webhook(
        &self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
    ) -> Result<(), CreateWebhookError> {
        self.write(|connection| change::create(connection, self.secret(), org, new, by))?
    }

    fn create_webhook_once(
        &self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
        once: &IdempotentWrite<'_, ()>,
    ) -> Result<Idempotent<()>, CreateWebhookError> {
        let key = self.secret();
        self.write(|connection| {
            idempotency::once_sealed(connection, key, org, once, |connection| {
                change::create(connection, key, org, new, by)
            })
        })?
    }

    fn webhooks(&self, org: &OrgId) -> Result<Vec<Webhook>, StoreError> {
        Ok(self.read(|connection| {
            let rows: Vec<WebhookRow> = webhooks::table
                .filter(webhooks::org_id.eq(org.as_str()))
                .order((webhooks::created_at, webhooks::id))
                .select(WebhookRow::as_select())
                .load(connection)?;
            rows.into_iter().map(WebhookRow::read).collect()
        })?)
    }

    fn webhook(&self, org: &OrgId, webhook: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        Ok(self.read(|connection| rows::find(connection, org, webhook))?)
    }

    fn patch_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        patch: &WebhookPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Webhook>, StoreError> {
        Ok(self.write(|connection| change::patch(connection, org, webhook, patch, now, by))?)
    }

    fn delete_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        Ok(self.write(|connection| change::delete(connection, org, webhook, now, by))?)
    }

    fn test_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        event: &EventId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Delivery>, StoreError> {
        Ok(self.write(|connection| change::test(connection, (org, webhook), event, now, by))?)
    }

    fn test_webhook_once(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        event: &EventId,
        now: DateTime<Utc>,
        by: &Actor,
        once: &IdempotentWrite<'_, Delivery>,
    ) -> Result<Idempotent<Delivery>, TestWebhookError> {
        self.write(|connection| {
            idempotency::once(connection, org, Some(once), |connection| {
                let sent = change::test(connection, (org, webhook), event, now, by)?;
                Ok(sent.ok_or(TestWebhookError::NotFound))
            })
        })?
    }

    fn deliveries(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        kinds: &[EventKind],
        after: Option<&DeliveryCursor>,
        limit: u32,
    ) -> Result<Option<DeliveryPage>, StoreError> {
        Ok(self.read(|connection| {
            if rows::find(connection, org, webhook)?.is_none() {
                return Ok(None);
            }
            deliveries::page(connection, (org, webhook), kinds, after, limit).map(Some)
        })?)
    }

    fn events(&self, org: &OrgId) -> Result<Vec<Event>, StoreError> {
        Ok(self.read(|connection| outbox::load(connection, org))?)
    }

    fn claim_delivery(
        &self,
        worker: &WorkerId,
        lease: TimeDelta,
        turns: &DeliveryFairness,
        now: DateTime<Utc>,
    ) -> Result<Option<DeliveryClaim>, StoreError> {
        // A worker that finds no delivery takes no lock.
        let found = self.read(|connection| {
            let now = self.now(connection, now)?;
            Ok(match due::is_any(connection, JobKind::Delivery, now)? {
                true => fairness::next(connection, turns, now)?,
                false => Vec::new(),
            })
        })?;
        if found.is_empty() {
            return Ok(None);
        }
        Ok(self.write(|connection| {
            let now = self.now(connection, now)?;
            claim::claim(connection, self.secret(), (worker, lease), turns, now)
        })?)
    }

    fn finish_delivery(
        &self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        verdict: Verdict,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| finish::finish(connection, claim, attempt, verdict, now))?)
    }

    fn hand_back_delivery(
        &self,
        claim: &DeliveryClaim,
        not_before: Option<DateTime<Utc>>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| finish::hand_back(connection, claim, not_before))?)
    }

    fn cancel_delivery(
        &self,
        claim: &DeliveryClaim,
        now: DateTime<Utc>,
    ) -> Result<LeaseStatus, StoreError> {
        Ok(self.write(|connection| finish::cancel(connection, claim, now))?)
    }

    fn bring_deliveries_forward(
        &self,
        latest: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        Ok(self.write(|connection| finish::repair_future_timestamps(connection, latest, now))?)
    }
}
