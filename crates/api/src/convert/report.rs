use api_types::report as wire;
use domain::ports::{CausePage, OccurrencePage, StoredReport};
use domain::report::{CauseCursor, OccurrenceCursor};
use report::json::{Identity, IssueIds, cause, occurrence, wire_report};

/// A report; an issue links to the documentation of its check below `base_url`.
pub(crate) fn report(stored: &StoredReport, base_url: &str) -> wire::Report {
    let identity = Identity::of_stored(stored, base_url);
    let mut issues = stored.issues.iter();
    wire_report(&stored.report, &identity, || match issues.next() {
        Some(issue) => IssueIds::of_stored(issue, stored.report.variant),
        // The store promises one identity for each issue.
        None => IssueIds {
            issue_id: String::new(),
            action_id: None,
        },
    })
}

/// A page of the list of an issue's causes.
pub(crate) fn causes(page: &CausePage) -> wire::CauseList {
    wire::CauseList {
        causes: page.causes.iter().map(cause).collect(),
        causes_total: page.total,
        causes_stored: page.stored,
        occurrences_total: page.occurrences_total,
        occurrences_stored: page.occurrences_stored,
        next_cursor: page.next.map(CauseCursor::encode),
    }
}

/// A page of the list of an issue's occurrences.
pub(crate) fn occurrences(page: &OccurrencePage) -> wire::OccurrenceList {
    wire::OccurrenceList {
        occurrences: page.occurrences.iter().map(occurrence).collect(),
        occurrences_total: page.total,
        occurrences_stored: page.stored,
        next_cursor: page.next.map(OccurrenceCursor::encode),
    }
}
