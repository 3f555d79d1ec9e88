//! Which runs a list shows, and where it goes on.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use super::{Run, RunStatus};
use crate::cursor::{signed, time_and_ulid, time_text, ulid_of, unsigned};
use crate::id::{RunId, SiteId};

/// Which runs a list shows; all where nothing is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunFilter {
    /// Those of one site.
    pub site_id: Option<SiteId>,
    /// Those in one of these states; of any state if empty.
    pub statuses: BTreeSet<RunStatus>,
}

impl RunFilter {
    /// Whether the list shows a run.
    #[must_use]
    pub fn shows(&self, run: &Run) -> bool {
        let is_on = |site: &SiteId| run.site_id == *site;
        self.site_id.as_ref().is_none_or(is_on)
            && (self.statuses.is_empty() || self.statuses.contains(&run.state.status()))
    }
}

/// A place in a list of runs, which is sorted newest first.
///
/// It names the last run of a page, so that the next page begins behind it whatever came since.
/// Cursors order by age: a run comes behind a cursor where `RunCursor::after(run) < cursor`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunCursor {
    /// When the last run was started, in whole milliseconds.
    pub created_at: DateTime<Utc>,
    /// Its id.
    pub id: RunId,
}

impl RunCursor {
    /// The place of a run.
    #[must_use]
    pub fn after(run: &Run) -> Self {
        Self {
            created_at: run.created_at,
            id: run.id.clone(),
        }
    }

    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(&self) -> String {
        let time = time_text(self.created_at);
        signed(format!("r{time}{}", ulid_of(self.id.as_str())))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (created_at, ulid) = time_and_ulid(unsigned(text)?.strip_prefix('r')?)?;
        Some(Self {
            created_at,
            id: RunId::parse(&format!("run_{ulid}"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::action::CommentCursor;

    const ULID: &str = "01JD2Y3Z4A5B6C7D8E9F0GHJKM";

    fn cursor(millis: i64) -> RunCursor {
        RunCursor {
            created_at: DateTime::from_timestamp_millis(millis).unwrap(),
            id: RunId::parse(&format!("run_{ULID}")).unwrap(),
        }
    }

    #[test]
    fn the_text_never_changes() {
        // The checksum is that of `python3 -c "import zlib; print(hex(zlib.crc32(b'…')))"`.
        assert_eq!(
            cursor(1_795_262_400_000).encode(),
            "r000001a1fdfa460001JD2Y3Z4A5B6C7D8E9F0GHJKMf1f287cd"
        );
    }

    #[test]
    fn a_cursor_of_another_list_is_none() {
        let text = cursor(0).encode();
        assert!(CommentCursor::decode(&text).is_err());
        assert_eq!(RunCursor::decode(&text), Some(cursor(0)));
    }

    proptest! {
        #[test]
        fn cursors_come_back(millis in -1_000_000_000_000_i64..9_000_000_000_000) {
            let text = cursor(millis).encode();
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
            prop_assert_eq!(RunCursor::decode(&text), Some(cursor(millis)));
        }

        #[test]
        fn other_texts_are_refused(text in any::<String>()) {
            prop_assert_eq!(RunCursor::decode(&text), None);
        }
    }
}
