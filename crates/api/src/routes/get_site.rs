use api_types::site::Site;
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_site,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::site()),
    handle: get_site,
};

/// Get a site
///
/// Returns the site with its latest run, its latest overall score and the number of its unfinished action items.
#[utoipa::path(
    get,
    path = "/api/mcp/sites/{siteId}",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    responses((status = 200, description = "The site.", body = Site)),
)]
fn get_site(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("siteId", SiteId::parse)?;
    let variant = call.state.settings.variant;
    let site = call.state.stores.site(call.org(), &id, variant)?;
    Reply::ok(&convert::site(
        &site.ok_or_else(Problem::not_found)?,
        variant,
    ))
}
