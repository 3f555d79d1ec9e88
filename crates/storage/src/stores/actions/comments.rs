//! Comments on action items.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use domain::action::{ActionComment, Author, CommentBody, CommentCursor, NewComment};
use domain::id::{ActionId, CommentId, KeyId, MemberId, OrgId};
use domain::ports::CommentPage;

use crate::database::connection::AnyConnection;
use crate::database::error::StorageError;
use crate::database::schema::{action_comments, actions};
use crate::database::values::{known, storable, stored_time};
use crate::stores::audit_log::{Line, note};

#[derive(Queryable, Selectable)]
#[diesel(table_name = action_comments)]
struct CommentRow {
    id: String,
    body: String,
    author_kind: String,
    author_id: Option<String>,
    author_name: String,
    created_at: NaiveDateTime,
}

impl CommentRow {
    fn read(self, action: &ActionId) -> Result<ActionComment, StorageError> {
        Ok(ActionComment {
            id: known("comment", &self.id, CommentId::parse(&self.id))?,
            action_id: action.clone(),
            body: known("comment", &self.body, CommentBody::parse(&self.body).ok())?,
            author: known("author", &self.author_kind, self.author())?,
            created_at: self.created_at.and_utc(),
        })
    }

    fn author(&self) -> Option<Author> {
        let name = self.author_name.clone();
        Some(match (self.author_kind.as_str(), &self.author_id) {
            ("key", Some(id)) => Author::Key {
                id: KeyId::parse(id)?,
                name,
            },
            ("member", Some(id)) => Author::Member {
                id: MemberId::parse(id)?,
                name,
            },
            ("system", None) => Author::System,
            _ => return None,
        })
    }
}

/// Adds a comment to an existing item, and counts it.
pub(super) fn add(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    comment: &NewComment,
) -> Result<ActionComment, StorageError> {
    diesel::update(actions::table.find(action.as_str()))
        .set(actions::comment_count.eq(actions::comment_count + 1))
        .execute(connection)?;
    diesel::insert_into(action_comments::table)
        .values((
            action_comments::id.eq(comment.id.as_str()),
            action_comments::org_id.eq(org.as_str()),
            action_comments::action_id.eq(action.as_str()),
            action_comments::body.eq(comment.body.as_str()),
            action_comments::author_kind.eq(comment.author.kind()),
            action_comments::author_id.eq(comment.author.id()),
            action_comments::author_name.eq(storable(comment.author.name())),
            action_comments::created_at.eq(stored_time(comment.created_at)),
        ))
        .execute(connection)?;
    // A system comment belongs to a change that has its own audit log line.
    if comment.author != Author::System {
        let line = Line {
            event: "comment.added",
            subject: action.as_str(),
            detail: comment.id.to_string(),
        };
        let by = comment.author.actor();
        note(connection, org, comment.created_at, &by, &line)?;
    }
    Ok(ActionComment {
        id: comment.id.clone(),
        action_id: action.clone(),
        body: comment.body.clone(),
        author: comment.author.clone(),
        created_at: comment.created_at,
    })
}

pub(super) fn page(
    connection: &mut AnyConnection,
    org: &OrgId,
    action: &ActionId,
    after: Option<&CommentCursor>,
    limit: u32,
) -> Result<CommentPage, StorageError> {
    let mut query = action_comments::table
        .filter(action_comments::org_id.eq(org.as_str()))
        .filter(action_comments::action_id.eq(action.as_str()))
        .order((action_comments::created_at, action_comments::id))
        // One extra row shows whether there is a next page.
        .limit(i64::from(limit) + 1)
        .select(CommentRow::as_select())
        .into_boxed();
    if let Some(cursor) = after {
        let created_at = stored_time(cursor.created_at);
        let is_newer = action_comments::created_at
            .gt(created_at)
            .or(action_comments::created_at
                .eq(created_at)
                .and(action_comments::id.gt(cursor.id.as_str())));
        // Implied by the second condition; it bounds the index range scan.
        query = query.filter(action_comments::created_at.ge(created_at).and(is_newer));
    }
    let rows: Vec<CommentRow> = query.load(connection)?;
    let mut comments = rows
        .into_iter()
        .map(|row| row.read(action))
        .collect::<Result<Vec<_>, _>>()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let goes_on = comments.len() > limit;
    comments.truncate(limit);
    let last = comments.last().filter(|_| goes_on);
    Ok(CommentPage {
        next: last.map(CommentCursor::after),
        comments,
    })
}
