//! Where a list goes on.
//!
//! A cursor names the last entry of a page by what the list is sorted by, so that the next page
//! begins behind it even where the entry is gone or new ones came.

use std::cmp::{Ordering, Reverse};

use chrono::{DateTime, Utc};

use super::{ActionComment, ActionItem, FieldProblem, InvalidAction, Priority};
use crate::cursor::{signed, time_and_ulid, time_text, ulid_of, unsigned};
use crate::id::{ActionId, CommentId};

/// A place in a list of action items, which is sorted by priority, newest first, and id.
///
/// Cursors order as the list does: an item comes behind a cursor where
/// `ActionCursor::after(item) > cursor`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionCursor {
    /// The priority of the last item.
    pub priority: Priority,
    /// When it was made, in whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: ActionId,
}

impl ActionCursor {
    /// The place of an item.
    #[must_use]
    pub fn after(item: &ActionItem) -> Self {
        Self {
            priority: item.priority,
            created_at: item.created_at,
            id: item.id.clone(),
        }
    }

    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(&self) -> String {
        let (rank, time) = (self.priority.rank(), time_text(self.created_at));
        signed(format!("a{rank}{time}{}", ulid_of(self.id.as_str())))
    }

    /// The cursor that a list gave.
    ///
    /// # Errors
    /// When the text is none; the error names the field `cursor`.
    pub fn decode(text: &str) -> Result<Self, InvalidAction> {
        let decoded = || {
            let key = unsigned(text)?.strip_prefix('a')?;
            let (rank, key) = key.split_at_checked(1)?;
            let (created_at, ulid) = time_and_ulid(key)?;
            Some(Self {
                priority: Priority::ranked(rank.parse().ok()?)?,
                created_at,
                id: ActionId::parse(&format!("act_{ulid}"))?,
            })
        };
        decoded().ok_or(NOT_A_CURSOR)
    }

    fn key(&self) -> (Priority, Reverse<DateTime<Utc>>, &ActionId) {
        (self.priority, Reverse(self.created_at), &self.id)
    }
}

impl Ord for ActionCursor {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for ActionCursor {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A place in a list of comments, which is sorted oldest first, then by id. Cursors order as the
/// list does.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommentCursor {
    /// When the last comment was made, in whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: CommentId,
}

impl CommentCursor {
    /// The place of a comment.
    #[must_use]
    pub fn after(comment: &ActionComment) -> Self {
        Self {
            created_at: comment.created_at,
            id: comment.id.clone(),
        }
    }

    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(&self) -> String {
        let time = time_text(self.created_at);
        signed(format!("c{time}{}", ulid_of(self.id.as_str())))
    }

    /// The cursor that a list gave.
    ///
    /// # Errors
    /// When the text is none; the error names the field `cursor`.
    pub fn decode(text: &str) -> Result<Self, InvalidAction> {
        let decoded = || {
            let (created_at, ulid) = time_and_ulid(unsigned(text)?.strip_prefix('c')?)?;
            Some(Self {
                created_at,
                id: CommentId::parse(&format!("cmt_{ulid}"))?,
            })
        };
        decoded().ok_or(NOT_A_CURSOR)
    }
}

const NOT_A_CURSOR: InvalidAction = InvalidAction::new("cursor", FieldProblem::NotACursor);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ULID: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

    fn cursor(priority: Priority, millis: i64) -> ActionCursor {
        ActionCursor {
            priority,
            created_at: DateTime::from_timestamp_millis(millis).unwrap(),
            id: ActionId::parse(&format!("act_{ULID}")).unwrap(),
        }
    }

    #[test]
    fn the_text_never_changes() {
        // The checksum is that of `python3 -c "import zlib; print(hex(zlib.crc32(b'…')))"`.
        assert_eq!(
            cursor(Priority::High, 1_795_262_400_000).encode(),
            "a1000001a1fdfa460001JD2Y3Z4A5B6C7D8E9F0GHJKM6345ab1d"
        );
    }

    #[test]
    fn a_cursor_of_another_list_is_none() {
        let comment = CommentCursor {
            created_at: DateTime::UNIX_EPOCH,
            id: CommentId::parse(&format!("cmt_{ULID}")).unwrap(),
        };
        assert_eq!(
            CommentCursor::decode(&comment.encode()),
            Ok(comment.clone())
        );
        let error = ActionCursor::decode(&comment.encode()).unwrap_err();
        assert_eq!(error.field(), Some("cursor"));
        let action = cursor(Priority::Low, 0).encode();
        assert!(CommentCursor::decode(&action).is_err());
    }

    #[test]
    fn priority_comes_before_age() {
        let order = [
            cursor(Priority::Critical, 0),
            cursor(Priority::High, 2),
            cursor(Priority::High, 1),
            cursor(Priority::Low, 9),
        ];
        assert!(order.is_sorted_by(|one, next| one < next));
    }

    proptest! {
        #[test]
        fn cursors_come_back(rank in 0..4_u8, millis in -1_000_000_000_000_i64..9_000_000_000_000) {
            let cursor = cursor(Priority::ranked(rank).unwrap(), millis);
            let text = cursor.encode();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            prop_assert_eq!(ActionCursor::decode(&text), Ok(cursor));
        }

        #[test]
        fn other_texts_are_refused(text in any::<String>()) {
            prop_assert!(ActionCursor::decode(&text).is_err());
            prop_assert!(CommentCursor::decode(&text).is_err());
        }

        #[test]
        fn a_changed_character_is_noticed(at in any::<prop::sample::Index>(), by in "[0-9a-zA-Z]") {
            let text = cursor(Priority::Medium, 1_795_262_400_000).encode();
            let at = at.index(text.len());
            let mut changed = text.clone();
            changed.replace_range(at..=at, &by);
            prop_assume!(changed != text);
            prop_assert!(ActionCursor::decode(&changed).is_err());
        }
    }
}
