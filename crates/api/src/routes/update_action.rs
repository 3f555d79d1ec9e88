use api_types::action::{ActionItem, UpdateActionRequest};
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
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

/// Update an action item
///
/// Omitted fields stay unchanged. Audits change only the status: it becomes `done` when an audit verifies that the
/// issue is fixed, and `open` again when the issue returns. A dismissed item stays dismissed.
#[utoipa::path(
    patch,
    path = "/api/mcp/actions/{actionId}",
    tag = "Actions",
    params(("actionId" = String, Path, description = "Id of the action item.")),
    request_body = UpdateActionRequest,
    responses((status = 200, description = "The item after the change.", body = ActionItem)),
)]
fn update_action(call: &Call) -> Result<Reply, Problem> {
    let ids = &*call.state.ids;
    let patch = call.body(|asked, invalid| convert::action_patch(asked, ids, invalid))?;
    let id = call.id("actionId", ActionId::parse)?;
    let stores = &call.state.stores;
    let item = stores.patch_action(call.org(), &id, &patch, call.now(), &call.by())?;
    Reply::ok(&convert::action(&item))
}
