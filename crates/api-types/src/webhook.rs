//! Webhooks: where events are sent, and what was sent there.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::event::EventType;
use crate::given::given;

/// An address that events of the organization are sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Id of the webhook.
    pub webhook_id: String,
    /// Where events are sent.
    pub url: String,
    /// Which events are sent.
    pub events: Vec<WebhookEvent>,
    /// Whether events are sent.
    pub enabled: bool,
    /// Why no events are sent; `null` where they are.
    pub disabled_reason: Option<DisabledReason>,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// When it was changed last, RFC 3339 in UTC.
    pub updated_at: String,
}

/// A webhook that was just made, with its secret, which is never shown again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreatedWebhook {
    /// The webhook.
    #[serde(flatten)]
    pub webhook: Webhook,
    /// What deliveries are signed with, `whsec_` and base64, as Standard Webhooks has it. Keep it: it
    /// is shown this once.
    pub secret: String,
}

impl std::fmt::Debug for CreatedWebhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CreatedWebhook")
            .field("webhook", &self.webhook)
            .finish_non_exhaustive()
    }
}

/// An event that a webhook can be sent.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
pub enum WebhookEvent {
    /// A run has a report.
    #[serde(rename = "run.completed")]
    RunCompleted,
    /// A run ended without a report, and not because somebody cancelled it.
    #[serde(rename = "run.failed")]
    RunFailed,
    /// A run found again what had been done.
    #[serde(rename = "issue.regressed")]
    IssueRegressed,
    /// A person or an audit changed an action item.
    #[serde(rename = "action.updated")]
    ActionUpdated,
    /// A schedule was due, and its run was not started.
    #[serde(rename = "schedule.skipped")]
    ScheduleSkipped,
}

/// Why a webhook is sent nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// Somebody turned it off.
    TurnedOff,
    /// The receiver answered 410: it wants no more.
    Gone,
}

/// All webhooks of the organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookList {
    /// The webhooks, oldest first.
    pub webhooks: Vec<Webhook>,
}

/// A webhook to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateWebhookRequest {
    /// Where events are to be sent: an absolute http or https URL without user information.
    #[schema(
        format = "uri",
        max_length = 2048,
        example = "https://hooks.example.com/assay"
    )]
    pub url: String,
    /// Which events are to be sent: one or more, each once.
    #[schema(min_items = 1)]
    pub events: Vec<WebhookEvent>,
}

/// What is to be changed of a webhook: one field or more.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(min_properties = 1)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct UpdateWebhookRequest {
    /// Where events are to be sent.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, format = "uri", max_length = 2048)]
    pub url: Option<String>,
    /// Which events are to be sent, instead of those before.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, min_items = 1)]
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether events are to be sent. What waits to be delivered is given up when it is turned off.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub enabled: Option<bool>,
}

/// An event on its way to a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// Id of the delivery.
    pub delivery_id: String,
    /// The webhook.
    pub webhook_id: String,
    /// Id of the event, the same with every attempt: what the receiver gets as `webhook-id`.
    pub event_id: String,
    /// What happened; `test` for a test delivery.
    pub event: EventType,
    /// Where it stands.
    pub status: DeliveryStatus,
    /// The attempts so far, the first one first.
    pub attempts: Vec<DeliveryAttempt>,
    /// When it is tried next, RFC 3339 in UTC; `null` once it has ended.
    pub next_attempt_at: Option<String>,
    /// When the event happened, RFC 3339 in UTC.
    pub created_at: String,
    /// When it ended, RFC 3339 in UTC; `null` before.
    pub finished_at: Option<String>,
}

/// Where a delivery stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It waits for its first or its next attempt.
    Pending,
    /// The receiver answered with a status from 200 to 299.
    Delivered,
    /// The last attempt failed, or the receiver answered 410.
    Failed,
    /// The webhook was turned off before it was delivered.
    Cancelled,
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryAttempt {
    /// When it began, RFC 3339 in UTC.
    pub at: String,
    /// How long it took.
    pub duration_ms: u64,
    /// The status that the receiver answered; `null` where it answered none.
    pub status_code: Option<u16>,
    /// Why there was no answer; `null` where there was one.
    pub error: Option<String>,
}

/// A page of the deliveries of a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryList {
    /// The deliveries, newest first.
    pub deliveries: Vec<Delivery>,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}
