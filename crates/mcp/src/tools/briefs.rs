//! `get_brief`, `queue_brief`.

use api_types::brief::{ActionBrief, QueueBriefRequest, QueuedBrief};
use serde::Deserialize;
use utoipa::ToSchema;

use super::limits::given;
use crate::answer::TextOrigin;
use crate::context::Context;
use crate::failure::Failure;
use crate::tool::{Effect, Tool};

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
    const DESCRIPTION: &'static str = "Get the brief of an action item: what to do, where, and how to verify it. With status none, call queue_brief first; with queued or generating, call this again in a few seconds.";
    const EFFECT: Effect = Effect::Reads;
    const ON_ACTIONS: bool = true;
    const TEXT_ORIGIN: TextOrigin = TextOrigin::External;
    type Arguments = GetArguments;
    type Output = ActionBrief;

    async fn call(context: &Context, arguments: GetArguments) -> Result<ActionBrief, Failure> {
        Ok(context.client.brief(&arguments.action_id).await?.value)
    }
}

pub(super) struct QueueBrief;

/// The brief to generate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct QueueArguments {
    /// Id of the action item.
    action_id: String,
    /// Your own instructions to include in the brief, for example how the site is built.
    #[serde(default)]
    #[schema(default = "", max_length = 2_000)]
    instructions: String,
}

impl Tool for QueueBrief {
    const NAME: &'static str = "queue_brief";
    const TITLE: &'static str = "Queue a brief";
    const DESCRIPTION: &'static str = "Queue the generation of the brief of an action item, also if one exists. Get it with get_brief a few seconds later.";
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
}
