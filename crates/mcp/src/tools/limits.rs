//! Default limits of lists, and how lists continue.

/// Runs.
pub(super) const fn runs() -> u32 {
    20
}

/// Runs of a site's history.
pub(super) const fn history() -> u32 {
    10
}

/// Action items.
pub(super) const fn actions() -> u32 {
    20
}

/// Checks.
pub(super) const fn checks() -> u32 {
    50
}

/// Issues of a report.
pub(super) const fn issues() -> u32 {
    10
}

/// Occurrences per issue in a report.
pub(super) const fn evidence() -> u32 {
    3
}

/// Occurrences of an issue in list_occurrences.
pub(super) const fn occurrences() -> u32 {
    50
}

/// Pages of a report.
pub(super) const fn pages() -> u32 {
    50
}

/// Issues in each list of compare_reports.
pub(super) const fn changes() -> u32 {
    20
}

/// Seconds.
pub(super) const fn seconds() -> u32 {
    45
}

/// What to call next, after the way to the next page of a list, if there is one.
pub(super) fn more(cursor: Option<&str>, next: &str) -> String {
    match cursor {
        Some(cursor) => {
            format!("For more entries, call this tool again with cursor {cursor:?}. {next}")
        }
        None => next.to_owned(),
    }
}

/// A text, or `None` if it is empty.
pub(super) fn given(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}
