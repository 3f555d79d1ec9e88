use api_types::webhook::Delivery;
use domain::id::{EventId, WebhookId};
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
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
    params(("webhookId" = String, Path, description = "Id of the webhook.")),
    responses((status = 202, description = "The queued delivery.", body = Delivery)),
)]
fn test_webhook(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("webhookId", WebhookId::parse)?;
    let (stores, event) = (&call.state.stores, EventId::make(&*call.state.ids));
    let delivery = stores.test_webhook(call.org(), &id, &event, call.now(), &call.by())?;
    Reply::accepted(&convert::delivery(
        &delivery.ok_or_else(Problem::not_found)?,
    ))
}
