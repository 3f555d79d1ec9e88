use api_types::member::MemberList;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_members,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::members()),
    handle: list_members,
};

/// List members
///
/// Lists the members of the organization. Action items can be assigned to them.
#[utoipa::path(
    get,
    path = "/api/mcp/members",
    tag = "Account",
    responses((status = 200, description = "The members.", body = MemberList)),
)]
fn list_members(call: &Call) -> Result<Reply, Problem> {
    let members = call.state.stores.members(call.org())?;
    Reply::ok(&convert::members(&members))
}
