//! What happened, and to whom it is sent.

use chrono::{DateTime, Utc};
use domain::event::{Event, EventFacts};
use domain::id::{DeliveryId, EventId, OrgId, RunId, WebhookId};
use domain::ports::IdSource;
use domain::webhook::{Delivery, DeliveryStatus, WebhookState};

use super::state::State;
use super::webhook::KeptDelivery;

impl State {
    /// Stores an event, and a delivery for each webhook that wants it.
    pub(super) fn tell(&mut self, org: &OrgId, at: DateTime<Utc>, facts: EventFacts) {
        let id = EventId::make(&self.own_ids);
        self.record(Event {
            id,
            org_id: org.clone(),
            at,
            facts,
        });
    }

    /// Stores the event that tells how a run ended.
    pub(super) fn tell_end(
        &mut self,
        run: &RunId,
        org: &OrgId,
        at: DateTime<Utc>,
        facts: EventFacts,
    ) {
        self.record(Event {
            id: EventId::of_the_end_of(run),
            org_id: org.clone(),
            at,
            facts,
        });
    }

    fn record(&mut self, event: Event) {
        let wanted = self.webhooks.iter().map(|kept| &kept.webhook);
        let wanted = wanted.filter(|webhook| {
            webhook.org_id == event.org_id
                && webhook.state == WebhookState::Enabled
                && webhook.events.contains(&event.kind())
        });
        let webhooks: Vec<WebhookId> = wanted.map(|webhook| webhook.id.clone()).collect();
        for webhook in webhooks {
            self.deliver(&event, webhook);
        }
        self.events.push(event);
    }

    /// Stores an event for one webhook alone.
    pub(super) fn record_for(&mut self, event: Event, webhook: WebhookId) -> Delivery {
        let delivery = self.deliver(&event, webhook);
        self.events.push(event);
        delivery
    }

    fn deliver(&mut self, event: &Event, webhook_id: WebhookId) -> Delivery {
        let delivery = Delivery {
            id: DeliveryId::make(&self.own_ids),
            webhook_id,
            event_id: event.id.clone(),
            event: event.kind(),
            status: DeliveryStatus::Pending,
            attempts: Vec::new(),
            next_attempt_at: Some(event.at),
            created_at: event.at,
            finished_at: None,
        };
        self.deliveries.push(KeptDelivery::new(delivery.clone()));
        delivery
    }
}

/// Ids of the store's own, which sort after none that a test makes.
#[derive(Debug, Default)]
pub(super) struct OwnIds(crate::SequentialIds);

impl IdSource for OwnIds {
    fn ulid(&self) -> String {
        self.0.ulid().replacen('0', "7", 1)
    }

    fn base62(&self, length: usize) -> String {
        self.0.base62(length)
    }
}
