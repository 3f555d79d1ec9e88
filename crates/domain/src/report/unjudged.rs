//! Checks without a verdict.

use crate::Dimension;

/// A check without a verdict, or with a verdict on a part only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnjudgedCheck {
    /// The check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// Why it gave none.
    pub why: Unjudged,
    /// How many subjects, or things within them, it concerns; at least 1.
    pub count: u64,
}

/// Why a check gave no verdict, or one on a part only. It costs no score.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unjudged {
    /// It needs something this audit did not have, for example a browser.
    NotRun(String),
    /// What it saw allows no verdict.
    CannotTell(String),
    /// It failed itself.
    Errored(String),
    /// It reached a limit and judged a part only.
    Limited(String),
}

impl Unjudged {
    /// The reason, as the check gave it.
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::NotRun(reason)
            | Self::CannotTell(reason)
            | Self::Errored(reason)
            | Self::Limited(reason) => reason,
        }
    }
}
