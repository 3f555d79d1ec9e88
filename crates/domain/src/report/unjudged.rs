//! Checks without a verdict.

use crate::Dimension;

/// A check without a verdict.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnjudgedCheck {
    /// The check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// Why it gave none.
    pub why: Unjudged,
}

/// Why a check gave no verdict. It costs no score.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unjudged {
    /// It needs something this audit did not have, for example a browser.
    NotRun(String),
    /// What it saw allows no verdict.
    CannotTell(String),
    /// It failed itself.
    Errored(String),
}

impl Unjudged {
    /// The reason, as the check gave it.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::NotRun(reason) | Self::CannotTell(reason) | Self::Errored(reason) => reason,
        }
    }
}
