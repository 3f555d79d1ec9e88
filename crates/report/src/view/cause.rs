//! A cause of an issue, and where it occurs.

use domain::report::{Issue, IssueCause, Occurrence, repeated};

use crate::wording::cause::{first, headline, more_places, reach};

/// A cause of an issue.
pub struct CauseView<'a> {
    /// The headline, if it differs from the title of the issue.
    pub headline: Option<&'a str>,
    /// The check whose findings it repeats, of a note that repeats others.
    pub repeats: Option<&'a str>,
    /// "2 pages, 5 times"; may be empty.
    pub reach: String,
    /// The occurrences that are shown.
    pub occurrences: Vec<OccurrenceView<'a>>,
    /// "27 more occurrences", if not all are shown.
    pub more: Option<String>,
}

impl<'a> CauseView<'a> {
    pub(super) fn new(issue: &Issue, cause: &'a IssueCause, most: usize) -> Self {
        let shown = first(&cause.occurrences, most);
        Self {
            headline: headline(issue, cause),
            repeats: repeated(&cause.message),
            reach: reach(issue, cause),
            occurrences: occurrences(shown),
            more: more_places(cause, shown.len()),
        }
    }
}

/// Where a cause occurs.
#[derive(Clone, Copy)]
pub struct OccurrenceView<'a> {
    /// The occurrence itself.
    pub occurrence: &'a Occurrence,
    /// What is wrong there, unless the occurrence before says the same.
    pub message: Option<&'a str>,
    /// The address, unless address and message are those of the occurrence before.
    #[cfg(feature = "pdf")]
    pub new_url: Option<&'a str>,
}

fn occurrences(shown: &[Occurrence]) -> Vec<OccurrenceView<'_>> {
    let mut before: Option<&Occurrence> = None;
    let occurrences = shown.iter().map(|occurrence| {
        let before = before.replace(occurrence);
        let is_new = before.is_none_or(|before| before.message != occurrence.message);
        #[cfg(feature = "pdf")]
        let is_new_url = is_new || before.is_none_or(|before| before.url != occurrence.url);
        OccurrenceView {
            occurrence,
            message: is_new.then_some(&*occurrence.message),
            #[cfg(feature = "pdf")]
            new_url: is_new_url.then_some(&*occurrence.url),
        }
    });
    occurrences.collect()
}
