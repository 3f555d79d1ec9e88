use domain::id::WebhookId;
use domain::key::Role;
use serde_json::Value;

use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_delete_webhook,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Admin,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| Ok(Value::Null),
    handle: delete_webhook,
};

/// Delete a webhook
///
/// Also deletes its pending deliveries and its delivery log.
#[utoipa::path(
    delete,
    path = "/api/mcp/webhooks/{webhookId}",
    tag = "Webhooks",
    params(("webhookId" = String, Path, description = "Id of the webhook.")),
    responses((status = 204, description = "The webhook is deleted.")),
)]
fn delete_webhook(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("webhookId", WebhookId::parse)?;
    let stores = &call.state.stores;
    if stores.delete_webhook(call.org(), &id, call.now(), &call.by())? {
        Ok(Reply::nothing())
    } else {
        Err(Problem::not_found())
    }
}
