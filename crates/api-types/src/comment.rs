//! What is said about action items.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Something said about an action item. Comments are never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionComment {
    /// Id of the comment.
    pub comment_id: String,
    /// The item.
    pub action_id: String,
    /// The text.
    pub body: String,
    /// Who said it.
    pub author: CommentAuthor,
    /// When, RFC 3339 in UTC.
    pub created_at: String,
}

/// Who says something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentAuthor {
    /// What the author is.
    #[serde(rename = "type")]
    pub kind: AuthorType,
    /// Id of the key or of the member; `null` for the service.
    pub id: Option<String>,
    /// The author's name at that time.
    pub name: String,
}

/// What an author is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthorType {
    /// A caller with an API key.
    Key,
    /// A person of the organization.
    Member,
    /// The service itself, for example after an audit.
    System,
}

/// A page of the list of an action item's comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentList {
    /// The comments, oldest first.
    pub comments: Vec<ActionComment>,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Something to say about an action item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AddCommentRequest {
    /// The text. White space around it is left out and not counted.
    #[schema(min_length = 1, max_length = 10_000)]
    pub body: String,
}
