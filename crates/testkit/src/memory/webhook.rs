//! Webhooks and their deliveries.

use std::cmp::Reverse;

use chrono::{DateTime, TimeDelta, Utc};
use domain::audit_log::Actor;
use domain::event::{Event, EventFacts, EventKind};
use domain::id::{EventId, OrgId, WebhookId};
use domain::ports::{
    CreateWebhookError, DeliveryClaim, DeliveryPage, DeliveryTurns, Held, NewWebhook, StoreError,
    WebhookStore, WorkerId,
};
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryCursor, DeliveryStatus, MAX_WEBHOOKS, Verdict, Webhook,
    WebhookPatch, WebhookState, host_of,
};

use super::MemoryStores;
use super::state::State;

/// A delivery, and who sends it.
#[derive(Debug)]
pub(super) struct KeptDelivery {
    delivery: Delivery,
    epoch: u32,
    /// None while nobody has it.
    lease_expires_at: Option<DateTime<Utc>>,
}

impl KeptDelivery {
    pub(super) const fn new(delivery: Delivery) -> Self {
        Self {
            delivery,
            epoch: 0,
            lease_expires_at: None,
        }
    }

    fn is_claimable(&self, now: DateTime<Utc>) -> bool {
        self.delivery.next_attempt_at.is_some_and(|due| due <= now)
            && self.lease_expires_at.is_none_or(|until| until <= now)
    }

    fn end(&mut self, status: DeliveryStatus, now: DateTime<Utc>) {
        self.delivery.status = status;
        self.delivery.next_attempt_at = None;
        self.delivery.finished_at = Some(now);
        self.lease_expires_at = None;
    }
}

impl State {
    fn kept_webhook(&mut self, org: &OrgId, id: &WebhookId) -> Option<&mut NewWebhook> {
        let mut webhooks = self.webhooks.iter_mut();
        webhooks.find(|kept| kept.webhook.org_id == *org && kept.webhook.id == *id)
    }

    fn create_webhook(
        &mut self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
    ) -> Result<(), CreateWebhookError> {
        if self.org(org).is_none() || new.webhook.org_id != *org {
            return Err(StoreError::Failed(format!("there is no organization {org}")).into());
        }
        let of_org = self.webhooks.iter();
        let count = of_org.filter(|kept| kept.webhook.org_id == *org).count();
        if u32::try_from(count).unwrap_or(u32::MAX) >= MAX_WEBHOOKS {
            return Err(CreateWebhookError::TooMany(MAX_WEBHOOKS));
        }
        let webhook = &new.webhook;
        self.webhooks.push(new.clone());
        let what = (webhook.id.as_str(), host_of(&webhook.url));
        self.note(org, webhook.created_at, by, "webhook.created", what);
        Ok(())
    }

