//! Checks that gave no verdict on all, and why.

use report::view::UnjudgedReason;
use report::view::text::shown;

use crate::pages::evidence::MAX_TEXT;

/// A reason with its checks.
pub(super) struct Unjudged {
    /// "Not run"
    pub(super) verb: &'static str,
    pub(super) reason: String,
    /// The id of each check, and how many things it could not judge: " (1,204)", or empty.
    pub(super) checks: Vec<(String, String)>,
}

impl Unjudged {
    /// A reason of a report.
    pub(super) fn new(view: &UnjudgedReason<'_>) -> Self {
        let checks = view.checks.iter();
        Self {
            verb: view.verb,
            reason: shown(&view.reason, MAX_TEXT),
            checks: checks
                .map(|(id, aside)| ((*id).to_owned(), aside.clone()))
                .collect(),
        }
    }
}
