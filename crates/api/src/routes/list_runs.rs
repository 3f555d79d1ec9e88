use api_types::run::{RunList, RunStatus};
use domain::id::SiteId;
use domain::key::Role;
use domain::run::{RunCursor, RunFilter};
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert::{self, ToDomain};
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_runs,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::runs()),
    handle: list_runs,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct RunsQuery {
    /// Filter by site.
    site_id: Option<String>,
    /// Filter by status: `queued`, `running`, `completed`, `failed` or `cancelled`.
    #[param(value_type = Option<String>, pattern = "^(queued|running|completed|failed|cancelled)$")]
    status: Option<RunStatus>,
    /// The maximum number of runs per page.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `nextCursor` of the previous page.
    #[serde(default)]
    #[param(inline)]
    cursor: Cursor,
}

/// List runs
///
/// Lists the runs of the organization, newest first. For the next page, pass `nextCursor` as `cursor` with
/// the same filters.
#[utoipa::path(
    get,
    path = "/api/mcp/runs",
    tag = "Runs",
    params(RunsQuery),
    responses((status = 200, description = "The runs.", body = RunList)),
)]
fn list_runs(call: &Call) -> Result<Reply, Problem> {
    let query: RunsQuery = call.query()?;
    let after = query.cursor.decode(RunCursor::decode)?;
    let site_id = (query.site_id.as_deref())
        .map(|id| SiteId::parse(id).ok_or_else(Problem::not_found))
        .transpose()?;
    let status = query.status.map(ToDomain::to_domain);
    let filter = RunFilter { site_id, status };
    let limit = query.limit.get();
    let stores = &call.state.stores;
    let page = stores.runs(call.org(), &filter, after.as_ref(), limit)?;
    Reply::ok(&convert::runs(&page.ok_or_else(Problem::not_found)?))
}
