use api_types::brief as wire;
use domain::action::ActionBrief;

use super::same_variants::ToWire;
use super::time;

/// A brief.
pub(crate) fn brief(brief: &ActionBrief) -> wire::ActionBrief {
    wire::ActionBrief {
        action_id: brief.action_id.to_string(),
        status: brief.status.to_wire(),
        format: wire::BriefFormat::Markdown,
        content: brief.content.clone(),
        generated_at: brief.generated_at.map(time),
        error: brief.error.clone(),
    }
}

/// A queued brief.
pub(crate) fn queued_brief(brief: &ActionBrief) -> wire::QueuedBrief {
    wire::QueuedBrief {
        action_id: brief.action_id.to_string(),
        status: brief.status.to_wire(),
    }
}
