//! Errors of waivers.

use super::{MAX_PATH_CHARS, MAX_REASON_CHARS};

/// A wrong field of a waiver.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct InvalidWaiver {
    /// The field as the wire spells it.
    pub field: &'static str,
    /// What is wrong with it.
    pub problem: WaiverProblem,
}

/// What is wrong with a field of a waiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WaiverProblem {
    /// The catalogue has no such check.
    #[error("the catalogue has no such check")]
    UnknownCheck,
    /// A pattern that can match nothing.
    #[error(
        "a pattern starts with `/` or `*`, contains no white space or control characters, and has at most {MAX_PATH_CHARS} characters"
    )]
    Path,
    /// Not a fingerprint.
    #[error("must be a fingerprint of a cause: 32 hexadecimal digits in lower case")]
    Cause,
    /// No reason.
    #[error("a reason is required")]
    NoReason,
    /// A reason that is too long.
    #[error("at most {MAX_REASON_CHARS} characters are allowed")]
    ReasonTooLong,
    /// A reason with a control character other than a line break or a tab.
    #[error("control characters are not allowed")]
    ReasonControl,
    /// A time that has passed.
    #[error("must be in the future")]
    Past,
}
