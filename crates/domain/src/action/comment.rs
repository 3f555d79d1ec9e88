//! Comments on an action item.

use chrono::{DateTime, Utc};

use super::fields::{bounded, without_nul};
use super::{FieldProblem, InvalidAction};
use crate::audit_log::Actor;
use crate::id::{ActionId, CommentId, KeyId, MemberId};
use crate::waiver::{WaiverAuthor, WaiverAuthorKind};

/// The most characters of a comment.
pub const MAX_COMMENT_CHARS: usize = 10_000;

/// The author of a comment, with the name at the time of the comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Author {
    /// A caller with a key.
    Key {
        /// The key.
        id: KeyId,
        /// Its name.
        name: String,
    },
    /// A person.
    Member {
        /// The person.
        id: MemberId,
        /// The person's name.
        name: String,
    },
    /// The service, for example after an audit.
    System,
}

impl From<&Author> for WaiverAuthor {
    fn from(author: &Author) -> Self {
        Self {
            kind: match author {
                Author::Key { .. } => WaiverAuthorKind::Key,
                Author::Member { .. } => WaiverAuthorKind::Member,
                Author::System => WaiverAuthorKind::System,
            },
            id: author.id().map(str::to_owned),
            name: author.name().to_owned(),
        }
    }
}

impl Author {
    /// The type on the wire: `key`, `member` or `system`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Key { .. } => "key",
            Self::Member { .. } => "member",
            Self::System => "system",
        }
    }

    /// Who it is, for the audit log.
    #[must_use]
    pub fn actor(&self) -> Actor {
        match self {
            Self::Key { id, .. } => Actor::Key(id.clone()),
            Self::Member { id, .. } => Actor::Member(id.clone()),
            Self::System => Actor::System,
        }
    }

    /// The id of the key or the member.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Key { id, .. } => Some(id.as_str()),
            Self::Member { id, .. } => Some(id.as_str()),
            Self::System => None,
        }
    }

    /// The name that is shown.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Key { name, .. } | Self::Member { name, .. } => name,
            Self::System => "Assay",
        }
    }
}

/// The text of a comment: 1 to 10,000 characters, no white space around, no NUL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentBody(String);

impl CommentBody {
    /// The text in a request, without the white space around it.
    ///
    /// # Errors
    /// When nothing is left, or it is too long, or holds a NUL; the error names the field `body`.
    pub fn parse(text: &str) -> Result<Self, InvalidAction> {
        let text = text.trim();
        if text.is_empty() {
            return Err(InvalidAction::new("body", FieldProblem::Empty));
        }
        without_nul("body", text)?;
        bounded("body", text, MAX_COMMENT_CHARS)?;
        Ok(Self(text.to_owned()))
    }

    /// What the service says itself; a sentence of ours.
    pub(super) const fn ours(text: String) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A comment to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewComment {
    /// Its id.
    pub id: CommentId,
    /// The text.
    pub body: CommentBody,
    /// Who says it.
    pub author: Author,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// A comment on an action item. Comments cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionComment {
    /// Its id.
    pub id: CommentId,
    /// The item.
    pub action_id: ActionId,
    /// The text.
    pub body: CommentBody,
    /// Who said it.
    pub author: Author,
    /// When.
    pub created_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_trimmed_and_bounded() {
        assert_eq!(
            CommentBody::parse(" a\nb\n").map(|body| body.as_str().to_owned()),
            Ok("a\nb".to_owned())
        );
        assert!(CommentBody::parse(&format!(" {} ", "ä".repeat(10_000))).is_ok());
        for wrong in ["", " \r\n ", "a\0b", &"ä".repeat(10_001)] {
            assert_eq!(CommentBody::parse(wrong).unwrap_err().field(), Some("body"));
        }
    }
}
