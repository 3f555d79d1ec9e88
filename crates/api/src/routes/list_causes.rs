use api_types::report::CauseList;
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::CauseCursor;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::Problem;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

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
        ("limit" = Option<u32>, Query, description = "The maximum number of causes per page; 50 by default.", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the previous page."),
    ),
    responses((status = 200, description = "The causes, largest first.", body = CauseList)),
)]
fn list_causes(call: &Call) -> Result<Answer, Problem> {
    let limit = call.query.number("limit", 1..=MAX_LIMIT)?;
    let after = call.query.cursor(CauseCursor::decode)?;
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
            limit.unwrap_or(DEFAULT_LIMIT),
        )?
        .ok_or_else(Problem::not_found)?;
    Answer::ok(&convert::causes(&page))
}