    fn patch_webhook(
        &mut self,
        org: &OrgId,
        id: &WebhookId,
        patch: &WebhookPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Option<Webhook> {
        let webhook = &mut self.kept_webhook(org, id)?.webhook;
        let changed = patch.apply(webhook, now);
        let webhook = webhook.clone();
        if !changed.is_empty() {
            let what = (id.as_str(), changed.join(", "));
            self.note(org, now, by, "webhook.changed", what);
        }
        if webhook.state != WebhookState::Enabled {
            self.cancel_deliveries(id, now);
        }
        Some(webhook)
    }

    fn cancel_deliveries(&mut self, webhook: &WebhookId, now: DateTime<Utc>) {
        for kept in &mut self.deliveries {
            let waits = kept.delivery.status == DeliveryStatus::Pending;
            if waits && kept.delivery.webhook_id == *webhook {
                kept.end(DeliveryStatus::Cancelled, now);
            }
        }
    }

    fn claim_delivery(
        &mut self,
        lease: TimeDelta,
        turns: &DeliveryTurns,
        now: DateTime<Utc>,
    ) -> Option<DeliveryClaim> {
        let webhooks = &self.webhooks;
        let org_of = |delivery: &Delivery| {
            let mut known = webhooks.iter().map(|known| &known.webhook);
            let webhook = known.find(|webhook| webhook.id == delivery.webhook_id)?;
            Some(webhook.org_id.clone())
        };
        let claimable = self.deliveries.iter_mut().filter_map(|kept| {
            let org = org_of(&kept.delivery)?;
            let has_turn = kept.is_claimable(now)
                && !turns.busy_orgs.contains(&org)
                && !turns.busy_webhooks.contains(&kept.delivery.webhook_id);
            has_turn.then_some((org, kept))
        });
        let (_, kept) = claimable.min_by_key(|(org, kept)| {
            let delivery = &kept.delivery;
            let had_turn = turns.last.as_ref().is_some_and(|last| org <= last);
            let due = (delivery.next_attempt_at, delivery.id.clone());
            (had_turn, org.clone(), due)
        })?;
        let delivery = &kept.delivery;
        let mut webhooks = self.webhooks.iter();
        let webhook = webhooks.find(|known| known.webhook.id == delivery.webhook_id)?;
        let mut events = self.events.iter();
        let event = events.find(|event| event.id == delivery.event_id)?;
        kept.epoch += 1;
        kept.lease_expires_at = Some(now + lease);
        Some(DeliveryClaim {
            id: delivery.id.clone(),
            webhook_id: delivery.webhook_id.clone(),
            url: webhook.webhook.url.clone(),
            secret: webhook.secret.clone(),
            event: event.clone(),
            attempts: delivery.attempts.len(),
            epoch: kept.epoch,
        })
    }

    /// The delivery of a claim; none where the claim is lost.
    fn held_delivery(&mut self, claim: &DeliveryClaim) -> Option<&mut KeptDelivery> {
        let mut deliveries = self.deliveries.iter_mut();
        deliveries.find(|kept| {
            kept.delivery.id == claim.id
                && kept.epoch == claim.epoch
                && kept.lease_expires_at.is_some()
        })
    }

    fn finish_delivery(
        &mut self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        verdict: Verdict,
        now: DateTime<Utc>,
    ) -> Held {
        // An address that is gone says nothing of the one that has taken its place.
        let has_moved = verdict == Verdict::Gone
            && self
                .kept_webhook(&claim.event.org_id, &claim.webhook_id)
                .is_some_and(|kept| kept.webhook.url != claim.url.as_str());
        let verdict = if has_moved {
            Verdict::Again(now)
        } else {
            verdict
        };
        let Some(kept) = self.held_delivery(claim) else {
            return Held::Lost;
        };
        kept.delivery.attempts.push(attempt.clone());
        match verdict {
            Verdict::Delivered => kept.end(DeliveryStatus::Delivered, now),
            Verdict::Gone | Verdict::GivenUp => kept.end(DeliveryStatus::Failed, now),
            Verdict::Again(at) => {
                kept.delivery.next_attempt_at = Some(at);
                kept.lease_expires_at = None;
            }
        }
        if verdict == Verdict::Gone {
            self.disable(claim, now);
        }
        Held::Yes
    }

    fn disable(&mut self, claim: &DeliveryClaim, now: DateTime<Utc>) {
        let (org, id) = (&claim.event.org_id, &claim.webhook_id);
        self.cancel_deliveries(id, now);
        if let Some(kept) = self.kept_webhook(org, id)
            && kept.webhook.state == WebhookState::Enabled
        {
            kept.webhook.state = WebhookState::Gone;
            kept.webhook.updated_at = now;
            let what = (id.as_str(), "the receiver answered 410".to_owned());
            self.note(org, now, &Actor::System, "webhook.disabled", what);
        }
    }

    fn page_of_deliveries(
        &self,
        webhook: &WebhookId,
        kinds: &[EventKind],
        after: Option<&DeliveryCursor>,
        limit: u32,
    ) -> DeliveryPage {
        let of_webhook = self.deliveries.iter().map(|kept| &kept.delivery);
        let mut deliveries: Vec<_> = of_webhook
            .filter(|delivery| delivery.webhook_id == *webhook && kinds.contains(&delivery.event))
            .filter(|delivery| after.is_none_or(|cursor| DeliveryCursor::of(delivery) < *cursor))
            .cloned()
            .collect();
        deliveries.sort_by_key(|delivery| Reverse(DeliveryCursor::of(delivery)));
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let goes_on = deliveries.len() > limit;
        deliveries.truncate(limit);
        let last = deliveries.last().filter(|_| goes_on);
        DeliveryPage {
            next: last.map(DeliveryCursor::of),
            deliveries,
        }
    }

    fn forget_events(&mut self, before: DateTime<Utc>, limit: u32) -> u64 {
        let waits = |event: &Event| {
            let mut deliveries = self.deliveries.iter().map(|kept| &kept.delivery);
            deliveries.any(|delivery| {
                delivery.event_id == event.id && delivery.status == DeliveryStatus::Pending
            })
        };
        let old = self.events.iter().filter(|event| event.at < before);
        let old = old
            .filter(|event| !waits(event))
            .map(|event| event.id.clone());
        let old: Vec<EventId> = old
            .take(usize::try_from(limit).unwrap_or(usize::MAX))
            .collect();
        self.events.retain(|event| !old.contains(&event.id));
        self.deliveries
            .retain(|kept| !old.contains(&kept.delivery.event_id));
        u64::try_from(old.len()).unwrap_or(u64::MAX)
    }
}

impl MemoryStores {
    /// How often deliveries have been claimed; none where the stores are broken.
    #[must_use]
    pub fn delivery_claims(&self) -> Option<u32> {
        let state = self.open().ok()?;
        Some(state.deliveries.iter().map(|kept| kept.epoch).sum())
    }
}

impl WebhookStore for MemoryStores {
    fn create_webhook(
        &self,
        org: &OrgId,
        new: &NewWebhook,
        by: &Actor,
    ) -> Result<(), CreateWebhookError> {
        self.open()?.create_webhook(org, new, by)
    }

