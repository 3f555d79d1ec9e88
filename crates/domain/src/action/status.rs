//! The status of an action item.

use super::{FieldProblem, InvalidAction};
use crate::named_enum::named_enum;

named_enum! {
    /// The status of an action item. A person may make any transition.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ActionStatus {
        /// Not started.
        Open = "open",
        /// In progress.
        InProgress = "in_progress",
        /// Done, set by a person or verified by an audit.
        Done = "done",
        /// Won't be fixed. Audits do not change it.
        Dismissed = "dismissed",
    }
}

impl ActionStatus {
    /// The status of that name in a request.
    ///
    /// # Errors
    /// When there is none; the error names the field `status`.
    pub fn parse(name: &str) -> Result<Self, InvalidAction> {
        Self::named(name).ok_or_else(|| {
            let known = "open, in_progress, done, dismissed";
            InvalidAction::new("status", FieldProblem::UnknownValue { known })
        })
    }

    /// Whether nothing more is to be done: it is done or dismissed.
    #[must_use]
    pub const fn is_resolved(self) -> bool {
        matches!(self, Self::Done | Self::Dismissed)
    }
}
