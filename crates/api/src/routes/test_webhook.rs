use api_types::webhook::Delivery;
use domain::id::{EventId, WebhookId};
use domain::idempotency::Idempotent;
use domain::key::Role;
use domain::ports::TestWebhookError;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_test_webhook,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::test_delivery()),
    handle: test_webhook,
};

/// Test a webhook
///
/// Sends an event of type `test` like any other event: signed, retried on failure and listed in the deliveries. It is
/// also sent to a disabled webhook.
#[utoipa::path(
    post,
    path = "/api/mcp/webhooks/{webhookId}/test",
    tag = "Webhooks",
    params(IdempotencyHeader, ("webhookId" = String, Path, description = "Id of the webhook.")),
    responses((status = 202, description = "The queued delivery.", body = Delivery)),
)]
fn test_webhook(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("webhookId", WebhookId::parse)?;
    let (stores, event) = (&call.state.stores, EventId::make(&*call.state.ids));
    let (org, now, by) = (call.org(), call.now(), call.by());
    call.once(
        |once| match once {
            Some(once) => stores.test_webhook_once(org, &id, &event, now, &by, once),
            None => {
                let sent = stores.test_webhook(org, &id, &event, now, &by)?;
                sent.map(Idempotent::Executed)
                    .ok_or(TestWebhookError::NotFound)
            }
        },
        |sent| Reply::accepted(&convert::delivery(sent)),
    )
}
