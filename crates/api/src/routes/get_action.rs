use api_types::action::ActionItem;
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_action,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::action()),
    handle: get_action,
};

/// Get an action item
///
/// Returns the item with the data of the latest audit that found the issue.
#[utoipa::path(
    get,
    path = "/api/mcp/actions/{actionId}",
    tag = "Actions",
    params(("actionId" = String, Path, description = "Id of the action item.")),
    responses((status = 200, description = "The item.", body = ActionItem)),
)]
fn get_action(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("actionId", ActionId::parse)?;
    let variant = call.state.settings.variant;
    let item = call.state.stores.action(call.org(), &id, variant)?;
    Reply::ok(&convert::action(&item.ok_or_else(Problem::not_found)?))
}
