use std::sync::Arc;

use domain::id::RunId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use httpkit::problem::{Limit, Problem};
use httpkit::rate_limits::StreamHolder;
use httpkit::run_events::{Look, ReadRun, RunWatch};

/// The value of `Retry-After` in seconds when no stream is available.
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
/// Returns server-sent events: `progress` immediately and after each change, then one of `completed`, `failed` and
/// `cancelled`, after which the stream ends. The data of each event is the run as returned by `get_run`, on one line.
/// For a run that has ended, only the last event is sent. A comment line is sent after 15 seconds without a change. A
/// run that is deleted with its site ends as `cancelled`. The stream ends early if the key becomes invalid or the server
/// stops: get the run then.
#[utoipa::path(
    get,
    path = "/api/mcp/runs/{runId}/events",
    tag = "Runs",
    params(("runId" = String, Path, description = "Id of the run.")),
    responses((
        status = 200,
        description = "The events.",
        content_type = "text/event-stream",
        body = String,
    )),
)]
fn watch_run(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("runId", RunId::parse)?;
    let run = call.state.stores.run(call.org(), &id)?;
    let run = run.ok_or_else(Problem::not_found)?;
    let permit = call
        .state
        .rate_limits
        .stream(call.org(), &StreamHolder::Key(call.caller.key.id.clone()))
        .ok_or_else(too_many)?;
    Ok(Reply::events(RunWatch {
        run,
        read: read(call, id),
        // A struct of strings and numbers always serializes to JSON on one line.
        data: Arc::new(|run| serde_json::to_string(&convert::run(run)).unwrap_or_default()),
        clock: Arc::clone(&call.state.clock),
        rate_limits: call.state.rate_limits.clone(),
        permit,
    }))
}

/// Reads the run as long as the key is valid.
fn read(call: &Call, run: RunId) -> ReadRun {
    let (state, key, org) = (call.state.clone(), call.key_hash(), call.org().clone());
    Arc::new(move || {
        let now = state.clock.now();
        let found = state.stores.key_by_hash(&key)?;
        if !found.is_some_and(|found| found.key.works_at(now)) {
            return Ok(Look::Denied);
        }
        let found = state.stores.run(&org, &run)?;
        Ok(found.map_or(Look::Removed, |run| Look::Run(Box::new(run))))
    })
}

fn too_many() -> Problem {
    Problem::rate_limited(
        Limit::Streams,
        "The limit of concurrent event streams of the key, the organization or this server is reached. Poll the run every few seconds instead.",
        RETRY_SECONDS,
    )
}
