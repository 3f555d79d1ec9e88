//! What all forms of a report say of the causes of an issue.

use domain::report::{Issue, IssueCause, Occurrence, SubjectKind};
use domain::text::count;

/// The headline of a cause, where it says more than the title of its issue.
pub(crate) fn headline<'a>(issue: &Issue, cause: &'a IssueCause) -> Option<&'a str> {
    let says_more = issue.causes_total > 1 || cause.message != issue.title;
    says_more.then_some(cause.message.as_str())
}

/// How far a cause reaches: "2 pages, 5 times"; empty for what is found once on the whole site.
pub(crate) fn reach(issue: &Issue, cause: &IssueCause) -> String {
    let subjects = match issue.subject {
        SubjectKind::Page => Some(count(cause.affected_pages, "page", "pages")),
        SubjectKind::Resource => Some(count(cause.affected, "file", "files")),
        SubjectKind::Origin | SubjectKind::Site => None,
    };
    let times = count(cause.occurrences_total, "time", "times");
    match subjects {
        Some(subjects) if cause.occurrences_total > cause.affected => {
            format!("{subjects}, {times}")
        }
        Some(subjects) => subjects,
        None if cause.occurrences_total > 1 => times,
        None => String::new(),
    }
}

/// "12 more causes", where so many are shown; none where these are all.
pub(crate) fn more_causes(issue: &Issue, shown: usize) -> Option<String> {
    more(issue.causes_total, shown).map(|more| count(more, "more cause", "more causes"))
}

/// "27 more places", where so many are shown; none where these are all.
pub(crate) fn more_places(cause: &IssueCause, shown: usize) -> Option<String> {
    more(cause.occurrences_total, shown).map(|more| count(more, "more place", "more places"))
}

fn more(total: u64, shown: usize) -> Option<u64> {
    let shown = u64::try_from(shown).unwrap_or(u64::MAX);
    total.checked_sub(shown).filter(|more| *more > 0)
}

/// All places of an issue at hand, cause by cause.
pub(crate) fn places(issue: &Issue) -> impl Iterator<Item = &Occurrence> {
    issue.causes.iter().flat_map(|cause| &cause.occurrences)
}

/// The first elements of a list, at most so many.
pub(crate) fn first<T>(all: &[T], most: usize) -> &[T] {
    all.get(..most).unwrap_or(all)
}
