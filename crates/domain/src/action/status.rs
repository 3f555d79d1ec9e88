//! The status of an action item.

use std::fmt;

use super::{FieldProblem, InvalidAction};

/// The status of an action item. A person may make any transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionStatus {
    /// Not started.
    Open,
    /// In progress.
    InProgress,
    /// Done, set by a person or verified by an audit.
    Done,
    /// Won't be fixed. Audits do not change it.
    Dismissed,
}

impl ActionStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Open, Self::InProgress, Self::Done, Self::Dismissed];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::InProgress => "in_progress",
            Self::Done => "done",
            Self::Dismissed => "dismissed",
        }
    }

    /// The status of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

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

impl fmt::Display for ActionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
