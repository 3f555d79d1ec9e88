use api_types::report::Report;
use domain::id::ReportId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Answer, Call, Endpoint};
use crate::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_report,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    problems: &[],
    example: |variant| serde_json::to_value(examples::report(variant)),
    handle: get_report,
};

/// Read a report
///
/// Scores, summaries, issues from the worst on, and the sums behind the scores.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, as its run names it."),
        ("format" = Option<String>, Query, description = "Another form of the report. There is none yet: leave it out for JSON."),
    ),
    responses((status = 200, description = "The report.", body = Report)),
)]
fn get_report(call: &Call) -> Result<Answer, Problem> {
    if call.query.text("format").is_some() {
        return Err(Problem::field(
            "format",
            "This server has no other form of a report yet; leave the parameter out for JSON.",
        ));
    }
    let settings = &call.state.settings;
    let id = call.id("reportId", ReportId::parse)?;
    let report = call
        .state
        .stores
        .report(call.org(), &id, settings.variant)?
        .ok_or_else(Problem::not_found)?;
    Answer::ok(&convert::report(&report, &settings.base_url))
}
