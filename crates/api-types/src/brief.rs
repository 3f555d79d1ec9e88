//! Briefs: action items written out for whoever does them.

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
    /// Where the brief stands. Poll every few seconds until it is `ready` or `failed`.
    pub status: BriefStatus,
    /// The format of every brief.
    pub format: BriefFormat,
    /// The brief that was written last. It stays while another is asked for.
    pub content: Option<String>,
    /// When that was written, RFC 3339 in UTC.
    pub generated_at: Option<String>,
    /// Why none could be written: there exactly when `status` is `failed`.
    pub error: Option<String>,
}

/// The format of a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BriefFormat {
    /// CommonMark.
    Markdown,
}

/// How to write a brief. The body may be left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct QueueBriefRequest {
    /// What the asker adds in words of their own; the brief carries them.
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(nullable = false, max_length = 2_000)]
    pub instructions: Option<String>,
}

/// A brief that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueuedBrief {
    /// The item.
    pub action_id: String,
    /// Where the brief stands: `queued`.
    pub status: BriefStatus,
}
