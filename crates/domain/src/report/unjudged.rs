//! Checks without a verdict.

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
