use api_types::comment as wire;
use domain::action::{ActionComment, Author, CommentCursor};
use domain::key::ApiKey;
use domain::ports::CommentPage;

use super::time;

/// A comment.
pub(crate) fn comment(comment: &ActionComment) -> wire::ActionComment {
    wire::ActionComment {
        comment_id: comment.id.to_string(),
        action_id: comment.action_id.to_string(),
        body: comment.body.as_str().to_owned(),
        author: wire::CommentAuthor {
            kind: match comment.author {
                Author::Key { .. } => wire::AuthorType::Key,
                Author::Member { .. } => wire::AuthorType::Member,
                Author::System => wire::AuthorType::System,
            },
            id: comment.author.id().map(str::to_owned),
            name: comment.author.name().to_owned(),
        },
        created_at: time(comment.created_at),
    }
}

/// A page of a list of comments.
pub(crate) fn comments(page: &CommentPage) -> wire::CommentList {
    wire::CommentList {
        comments: page.comments.iter().map(comment).collect(),
        next_cursor: page.next.as_ref().map(CommentCursor::encode),
    }
}

/// The author of a comment that is written with a key.
pub(crate) fn author(key: &ApiKey) -> Author {
    Author::Key {
        id: key.id.clone(),
        name: key.name.clone(),
    }
}
