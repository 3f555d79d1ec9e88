//! A table for spreadsheets: a row for each place, as RFC 4180 has it.
//!
//! Spreadsheets take a cell that begins with certain characters for a formula, which can send what
//! stands in other cells elsewhere. Such a cell begins with an apostrophe here, which makes it text.

use domain::report::{Issue, Occurrence};

use super::words::{first, shown};
use super::{Export, ExportError, ExportFormat, limits};
use crate::json::help_url;

/// The columns.
const HEADER: [&str; 20] = [
    "severity",
    "dimension",
    "checkId",
    "title",
    "url",
    "line",
    "selector",
    "snippet",
    "message",
    "recommendation",
    "affectedPages",
    "occurrencesTotal",
    "scoreImpact",
    "confidence",
    "effort",
    "fingerprint",
    "issueId",
    "actionId",
    "helpUrl",
    "references",
];

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let failed = |error: csv::Error| ExportError::new(ExportFormat::Csv, &error);
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    table.write_record(HEADER).map_err(failed)?;
    let counts = limits::places(ExportFormat::Csv, &export.report.issues);
    for ((place, issue), most) in export.issues().zip(counts) {
        let about = About::of(export, place, issue);
        let shown = first(&issue.occurrences, most);
        for occurrence in shown {
            table
                .write_record(about.row(Some(occurrence)))
                .map_err(failed)?;
        }
        if shown.is_empty() {
            table.write_record(about.row(None)).map_err(failed)?;
        }
    }
    let bytes = table.into_inner();
    bytes.map_err(|error| ExportError::new(ExportFormat::Csv, error.error()))
}

/// What the rows of an issue have in common.
struct About {
    before: [String; 4],
    after: [String; 11],
}

impl About {
    fn of(export: &Export<'_>, place: usize, issue: &Issue) -> Self {
        let ids = export.ids(place);
        let issue_id = ids.map_or("", |ids| &ids.issue_id);
        let action_id = ids.and_then(|ids| ids.action_id.as_deref());
        let gain = export.gain(issue);
        let long = |text: &str| shown(text, limits::TEXT);
        Self {
            before: [
                issue.severity.to_string(),
                issue.dimension.to_string(),
                long(&issue.check_id),
                long(&issue.title),
            ],
            after: [
                long(&issue.recommendation),
                issue.affected_pages.to_string(),
                issue.occurrences_total.to_string(),
                gain.map_or_else(String::new, |points| format!("{points:.2}")),
                issue.confidence.as_str().to_owned(),
                long(&issue.effort),
                issue.fingerprint.clone(),
                issue_id.to_owned(),
                action_id.unwrap_or_default().to_owned(),
                long(&help_url(&export.identity.help_base_url, &issue.check_id)),
                long(&issue.references.join("; ")),
            ],
        }
    }

    fn row(&self, place: Option<&Occurrence>) -> Vec<String> {
        let text = |text: &str, most| shown(text, most);
        let middle = place.map_or_else(Default::default, |place| {
            [
                text(&place.url, limits::ADDRESS),
                place.line.map_or_else(String::new, |line| line.to_string()),
                text(
                    place.selector.as_deref().unwrap_or_default(),
                    limits::ADDRESS,
                ),
                text(
                    place.snippet.as_deref().unwrap_or_default(),
                    limits::SNIPPET,
                ),
                text(&place.message, limits::TEXT),
            ]
        });
        let cells = self.before.iter().chain(&middle).chain(&self.after);
        cells.map(|cell| cell_text(cell)).collect()
    }
}

/// The cell as text, whatever it begins with.
fn cell_text(text: &str) -> String {
    let begins_formula = text.starts_with([
        '=', '+', '-', '@', '\t', '\r',
        '\n', // Wide forms, which some spreadsheets take for the same.
        '＝', '＋', '－', '＠',
    ]);
    if begins_formula {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("=1+1", "'=1+1")]
    #[case("+1", "'+1")]
    #[case("-1", "'-1")]
    #[case("@SUM(A1)", "'@SUM(A1)")]
    #[case("\t=1", "'\t=1")]
    #[case("\r=1", "'\r=1")]
    #[case("a=1", "a=1")]
    #[case("", "")]
    fn formulas_are_text(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(cell_text(text), expected);
    }

    proptest! {
        #[test]
        fn no_cell_begins_a_formula(text in any::<String>()) {
            let cell = cell_text(&text);
            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
        }
    }
}
