//! Events on their way to a webhook.

use chrono::{DateTime, Utc};

use crate::event::EventKind;
use crate::id::{DeliveryId, EventId, WebhookId};
use crate::named_enum::named_enum;

named_enum! {
    /// The status of a delivery.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum DeliveryStatus {
        /// It waits for its first or its next attempt.
        Pending = "pending",
        /// The receiver answered with a status from 200 to 299.
        Delivered = "delivered",
        /// The last attempt failed, or the receiver returned 410.
        Failed = "failed",
        /// The webhook was turned off before, or the variant of the interface does not have such events.
        Cancelled = "cancelled",
    }
}

/// An event on its way to a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// The webhook.
    pub webhook_id: WebhookId,
    /// The event.
    pub event_id: EventId,
    /// What the event is about.
    pub event: EventKind,
    /// The status.
    pub status: DeliveryStatus,
    /// The attempts so far, the first one first.
    pub attempts: Vec<DeliveryAttempt>,
    /// When it is tried next; none once it has ended.
    pub next_attempt_at: Option<DateTime<Utc>>,
    /// When the event happened.
    pub created_at: DateTime<Utc>,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
}

/// One attempt to deliver an event. Nothing of what the receiver wrote is kept but its status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// When it began.
    pub at: DateTime<Utc>,
    /// How long it took.
    pub duration_ms: u64,
    /// The status that the receiver answered.
    pub status_code: Option<u16>,
    /// Why there was no answer, in our own words.
    pub error: Option<String>,
}
