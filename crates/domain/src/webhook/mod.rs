//! Webhooks: URLs that receive the events of an organization.

mod cursor;
mod delivery;
mod retry;
mod secret;

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

pub use cursor::DeliveryCursor;
pub use delivery::{Delivery, DeliveryAttempt, DeliveryStatus};
pub use retry::{MAX_RETRY_AFTER, Reply, RetryDelays, Verdict};
pub use secret::WebhookSecret;

use crate::event::EventKind;
use crate::id::{OrgId, WebhookId};
use crate::named_enum::named_enum;

/// The maximum number of webhooks of an organization.
pub const MAX_WEBHOOKS: u32 = 50;

/// A URL that receives events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Its id.
    pub id: WebhookId,
    /// The organization of the webhook.
    pub org_id: OrgId,
    /// The URL that receives the events. It may contain a token, so logs never show it.
    pub url: String,
    /// The events to send.
    pub events: BTreeSet<EventKind>,
    /// Whether the webhook is enabled, or why not.
    pub state: WebhookState,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

named_enum! {
    /// Whether a webhook is enabled.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum WebhookState {
        /// It is.
        Enabled = "enabled",
        /// A user disabled it.
        TurnedOff = "turned_off",
        /// The receiver returned 410 Gone.
        Gone = "gone",
    }
}

/// A change of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebhookPatch {
    /// The URL that receives the events.
    pub url: Option<String>,
    /// The events to send.
    pub events: Option<BTreeSet<EventKind>>,
    /// Whether events are sent.
    pub enabled: Option<bool>,
}

impl WebhookPatch {
    /// Makes the change, and answers the fields that became different, as the wire spells them. The time
    /// moves only where there are any. One that is turned off stays what it was where it was off before.
    pub fn apply(&self, webhook: &mut Webhook, now: DateTime<Utc>) -> Vec<&'static str> {
        let before = webhook.clone();
        if let Some(url) = &self.url {
            webhook.url.clone_from(url);
        }
        if let Some(events) = &self.events {
            webhook.events.clone_from(events);
        }
        webhook.state = match (self.enabled, webhook.state) {
            (Some(true), _) => WebhookState::Enabled,
            (Some(false), WebhookState::Enabled) => WebhookState::TurnedOff,
            (_, state) => state,
        };
        let fields = [
            ("url", before.url != webhook.url),
            ("events", before.events != webhook.events),
            ("enabled", before.state != webhook.state),
        ];
        let changed = fields.into_iter().filter(|(_, differs)| *differs);
        let changed: Vec<_> = changed.map(|(name, _)| name).collect();
        if !changed.is_empty() {
            webhook.updated_at = now;
        }
        changed
    }
}

/// The host of a webhook's address, which is what logs may show of it.
#[must_use]
pub fn host_of(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(url::Url::host_str);
    host.unwrap_or_default().to_owned()
}
