//! A table for spreadsheets: a row for each place, as RFC 4180 has it.
//!
//! A row has the issue's facts, then those of the cause: `affectedPages`, `occurrencesTotal`,
//! `scoreImpact` and `fingerprint` are the cause's.
//!
//! Spreadsheets take a cell that begins with certain characters for a formula, which can send what
//! stands in other cells elsewhere. Such a cell begins with an apostrophe here, which makes it text.

use api_types::report::ReportFormat;
use std::borrow::Cow;

use domain::report::{Issue, IssueCause, MAX_CAUSES, MAX_OCCURRENCES, Occurrence};

use super::{Export, ExportError, limits};
use crate::limits::EvidenceLimits;
use crate::text::shown;
use crate::wording::cause::first;

/// The columns.
const HEADER: [&str; 22] = [
    "severity",
    "dimension",
    "checkId",
    "title",
    "cause",
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
    "waiverId",
];

/// How much evidence it shows.
pub(super) const EVIDENCE: EvidenceLimits = EvidenceLimits {
    causes: MAX_CAUSES,
    places: MAX_OCCURRENCES,
    places_of_only: MAX_OCCURRENCES,
    causes_in_all: limits::CSV_ROWS,
    places_in_all: limits::CSV_ROWS,
    is_of_rows: true,
};

pub(super) fn render(export: &Export<'_>) -> Result<Vec<u8>, ExportError> {
    let failed = |error: csv::Error| ExportError::new(ReportFormat::Csv, &error);
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    table.write_record(HEADER).map_err(failed)?;
    let counts = EVIDENCE.shares(&export.report.issues);
    for ((place, issue), causes) in export.issues().zip(counts) {
        for (cause, most) in issue.causes.iter().zip(causes) {
            let about = About::new(export, place, issue, cause);
            let shown = first(&cause.occurrences, most);
            for occurrence in shown {
                write_row(&mut table, about.row(Some(occurrence))).map_err(failed)?;
            }
            if shown.is_empty() {
                write_row(&mut table, about.row(None)).map_err(failed)?;
            }
        }
    }
    let bytes = table.into_inner();
    bytes.map_err(|error| ExportError::new(ReportFormat::Csv, error.error()))
}

/// A table for spreadsheets (RFC 4180) with these columns and rows. No cell is taken for a formula.
///
/// # Errors
/// If the table cannot be written, which memory alone can cause.
pub fn csv_table<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<Vec<u8>, ExportError> {
    let mut table = CsvTable::new(&header)?;
    for row in rows {
        table.push(&row)?;
    }
    table.finish()
}

/// A table for spreadsheets (RFC 4180) that is written row by row. No cell is taken for a formula.
pub(super) struct CsvTable(csv::Writer<Vec<u8>>);

impl CsvTable {
    /// A table with these columns.
    pub(super) fn new(header: &[&str]) -> Result<Self, ExportError> {
        let mut table = csv::WriterBuilder::new()
            .terminator(csv::Terminator::CRLF)
            .from_writer(Vec::new());
        table.write_record(header).map_err(|error| failed(&error))?;
        Ok(Self(table))
    }

    /// Adds a row with a cell for each column.
    pub(super) fn push(&mut self, row: &[String]) -> Result<(), ExportError> {
        let cells = row.iter().map(|cell| cell_text(cell));
        write_row(&mut self.0, cells).map_err(|error| failed(&error))
    }

    /// The table.
    pub(super) fn finish(self) -> Result<Vec<u8>, ExportError> {
        let bytes = self.0.into_inner();
        bytes.map_err(|error| ExportError::new(ReportFormat::Csv, error.error()))
    }
}

fn failed(error: &csv::Error) -> ExportError {
    ExportError::new(ReportFormat::Csv, error)
}

fn write_row<'a>(
    table: &mut csv::Writer<Vec<u8>>,
    cells: impl Iterator<Item = Cow<'a, str>>,
) -> csv::Result<()> {
    for cell in cells {
        table.write_field(cell.as_bytes())?;
    }
    table.write_record(None::<&[u8]>)
}

/// What the rows of a cause have in common, as cells.
struct About {
    before: [String; 5],
    after: [String; 11],
}

impl About {
    fn new(export: &Export<'_>, place: usize, issue: &Issue, cause: &IssueCause) -> Self {
        let ids = export.ids(place);
        let issue_id = ids.map_or("", |ids| &ids.issue_id);
        let action_id = ids.and_then(|ids| ids.action_id.as_deref());
        let gain = export.scored.points(cause.score_impact);
        let long = |text: &str| shown(text, limits::TEXT);
        Self {
            before: [
                issue.severity.to_string(),
                issue.dimension.to_string(),
                long(&issue.check_id),
                long(&issue.title),
                long(&cause.message),
            ],
            after: [
                long(&issue.recommendation),
                cause.affected_pages.to_string(),
                cause.occurrences_total.to_string(),
                gain.map_or_else(String::new, |points| format!("{points:.2}")),
                issue.confidence.as_str().to_owned(),
                long(&issue.effort),
                cause.fingerprint.clone(),
                issue_id.to_owned(),
                action_id.unwrap_or_default().to_owned(),
                long(&export.help_url(&issue.check_id).unwrap_or_default()),
                long(&issue.references.join("; ")),
            ],
        }
    }

    fn row<'a>(&'a self, place: Option<&Occurrence>) -> impl Iterator<Item = Cow<'a, str>> {
        let cell = |text: &str, most| Cow::Owned(cell_text(&shown(text, most)).into_owned());
        let optional = |text: Option<&String>, most| cell(text.map_or("", String::as_str), most);
        let middle = place.map_or_else(Default::default, |place| {
            let line = place.line.map(|line| line.to_string());
            [
                cell(&place.url, limits::ADDRESS),
                Cow::Owned(line.unwrap_or_default()),
                optional(place.selector.as_ref(), limits::ADDRESS),
                optional(place.snippet.as_ref(), limits::SNIPPET),
                cell(&place.message, limits::TEXT),
            ]
        });
        let before = self.before.iter().map(|text| cell_text(text));
        let after = self.after.iter().map(|text| cell_text(text));
        let waiver = place.and_then(|place| place.waiver.as_ref());
        let waiver = waiver.map_or_else(String::new, ToString::to_string);
        before
            .chain(middle)
            .chain(after)
            .chain([Cow::Owned(waiver)])
    }
}

/// The cell as text, whatever it begins with.
fn cell_text(text: &str) -> Cow<'_, str> {
    let begins_formula = text.starts_with([
        '=', '+', '-', '@', '\t', '\r',
        '\n', // Wide forms, which some spreadsheets take for the same.
        '＝', '＋', '－', '＠',
    ]);
    if begins_formula {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
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

    #[test]
    fn a_table_is_quoted_and_has_no_formula() {
        let rows = [["=1+1".to_owned(), "a, \"b\"".to_owned()]];
        let table = csv_table(["x", "y"], rows).unwrap();
        let expected = "x,y\r\n'=1+1,\"a, \"\"b\"\"\"\r\n";
        assert_eq!(String::from_utf8(table).unwrap(), expected);
    }

    proptest! {
        #[test]
        fn no_cell_begins_a_formula(text in any::<String>()) {
            let cell = cell_text(&text);
            prop_assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r']));
        }
    }
}
