//! Which action items a list shows.

use std::collections::BTreeSet;

use super::{ActionItem, ActionStatus, InvalidAction, Priority};
use crate::id::{MemberId, SiteId};
use crate::report::Variant;

/// Which action items a list shows: those that pass every part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionFilter {
    /// What the deployment shows at all.
    pub variant: Variant,
    /// These statuses; empty for all.
    pub statuses: BTreeSet<ActionStatus>,
    /// These priorities; empty for all.
    pub priorities: BTreeSet<Priority>,
    /// Items of this site.
    pub site: Option<SiteId>,
    /// Items of this member. An id that is no member's leaves nothing, without an error; so does a
    /// text that is no id, for which a caller need not ask.
    pub assignee: Option<MemberId>,
}

impl ActionFilter {
    /// All items that a variant shows.
    #[must_use]
    pub const fn all(variant: Variant) -> Self {
        Self {
            variant,
            statuses: BTreeSet::new(),
            priorities: BTreeSet::new(),
            site: None,
            assignee: None,
        }
    }

    /// The statuses of a query, `open,in_progress` for example.
    ///
    /// # Errors
    /// When one of them is none; the error names the field `status`.
    pub fn parse_statuses(text: &str) -> Result<BTreeSet<ActionStatus>, InvalidAction> {
        text.split(',').map(ActionStatus::parse).collect()
    }

    /// The priorities of a query, `critical,high` for example.
    ///
    /// # Errors
    /// When one of them is none; the error names the field `priority`.
    pub fn parse_priorities(text: &str) -> Result<BTreeSet<Priority>, InvalidAction> {
        text.split(',').map(Priority::parse).collect()
    }

    /// Whether an item is shown.
    #[must_use]
    pub fn shows(&self, item: &ActionItem) -> bool {
        item.is_shown_in(self.variant)
            && (self.statuses.is_empty() || self.statuses.contains(&item.status))
            && (self.priorities.is_empty() || self.priorities.contains(&item.priority))
            && (self.site.is_none() || self.site == item.site_id)
            && (self.assignee.is_none() || self.assignee == item.assignee)
    }
}
