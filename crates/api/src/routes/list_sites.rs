use api_types::site::SiteList;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_sites,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::sites()),
    handle: list_sites,
};

/// List sites
///
/// Lists all sites of the organization with their latest run and score.
#[utoipa::path(
    get,
    path = "/api/mcp/sites",
    tag = "Sites",
    responses((status = 200, description = "The sites.", body = SiteList)),
)]
fn list_sites(call: &Call) -> Result<Reply, Problem> {
    let sites = call
        .state
        .stores
        .sites(call.org(), call.state.settings.variant)?;
    Reply::ok(&convert::sites(&sites, call.state.settings.variant))
}
