//! Checks without a complete result.

use crate::Dimension;

/// A check without a result, or with a partial result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
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

/// Why a check has no result, or a partial one. What was not evaluated does not lower the score.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase", tag = "kind", content = "reason")
)]
pub enum Unjudged {
    /// It needs something this audit did not have, for example a browser.
    NotRun(String),
    /// The available data is not sufficient for a result.
    CannotTell(String),
    /// The check itself failed.
    Errored(String),
    /// It reached a limit and evaluated only a part.
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
