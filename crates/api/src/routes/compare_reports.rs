use api_types::report::ReportDiff;
use domain::id::ReportId;
use domain::key::Role;
use domain::ports::{ReportDetail, StoredReport};
use domain::report::diff;
use serde::Deserialize;
use utoipa::IntoParams;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Lane, Reply};
use httpkit::problem::{FieldCode, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_compare_reports,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: |_| Lane::Export,
    problems: &[],
    example: |variant| serde_json::to_value(examples::diff(variant)),
    handle: compare_reports,
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
struct DiffQuery {
    /// Id of the report to compare with, of the same site.
    #[param(required = true)]
    against: Option<String>,
}

/// Compare two reports
///
/// Compares a report with another report of the same site, usually an earlier one. Causes are matched by
/// `fingerprint`: an issue is listed as new, fixed or persisting with its new, fixed or persisting causes, so it
/// can be in several lists. An issue shows at most 20 causes; `causesTotal` is the number of its causes in that
/// list.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/diff",
    tag = "Reports",
    params(
        ("reportId" = String, Path, description = "Id of the report, the `reportId` of its run."),
        DiffQuery,
    ),
    responses((status = 200, description = "The differences.", body = ReportDiff)),
)]
fn compare_reports(call: &Call) -> Result<Reply, Problem> {
    let against = call.query(|query: DiffQuery, invalid| {
        invalid.check(query.against.ok_or_else(|| {
            let message = "Must be the id of another report of the site.";
            Problem::coded(FieldCode::Required, "against", message)
        }))
    })?;
    let id = call.id("reportId", ReportId::parse)?;
    let against = ReportId::parse(&against).ok_or_else(Problem::not_found)?;
    let (report, against) = (found(call, &id)?, found(call, &against)?);
    if report.site_id != against.site_id {
        return Err(Problem::field(
            "against",
            "The reports are of different sites.",
        ));
    }
    let base_url = &call.state.settings.base_url;
    let diff = diff(&report, &against);
    Reply::ok(&convert::diff(&diff, (&report, &against), base_url))
}

fn found(call: &Call, id: &ReportId) -> Result<StoredReport, Problem> {
    call.abandoned.check()?;
    let variant = call.state.settings.variant;
    let report = call
        .state
        .stores
        .report(call.org(), id, variant, ReportDetail::Whole)?;
    report.ok_or_else(Problem::not_found)
}
