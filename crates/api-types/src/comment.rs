//! Comments on action items.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A comment on an action item. Comments cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionComment {
    /// Id of the comment.
    pub comment_id: String,
    /// The item.
    pub action_id: String,
    /// The text.
    pub body: String,
    /// The author.
    pub author: CommentAuthor,
    /// When the comment was created, RFC 3339 in UTC.
    pub created_at: String,
}

/// The author of a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentAuthor {
    /// The type of the author.
    #[serde(rename = "type")]
    pub kind: AuthorType,
    /// Id of the key or of the member; `null` for the service.
    pub id: Option<String>,
    /// The author's name when the comment was created.
    pub name: String,
}

/// The type of an author.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthorType {
    /// A client with an API key.
    Key,
    /// A member of the organization.
    Member,
    /// The service, for example after an audit.
    System,
}

/// A page of the list of an action item's comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommentList {
    /// The comments, oldest first.
    pub comments: Vec<ActionComment>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// A comment to create on an action item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AddCommentRequest {
    /// The text. Leading and trailing white space is removed and does not count.
    #[schema(min_length = 1, max_length = 10_000)]
    pub body: String,
}
