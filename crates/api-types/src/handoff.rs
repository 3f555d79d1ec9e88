//! Handoffs: action items as one prompt for a coding agent.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::given::given;

/// What to hand over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct HandoffRequest {
    /// Ids of action items, none twice. The prompt has them in this order.
    #[schema(min_items = 1, max_items = 10)]
    pub ids: Vec<String>,
    /// For whom the prompt is written; `markdown` unless said.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false)]
    pub format: Option<HandoffFormat>,
}

/// For whom a handoff is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum HandoffFormat {
    /// Any coding agent, and people.
    Markdown,
    /// The agent in Cursor, to be pasted into its chat.
    Cursor,
}

/// Action items as one prompt for a coding agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Handoff {
    /// For whom it is written.
    pub format: HandoffFormat,
    /// The prompt. Text of the audited site and of people stands in marked fences alone.
    pub prompt: String,
    /// The items in it, in the order given.
    pub action_ids: Vec<String>,
}
