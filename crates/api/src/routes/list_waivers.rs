use api_types::waiver::WaiverList;
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_waivers,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::waivers()),
    handle: list_waivers,
};

/// List waivers
///
/// Lists the findings that the owner of the site accepts, oldest first, also waivers that have expired.
#[utoipa::path(
    get,
    path = "/api/mcp/sites/{siteId}/waivers",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    responses((status = 200, description = "The waivers.", body = WaiverList)),
)]
fn list_waivers(call: &Call) -> Result<Reply, Problem> {
    let site = call.id("siteId", SiteId::parse)?;
    let waivers = call.state.stores.waivers(call.org(), &site)?;
    let waivers = waivers.ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::waivers(&site, &waivers, call.now()))
}
