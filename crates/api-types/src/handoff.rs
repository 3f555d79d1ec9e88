//! Handoffs: action items as one prompt for a coding agent.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::given::given;

/// The action items to hand off.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct HandoffRequest {
    /// Ids of action items without duplicates. The prompt keeps this order.
    #[schema(min_items = 1, max_items = 10)]
    pub ids: Vec<String>,
    /// The format of the prompt; `markdown` by default.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub format: Option<HandoffFormat>,
}

/// The format of a handoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HandoffFormat {
    /// Markdown for any coding agent or person.
    Markdown,
    /// For the agent in Cursor, to paste into its chat.
    Cursor,
}

/// Action items as one prompt for a coding agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// The format of the prompt.
    pub format: HandoffFormat,
    /// The prompt. Text of the audited site and of people is only inside marked fences.
    pub prompt: String,
    /// The ids of the items in the prompt, in order.
    pub action_ids: Vec<String>,
}
