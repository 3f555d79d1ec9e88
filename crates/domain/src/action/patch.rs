//! What a person changes of an action item.

use chrono::{DateTime, Utc};

use super::{
    ActionItem, ActionStatus, Description, DueDate, FieldProblem, InvalidAction, Priority, Title,
};
use crate::id::MemberId;

/// A change of a field that may be empty: on the wire absent, `null` or a value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum FieldPatch<T> {
    /// The field stays as it is.
    #[default]
    Keep,
    /// The field becomes empty.
    Clear,
    /// The field gets a value.
    Set(T),
}

impl<T: Clone> FieldPatch<T> {
    /// The field after the change.
    #[must_use]
    pub fn applied_to(&self, field: Option<T>) -> Option<T> {
        match self {
            Self::Keep => field,
            Self::Clear => None,
            Self::Set(value) => Some(value.clone()),
        }
    }

    /// Whether the field stays as it is.
    #[must_use]
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }
}

/// What a person changes of an action item: at least one field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionPatch {
    /// The status.
    pub status: Option<ActionStatus>,
    /// The priority.
    pub priority: Option<Priority>,
    /// Who is to do it; a member of the organization.
    pub assignee: FieldPatch<MemberId>,
    /// Until when.
    pub due_date: FieldPatch<DueDate>,
    /// The title: what to do, in one line.
    pub title: Option<Title>,
    /// The description: what to do, in detail.
    pub description: Option<Description>,
}

impl ActionPatch {
    /// The patch, if it names a field.
    ///
    /// # Errors
    /// When it names none.
    pub fn checked(self) -> Result<Self, InvalidAction> {
        if self == Self::default() {
            return Err(InvalidAction::whole(FieldProblem::NothingToChange));
        }
        Ok(self)
    }

    /// Makes the change, and answers the fields that became different, as the wire spells them.
    /// Times move only where there are any.
    ///
    /// `resolved_at` is set when the item becomes done or dismissed, also from one to the other, and
    /// cleared when it becomes open or in progress. `verified_at` says what an audit showed of an
    /// item that is done, and goes when it is no longer done.
    pub fn apply(&self, item: &mut ActionItem, now: DateTime<Utc>) -> Vec<&'static str> {
        let before = item.clone();
        if let Some(status) = self.status.filter(|status| *status != item.status) {
            item.status = status;
            item.resolved_at = status.is_resolved().then_some(now);
            item.verified_at = None;
        }
        if let Some(priority) = self.priority {
            item.priority = priority;
        }
        if let Some(title) = &self.title {
            item.title.clone_from(title);
        }
        if let Some(description) = &self.description {
            item.description.clone_from(description);
        }
        item.assignee = self.assignee.applied_to(item.assignee.take());
        item.due_date = self.due_date.applied_to(item.due_date);
        let changed = different_fields(&before, item);
        if !changed.is_empty() {
            item.updated_at = now;
        }
        changed
    }
}

fn different_fields(one: &ActionItem, other: &ActionItem) -> Vec<&'static str> {
    let fields = [
        ("status", one.status != other.status),
        ("priority", one.priority != other.priority),
        ("assigneeId", one.assignee != other.assignee),
        ("dueDate", one.due_date != other.due_date),
        ("title", one.title != other.title),
        ("description", one.description != other.description),
    ];
    let different = fields.into_iter().filter(|(_, differs)| *differs);
    different.map(|(name, _)| name).collect()
}
