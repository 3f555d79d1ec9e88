use api_types::report::OccurrenceList;
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::{OccurrenceCursor, is_fingerprint};

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use httpkit::problem::Problem;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_occurrences,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::occurrences()),
    handle: list_occurrences,
};

/// List the occurrences of an issue
///
/// Lists all stored occurrences of an issue or of one of its causes; the report contains only the first. They are
/// ordered by cause, in the order of `list_causes`. For the next page, pass `nextCursor` as `cursor`.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/issues/{issueId}/occurrences",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        ("issueId" = String, Path, description = "Id of the issue, the `issueId` in its report."),
        ("cause" = Option<String>, Query, description = "Filter by cause: its `fingerprint`. Without it, all occurrences are listed. 404 if the issue has no such cause."),
        ("limit" = Option<u32>, Query, description = "The maximum number of occurrences per page; 50 by default.", minimum = 1, maximum = 200),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the previous page."),
    ),
    responses((status = 200, description = "The occurrences.", body = OccurrenceList)),
)]
fn list_occurrences(call: &Call) -> Result<Answer, Problem> {
    let limit = call.query.number("limit", 1..=MAX_LIMIT)?;
    let after = call.query.cursor(OccurrenceCursor::decode)?;
    let cause = call.query.text("cause");
    if cause.is_some_and(|cause| !is_fingerprint(cause)) {
        return Err(Problem::not_found());
    }
    let report = call.id("reportId", ReportId::parse)?;
    let issue = call.id("issueId", IssueId::parse)?;
    let page = call
        .state
        .stores
        .occurrences(
            call.org(),
            (&report, &issue),
            call.state.settings.variant,
            cause,
            after,
            limit.unwrap_or(DEFAULT_LIMIT),
        )?
        .ok_or_else(Problem::not_found)?;
    Answer::ok(&convert::occurrences(&page))
}
