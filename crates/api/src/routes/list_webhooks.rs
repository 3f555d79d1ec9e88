use api_types::webhook::WebhookList;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_webhooks,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::webhooks()),
    handle: list_webhooks,
};

/// List webhooks
///
/// Lists the webhooks of the organization, oldest first. Secrets are not included.
#[utoipa::path(
    get,
    path = "/api/mcp/webhooks",
    tag = "Webhooks",
    responses((status = 200, description = "The webhooks.", body = WebhookList)),
)]
fn list_webhooks(call: &Call) -> Result<Reply, Problem> {
    let webhooks = call.state.stores.webhooks(call.org())?;
    Reply::ok(&convert::webhooks(&webhooks, call.state.settings.variant))
}
