//! What a waiver accepts, and the validation of a request for one.

use chrono::{DateTime, Utc};

use super::{InvalidWaiver, MAX_PATH_CHARS, MAX_REASON_CHARS, WaiverProblem};
use crate::fingerprint::is_fingerprint;

/// What a waiver accepts, why and until when. [`WaiverRequest::validate`] creates it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct WaiverTerms {
    /// The check whose findings it accepts.
    pub check_id: String,
    /// Accepts only findings at URLs whose path and query match this pattern of robots.txt (RFC 9309, section
    /// 2.2.3).
    pub path: Option<String>,
    /// Accepts only findings with this cause: its fingerprint.
    pub cause: Option<String>,
    /// Why.
    pub reason: String,
    /// When it stops to apply; `None` for never.
    pub expires_at: Option<DateTime<Utc>>,
}

/// A waiver as someone asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WaiverRequest {
    /// As [`WaiverTerms::check_id`].
    pub check_id: String,
    /// As [`WaiverTerms::path`].
    pub path: Option<String>,
    /// As [`WaiverTerms::cause`].
    pub cause: Option<String>,
    /// As [`WaiverTerms::reason`].
    pub reason: String,
    /// As [`WaiverTerms::expires_at`].
    pub expires_at: Option<DateTime<Utc>>,
}

impl WaiverRequest {
    /// The terms, with the white space around the reason removed. `is_check` says whether the catalogue has a
    /// check. An expiry before `not_before` is an error; with `None` it may be in the past.
    ///
    /// # Errors
    /// All wrong fields.
    pub fn validate(
        self,
        is_check: impl Fn(&str) -> bool,
        not_before: Option<DateTime<Utc>>,
    ) -> Result<WaiverTerms, Vec<InvalidWaiver>> {
        let reason = self.reason.trim().to_owned();
        let is_past = |at: DateTime<Utc>| not_before.is_some_and(|now| at <= now);
        let problems = [
            (
                "checkId",
                (!is_check(&self.check_id)).then_some(WaiverProblem::UnknownCheck),
            ),
            (
                "path",
                self.path
                    .as_deref()
                    .is_some_and(|path| !is_pattern(path))
                    .then_some(WaiverProblem::Path),
            ),
            (
                "cause",
                self.cause
                    .as_deref()
                    .is_some_and(|cause| !is_fingerprint(cause))
                    .then_some(WaiverProblem::Cause),
            ),
            ("reason", reason_problem(&reason)),
            (
                "expiresAt",
                self.expires_at
                    .is_some_and(is_past)
                    .then_some(WaiverProblem::Past),
            ),
        ];
        let invalid: Vec<_> = problems
            .into_iter()
            .filter_map(|(field, problem)| {
                Some(InvalidWaiver {
                    field,
                    problem: problem?,
                })
            })
            .collect();
        if !invalid.is_empty() {
            return Err(invalid);
        }
        Ok(WaiverTerms {
            check_id: self.check_id,
            path: self.path,
            cause: self.cause,
            reason,
            expires_at: self.expires_at,
        })
    }
}

fn is_pattern(path: &str) -> bool {
    path.starts_with(['/', '*'])
        && path.chars().count() <= MAX_PATH_CHARS
        && !path.contains(|c: char| c.is_control() || c.is_whitespace())
}

fn reason_problem(reason: &str) -> Option<WaiverProblem> {
    let is_forbidden = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if reason.is_empty() {
        Some(WaiverProblem::NoReason)
    } else if reason.chars().count() > MAX_REASON_CHARS {
        Some(WaiverProblem::ReasonTooLong)
    } else if reason.contains(is_forbidden) {
        Some(WaiverProblem::ReasonControl)
    } else {
        None
    }
}
