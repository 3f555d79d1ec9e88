//! `get_brief`, `queue_brief`.

use api_types::action::BriefStatus;
use api_types::brief::{ActionBrief, QueueBriefRequest, QueuedBrief};
use serde::Deserialize;
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};
use crate::variant::Offers;

pub(super) struct GetBrief;

/// The item of the brief.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct GetArguments {
    /// Id of the action item.
    action_id: String,
}

impl Tool for GetBrief {
    const NAME: &'static str = "get_brief";
    const TITLE: &'static str = "Get a brief";
    const DESCRIPTION: &'static str = "Get the brief of an action item: what to do, where, and how to verify it. queue_brief generates it.";
    const EFFECT: Effect = Effect::Reads;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = GetArguments;
    type Output = ActionBrief;

    async fn call(context: &Context, arguments: GetArguments) -> Result<ActionBrief, Failure> {
        Ok(context.client.brief(&arguments.action_id).await?.value)
    }

    fn next(brief: &ActionBrief, _offers: Offers) -> String {
        let id = &brief.action_id;
        match brief.status {
            BriefStatus::None | BriefStatus::Failed => {
                format!("Call queue_brief with actionId {id}.")
            }
            BriefStatus::Queued | BriefStatus::Generating => {
                format!("Call get_brief with actionId {id} again in a few seconds.")
            }
            BriefStatus::Ready => format!(
                "After the fix, call comment_on_action with actionId {id}, and start_audit to verify it."
            ),
        }
    }
}

pub(super) struct QueueBrief;

/// The brief to generate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct QueueArguments {
    /// Id of the action item.
    action_id: String,
    /// Instructions to include, for example how the site is built.
    #[serde(default)]
    #[schema(default = "", max_length = 2_000)]
    instructions: String,
}

impl Tool for QueueBrief {
    const NAME: &'static str = "queue_brief";
    const TITLE: &'static str = "Queue a brief";
    const DESCRIPTION: &'static str = "Generate the brief of an action item, also if one exists.";
    const EFFECT: Effect = Effect::Adds;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::Service;
    type Arguments = QueueArguments;
    type Output = QueuedBrief;

    async fn call(context: &Context, arguments: QueueArguments) -> Result<QueuedBrief, Failure> {
        let request = QueueBriefRequest {
            instructions: given(&arguments.instructions).map(str::to_owned),
        };
        let queued = context
            .client
            .queue_brief(&arguments.action_id, &request)
            .await?;
        Ok(queued.value)
    }

    fn next(queued: &QueuedBrief, _offers: Offers) -> String {
        format!(
            "Call get_brief with actionId {} in a few seconds.",
            queued.action_id
        )
    }
}
