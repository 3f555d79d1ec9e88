use api_types::brief::{QueueBriefRequest, QueuedBrief};
use domain::action::{ActionBrief, BriefRequest, Instructions};
use domain::id::ActionId;
use domain::key::Role;

use super::examples;
use crate::convert;
use crate::endpoint::{Call, Endpoint, Reply};
use crate::input::IdempotencyHeader;
use httpkit::problem::Problem;

pub(super) const ENDPOINT: Endpoint = Endpoint {
    documentation: &__path_queue_brief,
    variants: Endpoint::CURRENT_VARIANT,
    role: Role::Member,
    lane: Endpoint::COSTS_LITTLE,
    problems: &[],
    example: |_| serde_json::to_value(examples::queued_brief()),
    handle: queue_brief,
};

/// Queue a brief
///
/// Queues the generation of the brief; poll it every few seconds. If a brief is already queued, it is not queued
/// twice; new instructions replace the previous ones.
#[utoipa::path(
    post,
    path = "/api/mcp/actions/{actionId}/brief",
    tag = "Actions",
    params(IdempotencyHeader, ("actionId" = String, Path, description = "Id of the action item.")),
    request_body(content = Option<QueueBriefRequest>, description = "Optional."),
    responses((status = 202, description = "The brief is queued.", body = QueuedBrief)),
)]
fn queue_brief(call: &Call) -> Result<Reply, Problem> {
    let instructions = call.body_if_any(|asked: QueueBriefRequest, invalid| {
        let instructions = asked.instructions.as_deref().map(Instructions::parse);
        invalid.check(instructions.transpose())
    })?;
    let request = BriefRequest {
        instructions: instructions.flatten(),
        at: call.now(),
    };
    let id = call.id("actionId", ActionId::parse)?;
    let stores = &call.state.stores;
    let queued = call.once(
        |once| stores.queue_brief(call.org(), &id, &request, &call.by(), once),
        answer,
    );
    // Also for a brief that was already queued: an unnecessary wake-up is cheap.
    (call.state.settings.on_brief_queued)();
    queued
}

fn answer(brief: &ActionBrief) -> Result<Reply, Problem> {
    Reply::accepted(&convert::queued_brief(brief))
}
