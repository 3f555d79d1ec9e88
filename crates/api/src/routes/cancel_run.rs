use api_types::run::Run;
use domain::id::RunId;
use domain::idempotency::Idempotent;
use domain::key::Role;
use domain::ports::{CancelRunError, Cancellation};

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_cancel_run,
    variants: Endpoint::EVERY_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::Conflict],
    example: |_| serde_json::to_value(examples::cancelled_run()),
    handle: cancel_run,
};

/// Cancel a run
///
/// The run ends immediately and has no report; the worker stops within two seconds. The run still counts
/// towards the monthly usage. For a run that has already completed or failed, the response is `conflict`.
#[utoipa::path(
    post,
    path = "/api/mcp/runs/{runId}/cancel",
    tag = "Runs",
    params(IdempotencyHeader, ("runId" = String, Path, description = "Id of the run.")),
    responses(
        (status = 202, description = "The run is cancelled.", body = Run),
        (status = 200, description = "The run was already cancelled.", body = Run),
    ),
)]
fn cancel_run(call: &Call) -> Result<Reply, Problem> {
    let id = call.id("runId", RunId::parse)?;
    let (stores, org, now) = (&call.state.stores, call.org(), call.now());
    call.once(
        |once| {
            let cancelled = match once {
                Some(once) => stores.cancel_run_once(org, &id, now, once)?,
                None => {
                    let found = stores.cancel_run(org, &id, now)?;
                    Idempotent::Executed(Cancellation::accepted(found)?)
                }
            };
            if let Idempotent::Executed(Cancellation::Done(_)) = &cancelled
                && let Some(meter) = &call.state.settings.meter
            {
                meter.run_cancelled();
            }
            Ok::<_, CancelRunError>(cancelled)
        },
        answer,
    )
}

fn answer(cancelled: &Cancellation) -> Result<Reply, Problem> {
    match cancelled {
        Cancellation::Done(run) => Reply::accepted(&convert::run(run)),
        Cancellation::Before(run) => Reply::ok(&convert::run(run)),
        Cancellation::TooLate(ended) => Err(CancelRunError::Ended(*ended).into()),
    }
}
