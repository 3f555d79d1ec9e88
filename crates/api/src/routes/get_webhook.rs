use api_types::webhook::Webhook;
use domain::id::WebhookId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_webhook,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::webhook()),
    handle: get_webhook,
};

/// Get a webhook
///
/// Returns the URL, the events and whether the webhook is enabled. The secret is not included.
#[utoipa::path(
    get,
    path = "/api/mcp/webhooks/{webhookId}",
    tag = "Webhooks",
    params(("webhookId" = String, Path, description = "Id of the webhook.")),
    responses((status = 200, description = "The webhook.", body = Webhook)),
)]
fn get_webhook(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("webhookId", WebhookId::parse)?;
    let webhook = call.state.stores.webhook(call.org(), &id)?;
    Reply::ok(&convert::webhook(
        &webhook.ok_or_else(Problem::not_found)?,
        call.state.settings.variant,
    ))
}
