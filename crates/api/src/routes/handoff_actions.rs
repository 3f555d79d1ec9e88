use api_types::handoff::{Handoff, HandoffRequest};
use domain::action::{Dossier, HandoffIds};
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
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
/// people is only inside marked fences.
#[utoipa::path(
    post,
    path = "/api/mcp/actions/handoff",
    tag = "Actions",
    request_body = HandoffRequest,
    responses((status = 200, description = "The prompt.", body = Handoff)),
)]
fn handoff_actions(call: &Call) -> Result<Reply, Problem> {
    let asked: HandoffRequest = call.body()?;
    let ids = HandoffIds::parse(asked.ids)?;
    let dossiers = ids.as_slice().iter().map(|id| dossier(call, id));
    let dossiers = dossiers.collect::<Result<Vec<_>, _>>()?;
    let format = convert::handoff_format(asked.format);
    Reply::ok(&convert::handoff(&dossiers, &*call.state.checks, format))
}

fn dossier(call: &Call, id: &str) -> Result<Dossier, Problem> {
    let id = ActionId::parse(id).ok_or_else(Problem::not_found)?;
    let variant = call.state.settings.variant;
    let dossier = call.state.stores.dossier(call.org(), &id, variant)?;
    dossier.ok_or_else(Problem::not_found)
}
