//! Short forms for the tests that stand beside each check.

use super::{Check, Outcome, Rule};
use crate::page::Page;

/// The outcome of a page check on a document at `https://example.com/`.
pub(crate) fn outcome(check: &Check, html: &str) -> Outcome {
    judge(check, &Page::builder().html(html))
}

/// The outcome of a page check on a page made by hand.
pub(crate) fn judge(check: &Check, page: &Page) -> Outcome {
    match check.rule {
        Rule::Page(evaluate) => evaluate(page),
        Rule::Site(_) | Rule::Each(_) => panic!("{} judges sites; use audit", check.id),
    }
}

/// Asserts that the check passes on the document.
#[track_caller]
pub(crate) fn assert_passes(check: &Check, html: &str) {
    assert_eq!(outcome(check, html), Outcome::Passed, "{html}");
}

/// Asserts that the check has nothing to judge on the document.
#[track_caller]
pub(crate) fn assert_not_applicable(check: &Check, html: &str) {
    assert_eq!(outcome(check, html), Outcome::NotApplicable, "{html}");
}

/// Asserts that the check fails on the document in so many places.
#[track_caller]
pub(crate) fn assert_fails(check: &Check, html: &str, places: usize) {
    match outcome(check, html) {
        Outcome::Failed(evidence) => {
            assert_eq!(evidence.len(), places, "{html}: {evidence:#?}");
            assert!(
                evidence.iter().all(|evidence| !evidence.message.is_empty()),
                "{evidence:#?}"
            );
        }
        other => panic!("{html}: {other:?}"),
    }
}
