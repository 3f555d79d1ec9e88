use api_types::report::OccurrenceList;
use domain::id::{IssueId, ReportId};
use domain::key::Role;
use domain::report::{OccurrenceCursor, is_fingerprint};
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::{Cursor, PageSize};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_occurrences,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::occurrences()),
    handle: list_occurrences,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct OccurrencesQuery {
    /// Filter by cause: its `fingerprint`; 404 if the issue has no such cause. By default, all are listed.
    cause: Option<String>,
    /// The maximum number of occurrences per page.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `nextCursor` of the previous page.
    #[serde(default)]
    #[param(inline)]
    cursor: Cursor,
}

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
        OccurrencesQuery,
    ),
    responses((status = 200, description = "The occurrences.", body = OccurrenceList)),
)]
fn list_occurrences(call: &Call) -> Result<Reply, Problem> {
    let (cause, after, limit) = call.query(|query: OccurrencesQuery, invalid| {
        let after = invalid.check(query.cursor.decode(OccurrenceCursor::decode))?;
        Some((query.cause, after, query.limit.get()))
    })?;
    let cause = cause.as_deref();
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
            limit,
        )?
        .ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::occurrences(&page))
}
