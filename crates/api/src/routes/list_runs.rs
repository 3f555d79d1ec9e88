use std::collections::BTreeSet;

use api_types::run::RunList;
use domain::id::SiteId;
use domain::key::Role;
use domain::run::{RunCursor, RunFilter, RunStatus};
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
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
    /// Filter by status; comma-separated: `queued`, `running`, `completed`, `failed`, `cancelled`.
    #[param(
        pattern = "^(queued|running|completed|failed|cancelled)(,(queued|running|completed|failed|cancelled))*$",
        example = "queued,running"
    )]
    status: Option<String>,
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
    let (site, statuses, after, limit) = call.query(|query: RunsQuery, invalid| {
        let statuses = invalid.check(query.status.as_deref().map(statuses).transpose());
        let after = invalid.check(query.cursor.decode(RunCursor::decode));
        Some((query.site_id, statuses?, after?, query.limit.get()))
    })?;
    let site_id = site.map(|id| SiteId::parse(&id).ok_or_else(Problem::not_found));
    let filter = RunFilter {
        site_id: site_id.transpose()?,
        statuses: statuses.unwrap_or_default(),
    };
    let stores = &call.state.stores;
    let page = stores.runs(call.org(), &filter, after.as_ref(), limit)?;
    Reply::ok(&convert::runs(&page.ok_or_else(Problem::not_found)?))
}

/// The statuses in a comma-separated list.
fn statuses(text: &str) -> Result<BTreeSet<RunStatus>, Problem> {
    let known = |name: &str| {
        RunStatus::named(name)
            .ok_or_else(|| convert::unknown_value("status", &RunStatus::ALL.map(RunStatus::as_str)))
    };
    text.split(',').map(known).collect()
}
