//! The comments on an action item, and adding one.

use chrono::TimeDelta;
use domain::action::{ActionComment, ActionItem, Author, CommentBody, CommentCursor, NewComment};
use domain::id::{ActionId, CommentId};

use super::item::{self, Problems};
use super::words;
use crate::failure::Failure;
use crate::format::Time;
use crate::reply::Reply;
use crate::visit::Visit;

/// Comments of a page.
const LIMIT: u32 = 50;

/// Some comments of an item, oldest first.
pub(super) struct Comments {
    pub(super) rows: Vec<Row>,
    pub(super) is_first_page: bool,
    /// The cursor of the next page.
    pub(super) next: Option<String>,
}

/// A comment.
pub(super) struct Row {
    pub(super) id: String,
    pub(super) author: String,
    /// What wrote it, where it was no person.
    pub(super) kind: Option<&'static str>,
    pub(super) at: Time,
    pub(super) body: String,
}

impl Row {
    fn new(comment: &ActionComment) -> Self {
        Self {
            id: comment.id.to_string(),
            author: comment.author.name().to_owned(),
            kind: match comment.author {
                Author::Key { .. } => Some("with an API key"),
                Author::System => Some("automatic"),
                Author::Member { .. } => None,
            },
            at: Time::new(comment.created_at),
            body: comment.body.as_str().to_owned(),
        }
    }
}

/// The comments of the page that the query names.
pub(super) fn read(visit: &Visit, id: &ActionId) -> Result<Comments, Failure> {
    let cursor = visit.query.given("comments");
    let after = cursor.map(CommentCursor::decode).transpose();
    let not_ours = |_| {
        Failure::BadRequest(
            "The link to this page of the comments is invalid. Open the item again.",
        )
    };
    let after = after.map_err(not_ours)?;
    let stores = &visit.state.stores;
    let page = stores.comments(visit.org()?, id, after.as_ref(), LIMIT)?;
    let page = page.ok_or(Failure::NotFound)?;
    Ok(Comments {
        rows: page.comments.iter().map(Row::new).collect(),
        is_first_page: cursor.is_none(),
        next: page.next.as_ref().map(CommentCursor::encode),
    })
}

/// Adds a comment; its author is the person who is signed in.
pub(super) fn add(visit: &Visit) -> Result<Reply, Failure> {
    let item = item::find(visit)?;
    let body = match CommentBody::parse(&words::typed(&visit.form, "body")) {
        Ok(body) => body,
        Err(error) => {
            let problems = Problems {
                comment: Some(words::problem(&error)),
                ..Problems::default()
            };
            return Reply::invalid(&item::page(visit, &item.id, problems)?);
        }
    };
    let member = &visit.signed_in()?.membership.member;
    let comment = NewComment {
        id: CommentId::make(&*visit.state.ids),
        body,
        author: Author::Member {
            id: member.id.clone(),
            name: member.name.clone(),
        },
        created_at: visit.now(),
    };
    let stores = &visit.state.stores;
    stores
        .add_comment(visit.org()?, &item.id, &comment, None)
        .map_err(item::not_changed)?;
    Ok(Reply::redirect(path_of(&item, &comment)))
}

/// Where a new comment is shown: on the first page of comments, or on one that begins with it.
fn path_of(item: &ActionItem, comment: &NewComment) -> String {
    if item.comment_count < u64::from(LIMIT) {
        return format!("/actions/{}#{}", item.id, comment.id);
    }
    let before = CommentCursor {
        created_at: comment.created_at - TimeDelta::milliseconds(1),
        id: comment.id.clone(),
    };
    format!(
        "/actions/{}?comments={}#{}",
        item.id,
        before.encode(),
        comment.id
    )
}
