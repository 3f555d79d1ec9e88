use api_types::brief::ActionBrief;
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_brief,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::brief()),
    handle: get_brief,
};

/// Get the brief of an action item
///
/// Returns instructions for working on the item. The status is `none` until a brief is queued. Text of the
/// audited site and of people is only inside marked fences.
#[utoipa::path(
    get,
    path = "/api/mcp/actions/{actionId}/brief",
    tag = "Actions",
    params(("actionId" = String, Path, description = "Id of the action item.")),
    responses((status = 200, description = "The brief.", body = ActionBrief)),
)]
fn get_brief(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("actionId", ActionId::parse)?;
    let brief = call.state.stores.brief(call.org(), &id)?;
    Reply::ok(&convert::brief(&brief.ok_or_else(Problem::not_found)?))
}
