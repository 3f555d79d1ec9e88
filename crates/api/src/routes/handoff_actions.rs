use api_types::handoff::{Handoff, HandoffRequest};
use domain::action::{Dossier, HandoffFormat, HandoffIds};
use domain::id::ActionId;
use domain::idempotency::{Idempotent, IdempotentWrite};
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::{Code, Problem};

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_handoff_actions,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Read,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[Code::NotFound],
    example: |_| serde_json::to_value(examples::handoff()),
    handle: handoff_actions,
};

/// Hand off action items
///
/// Returns 1 to 10 items as one prompt for a coding agent and changes nothing. Text of the audited site and of
/// people is only inside marked fences. For an `Idempotency-Key`, the newest 100 responses of the organization are kept.
#[utoipa::path(
    post,
    path = "/api/mcp/actions/handoff",
    tag = "Actions",
    params(IdempotencyHeader),
    request_body = HandoffRequest,
    responses((status = 200, description = "The prompt.", body = Handoff)),
)]
fn handoff_actions(call: &Call) -> Result<Reply, Problem> {
    let (ids, format) = call.body(|asked: HandoffRequest, invalid| {
        let ids = invalid.check(HandoffIds::parse(asked.ids))?;
        Some((ids, convert::handoff_format(asked.format)))
    })?;
    call.once(
        |once| match once {
            None => handoff(call, &ids, format).map(Idempotent::Executed),
            Some(once) => handoff_once(call, &ids, format, once),
        },
        Reply::ok,
    )
}

fn handoff(call: &Call, ids: &HandoffIds, format: HandoffFormat) -> Result<Handoff, Problem> {
    let dossiers = ids.as_slice().iter().map(|id| dossier(call, id));
    let dossiers = dossiers.collect::<Result<Vec<_>, _>>()?;
    Ok(convert::handoff(&dossiers, &*call.state.checks, format))
}

/// Stored responses come first: a replay does not depend on what the items are now.
fn handoff_once(
    call: &Call,
    ids: &HandoffIds,
    format: HandoffFormat,
    once: &IdempotentWrite<'_, Handoff>,
) -> Result<Idempotent<Handoff>, Problem> {
    let (stores, org) = (&call.state.stores, call.org());
    if let Some(answer) = stores.kept_answer(org, once.call)? {
        return Ok(Idempotent::Replayed(answer));
    }
    let handoff = handoff(call, ids, format)?;
    let answer = |(): &()| (once.answer)(&handoff);
    let write = IdempotentWrite {
        call: once.call,
        answer: &answer,
    };
    Ok(match stores.keep_answer(org, &write)? {
        Idempotent::Executed(()) => Idempotent::Executed(handoff),
        Idempotent::Replayed(answer) => Idempotent::Replayed(answer),
    })
}

fn dossier(call: &Call, id: &str) -> Result<Dossier, Problem> {
    let id = ActionId::parse(id).ok_or_else(Problem::not_found)?;
    let variant = call.state.settings.variant;
    let dossier = call.state.stores.dossier(call.org(), &id, variant)?;
    dossier.ok_or_else(Problem::not_found)
}
