use api_types::report as wire;
use domain::ports::{CausePage, IssueIdentity, OccurrencePage, StoredReport};
use domain::report::{CauseCursor, OccurrenceCursor, Variant};
use report::json::{Identity, IssueIds, cause, occurrence, wire_report};

use super::time;

/// A report; an issue links to the documentation of its check below `base_url`.
pub(crate) fn report(stored: &StoredReport, base_url: &str) -> wire::Report {
    let identity = identity(stored, base_url);
    let mut issues = stored.issues.iter();
    wire_report(&stored.report, &identity, || match issues.next() {
        Some(issue) => issue_ids(issue, stored.report.variant),
        // The store promises one identity for each issue.
        None => IssueIds {
            issue_id: String::new(),
            action_id: None,
        },
    })
}

/// The data of a report that is not part of it.
pub(crate) fn identity(stored: &StoredReport, base_url: &str) -> Identity {
    Identity {
        report_id: Some(stored.id.to_string()),
        run_id: Some(stored.run_id.to_string()),
        site_id: Some(stored.site_id.to_string()),
        created_at: time(stored.created_at),
        help_base_url: base_url.to_owned(),
    }
}

/// The data of an issue beside its content. The legacy variant has no action items.
pub(crate) fn issue_ids(identity: &IssueIdentity, variant: Variant) -> IssueIds {
    let has_actions = match variant {
        Variant::Current => true,
        Variant::Legacy => false,
    };
    IssueIds {
        issue_id: identity.issue_id.to_string(),
        action_id: (identity.action_id.as_ref())
            .filter(|_| has_actions)
            .map(ToString::to_string),
    }
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
