use api_types::site::SiteHistory;
use domain::id::SiteId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::Problem;

const DEFAULT_LIMIT: u32 = 10;
const MAX_LIMIT: u32 = 100;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_site_history,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |variant| serde_json::to_value(examples::history(variant)),
    handle: get_site_history,
};

/// Get the history of a site
///
/// Returns the recent runs of a site with their scores, newest first.
#[utoipa::path(
    get,
    path = "/api/mcp/sites/{siteId}/history",
    tag = "Sites",
    params(
        ("siteId" = String, Path, description = "Id of the site."),
        ("limit" = Option<u32>, Query, description = "The maximum number of runs.", minimum = 1, maximum = 100),
    ),
    responses((status = 200, description = "The runs.", body = SiteHistory)),
)]
fn get_site_history(call: &Call) -> Result<Answer, Problem> {
    let limit = call.query.number("limit", 1..=MAX_LIMIT)?;
    let site = call.id("siteId", SiteId::parse)?;
    let runs = call
        .state
        .stores
        .history(call.org(), &site, limit.unwrap_or(DEFAULT_LIMIT))?
        .ok_or_else(Problem::not_found)?;
    Answer::ok(&convert::history(&site, &runs, call.state.settings.variant))
}
