//! The causes of an issue.

use domain::SubjectKind;
use domain::report::{Issue, IssueCause, Occurrence};
use domain::text::{count, grouped};

use super::number_of;

/// The headline of a cause, where it says more than the title of its issue.
pub(crate) fn headline<'a>(issue: &Issue, cause: &'a IssueCause) -> Option<&'a str> {
    let says_more = issue.causes_total > 1 || cause.message != issue.title;
    says_more.then_some(cause.message.as_str())
}

/// How far a cause reaches: "2 pages, 5 times, 3 waived"; empty for what is found once on the whole site.
pub(crate) fn reach(issue: &Issue, cause: &IssueCause) -> String {
    let reach = reach_of_all(issue, cause);
    let waived = match cause.waived {
        0 => return reach,
        _ if cause.is_waived() => "waived".to_owned(),
        waived => format!("{} waived", grouped(waived)),
    };
    match reach.is_empty() {
        true => waived,
        false => format!("{reach}, {waived}"),
    }
}

fn reach_of_all(issue: &Issue, cause: &IssueCause) -> String {
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

/// "Broken link to /old: 2 pages, 5 times", of a headline that the form has made safe.
pub(crate) fn with_reach(headline: &str, issue: &Issue, cause: &IssueCause) -> String {
    let reach = reach(issue, cause);
    let aside = if reach.is_empty() { "" } else { ": " };
    format!("{headline}{aside}{reach}")
}

/// "12 more causes", if not all are shown.
pub(crate) fn more_causes(issue: &Issue, shown: usize) -> Option<String> {
    more(issue.causes_total, shown).map(|more| count(more, "more cause", "more causes"))
}

/// "27 more occurrences", if not all are shown.
pub(crate) fn more_places(cause: &IssueCause, shown: usize) -> Option<String> {
    more(cause.occurrences_total, shown)
        .map(|more| count(more, "more occurrence", "more occurrences"))
}

fn more(total: u64, shown: usize) -> Option<u64> {
    total.checked_sub(number_of(shown)).filter(|more| *more > 0)
}

/// " line 12"; empty where no line is known.
pub(crate) fn line(occurrence: &Occurrence) -> String {
    let line = occurrence.line;
    line.map_or_else(String::new, |line| format!(" line {line}"))
}

/// All occurrences of an issue at hand, cause by cause.
pub(crate) fn occurrences(issue: &Issue) -> impl Iterator<Item = &Occurrence> {
    issue.causes.iter().flat_map(|cause| &cause.occurrences)
}

/// The first elements of a list, at most so many.
pub(crate) fn first<T>(all: &[T], most: usize) -> &[T] {
    all.get(..most).unwrap_or(all)
}