    fn webhooks(&self, org: &OrgId) -> Result<Vec<Webhook>, StoreError> {
        let state = self.open()?;
        let of_org = state.webhooks.iter().map(|kept| &kept.webhook);
        let mut webhooks: Vec<_> = of_org
            .filter(|webhook| webhook.org_id == *org)
            .cloned()
            .collect();
        webhooks.sort_by_key(|webhook| (webhook.created_at, webhook.id.clone()));
        Ok(webhooks)
    }

    fn webhook(&self, org: &OrgId, webhook: &WebhookId) -> Result<Option<Webhook>, StoreError> {
        let mut state = self.open()?;
        let kept = state.kept_webhook(org, webhook);
        Ok(kept.map(|kept| kept.webhook.clone()))
    }

    fn patch_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        patch: &WebhookPatch,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Webhook>, StoreError> {
        Ok(self.open()?.patch_webhook(org, webhook, patch, now, by))
    }

    fn delete_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<bool, StoreError> {
        let mut state = self.open()?;
        let Some(kept) = state.kept_webhook(org, webhook) else {
            return Ok(false);
        };
        let host = host_of(&kept.webhook.url);
        state.webhooks.retain(|kept| kept.webhook.id != *webhook);
        state
            .deliveries
            .retain(|kept| kept.delivery.webhook_id != *webhook);
        state.note(org, now, by, "webhook.deleted", (webhook.as_str(), host));
        Ok(true)
    }

    fn test_webhook(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        event: &EventId,
        now: DateTime<Utc>,
        by: &Actor,
    ) -> Result<Option<Delivery>, StoreError> {
        let mut state = self.open()?;
        if state.kept_webhook(org, webhook).is_none() {
            return Ok(None);
        }
        let event = Event {
            id: event.clone(),
            org_id: org.clone(),
            at: now,
            facts: EventFacts::Test {
                webhook_id: webhook.clone(),
            },
        };
        let what = (webhook.as_str(), event.id.to_string());
        state.note(org, now, by, "webhook.tested", what);
        Ok(Some(state.record_for(event, webhook.clone())))
    }

    fn deliveries(
        &self,
        org: &OrgId,
        webhook: &WebhookId,
        kinds: &[EventKind],
        after: Option<&DeliveryCursor>,
        limit: u32,
    ) -> Result<Option<DeliveryPage>, StoreError> {
        let mut state = self.open()?;
        if state.kept_webhook(org, webhook).is_none() {
            return Ok(None);
        }
        Ok(Some(state.page_of_deliveries(webhook, kinds, after, limit)))
    }

    fn events(&self, org: &OrgId) -> Result<Vec<Event>, StoreError> {
        let state = self.open()?;
        let of_org = state.events.iter().filter(|event| event.org_id == *org);
        let mut events: Vec<_> = of_org.cloned().collect();
        events.sort_by_key(|event| event.at);
        Ok(events)
    }

    fn claim_delivery(
        &self,
        _worker: &WorkerId,
        lease: TimeDelta,
        turns: &DeliveryTurns,
        now: DateTime<Utc>,
    ) -> Result<Option<DeliveryClaim>, StoreError> {
        Ok(self.open()?.claim_delivery(lease, turns, now))
    }

    fn finish_delivery(
        &self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        verdict: Verdict,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Ok(self.open()?.finish_delivery(claim, attempt, verdict, now))
    }

    fn hand_back_delivery(
        &self,
        claim: &DeliveryClaim,
        not_before: Option<DateTime<Utc>>,
    ) -> Result<Held, StoreError> {
        Ok(match self.open()?.held_delivery(claim) {
            None => Held::Lost,
            Some(kept) => {
                kept.lease_expires_at = None;
                if not_before.is_some() {
                    kept.delivery.next_attempt_at = not_before;
                }
                Held::Yes
            }
        })
    }

    fn cancel_delivery(
        &self,
        claim: &DeliveryClaim,
        now: DateTime<Utc>,
    ) -> Result<Held, StoreError> {
        Ok(match self.open()?.held_delivery(claim) {
            None => Held::Lost,
            Some(kept) => {
                kept.end(DeliveryStatus::Cancelled, now);
                Held::Yes
            }
        })
    }

    fn release_deliveries(&self) -> Result<u64, StoreError> {
        let mut state = self.open()?;
        let leases = state.deliveries.iter_mut();
        let released = leases
            .filter_map(|kept| kept.lease_expires_at.take())
            .count();
        Ok(u64::try_from(released).unwrap_or(u64::MAX))
    }

    fn bring_deliveries_forward(
        &self,
        latest: DateTime<Utc>,
        latest_lease: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<u64, StoreError> {
        let mut state = self.open()?;
        let mut changed = 0;
        for kept in &mut state.deliveries {
            if kept.lease_expires_at.is_some_and(|end| end > latest_lease) {
                kept.lease_expires_at = None;
                changed += 1;
            }
            let delivery = &mut kept.delivery;
            if delivery.next_attempt_at.is_some_and(|due| due > latest) {
                delivery.next_attempt_at = Some(now);
                changed += 1;
            }
        }
        Ok(changed)
    }

    fn forget_events(&self, before: DateTime<Utc>, limit: u32) -> Result<u64, StoreError> {
        Ok(self.open()?.forget_events(before, limit))
    }
}
