use api_types::run::Run;
use domain::id::RunId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_get_run,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::run()),
    handle: get_run,
};

/// Get a run
///
/// Poll every few seconds until `status` is `completed`, `failed` or `cancelled`. A completed run
/// has a `reportId`.
#[utoipa::path(
    get,
    path = "/api/mcp/runs/{runId}",
    tag = "Runs",
    params(("runId" = String, Path, description = "Id of the run.")),
    responses((status = 200, description = "The run.", body = Run)),
)]
fn get_run(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("runId", RunId::parse)?;
    let run = call.state.stores.run(call.org(), &id)?;
    Reply::ok(&convert::run(&run.ok_or_else(Problem::not_found)?))
}
