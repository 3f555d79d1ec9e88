use api_types::report::PageList;
use domain::id::ReportId;
use domain::key::Role;
use domain::report::PageCursor;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::PageQuery;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_pages,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |variant| serde_json::to_value(examples::pages(variant)),
    handle: list_pages,
};

/// List the pages of a report
///
/// Lists the URLs that the run requested from the site, in crawl order. For the next page of the list, pass
/// `nextCursor` as `cursor`.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/pages",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        PageQuery,
    ),
    responses((status = 200, description = "The pages.", body = PageList)),
)]
fn list_pages(call: &Call) -> Result<Reply, Problem> {
    let query: PageQuery = call.query()?;
    let after = query.cursor.decode(PageCursor::decode)?;
    let report = call.id("reportId", ReportId::parse)?;
    let page = call
        .state
        .stores
        .pages(call.org(), &report, after, query.limit.get())?
        .ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::pages(&page, call.state.settings.variant))
}
