use api_types::check::CheckList;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_checks,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::checks()),
    handle: list_checks,
};

/// List checks
///
/// Lists the checks of this server. The page at `helpUrl` documents the check and needs no key.
#[utoipa::path(
    get,
    path = "/api/mcp/checks",
    tag = "Checks",
    responses((status = 200, description = "The checks.", body = CheckList)),
)]
fn list_checks(call: &Call) -> Result<Reply, Problem> {
    let settings = &call.state.settings;
    let checks = call.state.checks.checks();
    Reply::ok(&convert::checks(
        &checks,
        settings.variant,
        &settings.base_url,
    ))
}
