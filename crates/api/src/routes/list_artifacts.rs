use api_types::artifact::ArtifactList;
use domain::id::ReportId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_list_artifacts,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::artifacts()),
    handle: list_artifacts,
};

/// List the pictures of a report
///
/// Lists the pictures that the browser took of some pages and of elements that checks found. Occurrences refer to the
/// latter by `artifactId`. A report has pictures only if its run rendered pages. They are deleted after 90 days, unless
/// the operator chose another time.
#[utoipa::path(
    get,
    path = "/api/mcp/reports/{reportId}/artifacts",
    tag = "Reports",
    params(("reportId" = String, Path, description = "Id of the report, the `reportId` of its run.")),
    responses((status = 200, description = "The pictures.", body = ArtifactList)),
)]
fn list_artifacts(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("reportId", ReportId::parse)?;
    let artifacts = call.state.stores.artifacts(call.org(), &id)?;
    let artifacts = artifacts.ok_or_else(Problem::not_found)?;
    Reply::ok(&convert::artifacts(&artifacts))
}
