use api_types::schedule::Schedule;
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_schedule,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::schedule()),
    handle: get_schedule,
};

/// Get the schedule of a site
///
/// Returns the schedule of automatic audits.
#[utoipa::path(
    get,
    path = "/api/mcp/sites/{siteId}/schedule",
    tag = "Sites",
    params(("siteId" = String, Path, description = "Id of the site.")),
    responses((status = 200, description = "The schedule.", body = Schedule)),
)]
fn get_schedule(call: &Call) -> Result<Reply, Problem> {
    let site = call.id("siteId", SiteId::parse)?;
    let schedule = call.state.stores.schedule(call.org(), &site)?;
    Reply::ok(&convert::schedule(
        &schedule.ok_or_else(Problem::not_found)?,
    ))
}
