use api_types::site::SiteHistory;
use domain::id::SiteId;
use domain::key::Role;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::PageSize;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_site_history,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |variant| serde_json::to_value(examples::history(variant)),
    handle: get_site_history,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct HistoryQuery {
    /// The maximum number of runs.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize<100, 10>,
}

/// Get the history of a site
///
/// Returns the recent runs of a site with their scores, newest first.
#[utoipa::path(
    get,
    path = "/api/mcp/sites/{siteId}/history",
    tag = "Sites",
    params(
        ("siteId" = String, Path, description = "Id of the site."),
        HistoryQuery,
    ),
    responses((status = 200, description = "The runs.", body = SiteHistory)),
)]
fn get_site_history(call: &Call) -> Result<Reply, Problem> {
    let limit = call.query(|query: HistoryQuery, _| Some(query.limit.get()))?;
    let site = call.id("siteId", SiteId::parse)?;
    let runs = call
        .state
        .stores
        .history(call.org(), &site, limit)?
        .ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::history(&site, &runs, call.state.settings.variant))
}
