use api_types::report::CauseList;
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::CauseCursor;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::PageQuery;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_causes,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::causes()),
    handle: list_causes,
};

/// List the causes of an issue
///
/// Lists all stored causes of an issue, each with its first occurrences; the report contains only the largest.
/// For the next page, pass `nextCursor` as `cursor`.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/issues/{issueId}/causes",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        ("issueId" = String, Path, description = "Id of the issue, the `issueId` in its report."),
        PageQuery,
    ),
    responses((status = 200, description = "The causes, largest first.", body = CauseList)),
)]
fn list_causes(call: &Call) -> Result<Reply, Problem> {
    let (after, limit) =
        call.query(|query: PageQuery, invalid| query.part(CauseCursor::decode, invalid))?;
    let report = call.id("reportId", ReportId::parse)?;
    let issue = call.id("issueId", IssueId::parse)?;
    let page = call
        .state
        .stores
        .causes(
            call.org(),
            (&report, &issue),
            call.state.settings.variant,
            after,
            limit,
        )?
        .ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::causes(&page))
}
