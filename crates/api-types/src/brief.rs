//! Briefs: instructions for working on an action item.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::action::BriefStatus;
use crate::given::given;

/// The brief of an action item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionBrief {
    /// The item.
    pub action_id: String,
    /// The status of the brief. Poll every few seconds until it is `ready` or `failed`.
    pub status: BriefStatus,
    /// The format of every brief.
    pub format: BriefFormat,
    /// The latest brief. It stays available while a new one is generated.
    pub content: Option<String>,
    /// When the latest brief was generated, RFC 3339 in UTC.
    pub generated_at: Option<String>,
    /// Why generation failed; set only if `status` is `failed`.
    pub error: Option<String>,
}

/// The format of a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BriefFormat {
    /// CommonMark.
    Markdown,
}

/// Options for generating a brief. The body is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct QueueBriefRequest {
    /// Your own instructions, which are included in the brief.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 2_000)]
    pub instructions: Option<String>,
}

/// A queued brief.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueuedBrief {
    /// The item.
    pub action_id: String,
    /// The status of the brief: `queued`.
    pub status: BriefStatus,
}
