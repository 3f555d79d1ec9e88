use api_types::run::RunList;
use domain::id::SiteId;
use domain::key::Role;
use domain::run::{RunCursor, RunFilter, RunStatus};

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::{Code, Problem};

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_runs,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::runs()),
    handle: list_runs,
};

/// List runs
///
/// Lists the runs of the organization, newest first. For the next page, pass `nextCursor` as `cursor` with
/// the same filters.
#[utoipa::path(
    get,
    path = "/api/mcp/runs",
    tag = "Runs",
    params(
        ("siteId" = Option<String>, Query, description = "Filter by site."),
        ("status" = Option<String>, Query, description = "Filter by status: `queued`, `running`, `completed`, `failed` or `cancelled`.", pattern = "^(queued|running|completed|failed|cancelled)$"),
        ("limit" = Option<u32>, Query, description = "The maximum number of runs per page; 50 by default.", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the previous page."),
    ),
    responses((status = 200, description = "The runs.", body = RunList)),
)]
fn list_runs(call: &Call) -> Result<Answer, Problem> {
    let query = &call.query;
    let limit = query.number("limit", 1..=MAX_LIMIT)?;
    let status = query.read("status", RunStatus::named, || {
        let names = RunStatus::ALL.map(RunStatus::as_str).join(", ");
        format!("Must be one of {names}.")
    })?;
    let after = query.cursor(RunCursor::decode)?;
    let site = query.text("siteId");
    let site_id = site
        .map(|id| SiteId::parse(id).ok_or_else(Problem::not_found))
        .transpose()?;
    let filter = RunFilter { site_id, status };
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    let stores = &call.state.stores;
    let page = stores.runs(call.org(), &filter, after.as_ref(), limit)?;
    Answer::ok(&convert::runs(&page.ok_or_else(Problem::not_found)?))
}
