use api_types::run::RunEvent;
use domain::id::RunId;
use domain::key::Role;

use super::examples;
use crate::endpoint::{Answer, Call, Endpoint};
use crate::watch::Watch;
use httpkit::problem::{Limit, Problem};

/// Seconds after which it is worth asking for a stream again.
const RETRY_SECONDS: u64 = 5;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_watch_run,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| examples::events(),
    handle: watch_run,
};

/// Watch a run
///
/// Server-sent events: `progress` with the run at once and whenever it changes, then one of `completed`,
/// `failed` and `cancelled`, and the stream ends. The data of each is the run as `get_run` answers it. A
/// run that has ended has its last event alone. A comment line is sent where nothing changes for 15
/// seconds. A run that is removed with its site ends as `cancelled`. The stream ends early when the key stops
/// working or the server stops: ask for the run then.
#[utoipa::path(
    get,
    path = "/api/mcp/runs/{runId}/events",
    tag = "Runs",
    params(("runId" = String, Path, description = "Id of the run.")),
    responses((
        status = 200,
        description = "The events.",
        content_type = "text/event-stream",
        body = RunEvent,
    )),
)]
fn watch_run(call: &Call) -> Result<Answer, Problem> {
    let id = call.id("runId", RunId::parse)?;
    let run = call.state.stores.run(call.org(), &id)?;
    let run = run.ok_or_else(Problem::not_found)?;
    let permit = call
        .state
        .rate_limits
        .stream(call.org(), &call.caller.key.id)
        .ok_or_else(too_many)?;
    let state = call.state.clone();
    Ok(Answer::events(Watch::new(
        state,
        call.key_hash(),
        run,
        permit,
    )))
}

fn too_many() -> Problem {
    Problem::rate_limited(
        Limit::Streams,
        "As many runs are watched as the key, the organization or this server may watch at once. Ask for the run every few seconds instead.",
        RETRY_SECONDS,
    )
}
