//! Webhooks and their deliveries.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::EventType;
use crate::given::given;

/// A URL that receives events of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Id of the webhook.
    pub webhook_id: String,
    /// The URL that receives the events.
    pub url: String,
    /// The events that are sent.
    pub events: Vec<WebhookEvent>,
    /// Whether the webhook is enabled.
    pub enabled: bool,
    /// Why the webhook is disabled; `null` if it is enabled.
    pub disabled_reason: Option<DisabledReason>,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// When it was last changed, RFC 3339 in UTC.
    pub updated_at: String,
}

/// A created webhook with its secret, which is shown only once.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedWebhook {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// The secret that signs deliveries, `whsec_` and base64 as in Standard Webhooks. Store it: it is shown
    /// only once.
    pub secret: String,
}

impl std::fmt::Debug for CreatedWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreatedWebhook")
            .field("webhook", &self.webhook)
            .finish_non_exhaustive()
    }
}

/// An event that a webhook can receive.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
pub enum WebhookEvent {
    /// A run completed and has a report.
    #[serde(rename = "run.completed")]
    RunCompleted,
    /// A run failed. Cancelled runs send no event.
    #[serde(rename = "run.failed")]
    RunFailed,
    /// A run found an issue again whose action item was done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed,
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated,
    /// A scheduled run was skipped.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped,
}

/// Why a webhook is disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// A user disabled it.
    TurnedOff,
    /// The receiver returned 410 Gone.
    Gone,
}

/// All webhooks of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookList {
    /// The webhooks, oldest first.
    pub webhooks: Vec<Webhook>,
}

/// A webhook to create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateWebhookRequest {
    /// The URL that receives the events: an absolute http or https URL without user information.
    #[schema(
        format = "uri",
        max_length = 2048,
        example = "https://hooks.example.com/assay"
    )]
    pub url: String,
    /// The events to send: at least one, without duplicates.
    #[schema(min_items = 1)]
    pub events: Vec<WebhookEvent>,
}

/// A change of a webhook: at least one field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(min_properties = 1)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateWebhookRequest {
    /// The URL that receives the events.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, format = "uri", max_length = 2048)]
    pub url: Option<String>,
    /// The events to send; they replace the previous events.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_items = 1)]
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether the webhook is enabled. Disabling it cancels pending deliveries.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

/// The delivery of an event to a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Id of the delivery.
    pub delivery_id: String,
    /// The webhook.
    pub webhook_id: String,
    /// Id of the event, the same in every attempt; the receiver gets it in the header `webhook-id`.
    pub event_id: String,
    /// The type of the event; `test` for a test delivery.
    pub event: EventType,
    /// The status.
    pub status: DeliveryStatus,
    /// The attempts so far, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
    /// When the next attempt is due, RFC 3339 in UTC; `null` once the delivery has ended.
    pub next_attempt_at: Option<String>,
    /// When the event happened, RFC 3339 in UTC.
    pub created_at: String,
    /// When the delivery ended, RFC 3339 in UTC; `null` until then.
    pub finished_at: Option<String>,
}

/// The status of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// Waiting for the first or next attempt.
    Pending,
    /// The receiver returned a status from 200 to 299.
    Delivered,
    /// The last attempt failed, or the receiver returned 410.
    Failed,
    /// The webhook was disabled before the delivery succeeded.
    Cancelled,
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// When the attempt started, RFC 3339 in UTC.
    pub at: String,
    /// The duration of the attempt.
    pub duration_ms: u64,
    /// The status code of the receiver; `null` without a response.
    pub status_code: Option<u16>,
    /// Why there was no response; `null` with a response.
    pub error: Option<String>,
}

/// A page of the deliveries of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryList {
    /// The deliveries, newest first.
    pub deliveries: Vec<Delivery>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}
