use api_types::action::{ActionItem, UpdateActionRequest};
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_update_action,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::action()),
    handle: update_action,
};

/// Change an action item
///
/// What is left out stays as it is. An audit never changes these fields, but for the status: it is
/// `done` when an audit shows that nothing is left, and `open` again when it comes back. A dismissed
/// item stays dismissed.
#[utoipa::path(
    patch,
    path = "/api/mcp/actions/{actionId}",
    tag = "Actions",
    params(("actionId" = String, Path, description = "Id of the action item.")),
    request_body = UpdateActionRequest,
    responses((status = 200, description = "The item after the change.", body = ActionItem)),
)]
fn update_action(call: &Call) -> Result<Answer, Problem> {
    let asked: UpdateActionRequest = call.body()?;
    let patch = convert::action_patch(asked, &*call.state.ids)?;
    let id = call.id("actionId", ActionId::parse)?;
    let stores = &call.state.stores;
    let item = stores.patch_action(call.org(), &id, &patch, call.now(), &call.by())?;
    Answer::ok(&convert::action(&item))
}
