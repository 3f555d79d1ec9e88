//! Checks without a verdict on all.

use std::borrow::Cow;

use domain::report::UnjudgedCheck;

use crate::wording::unjudged::{aside, by_reason, reason, verb};

/// A reason why checks gave no verdict on all.
pub struct UnjudgedReason<'a> {
    /// What happened to them.
    pub verb: &'static str,
    /// The reason as the engine says it.
    #[cfg(feature = "pdf")]
    pub whole: &'a str,
    /// The reason as a part of a sentence: without a capital letter and a full stop.
    pub reason: Cow<'a, str>,
    /// The id of each check, and how many things it could not judge: " (1,204)", or empty.
    pub checks: Vec<(&'a str, String)>,
}

/// The reasons, in their order.
pub(super) fn reasons(unjudged: &[UnjudgedCheck]) -> Vec<UnjudgedReason<'_>> {
    let reasons = by_reason(unjudged).into_iter();
    let reasons = reasons.map(|(why, checks)| UnjudgedReason {
        verb: verb(why),
        #[cfg(feature = "pdf")]
        whole: why.reason(),
        reason: reason(why),
        checks: checks
            .into_iter()
            .map(|check| (&*check.check_id, aside(check)))
            .collect(),
    });
    reasons.collect()
}
