//! What to do first: a table with one row for each issue.

use domain::report::Issue;
use domain::text::grouped;

use super::issue::{Points, style};
use super::sheet::{BOLD, PLAIN, QUIET, Sheet};
use super::wrap::columns;
use crate::plain::plain;
use crate::wording::issue::{in_points, marked, reach};
use crate::wording::{counted, number_of};

/// The columns before the title: their headings, and whether they end at the same place.
const COLUMNS: [(&str, bool); 4] = [
    ("Gain", true),
    ("Severity", false),
    ("Reach", false),
    ("Effort", false),
];
/// The place of the severity.
const SEVERITY: usize = 1;
/// Spaces between two columns.
const GAP: &str = "  ";

/// The issues, with their number in the whole report.
pub(super) fn write(sheet: &mut Sheet, issues: &[Issue], total: usize, points: Points) {
    if total == 0 {
        sheet.paragraph("", "No issues were found.", PLAIN);
        return;
    }
    let heading = match points {
        Points::Shown => "Do first",
        Points::Hidden => "Issues found",
    };
    let number = match issues.len() {
        all if all == total => counted(total, "issue", "issues"),
        some => format!("{some} of {} issues", grouped(number_of(total))),
    };
    sheet.row(&[(heading, BOLD), (GAP, PLAIN), (&number, QUIET)]);
    let rows: Vec<_> = issues.iter().map(|issue| cells(issue, points)).collect();
    let widths = widths(sheet, &rows);
    let headings = COLUMNS.map(|(heading, _)| heading.to_owned());
    let headings = padded(&headings, &widths);
    let headings: Vec<_> = headings.iter().map(|cell| (cell.as_str(), QUIET)).collect();
    let taken = headings.iter().map(|(cell, _)| columns(cell)).sum();
    let last = match sheet.has_room_beside(taken) {
        true => "Issue",
        false => "",
    };
    sheet.hanging(&headings, last, QUIET);
    for (issue, row) in issues.iter().zip(&rows) {
        let cells = padded(row, &widths);
        let cells = cells.iter().enumerate();
        let cells: Vec<_> = cells
            .map(|(place, cell)| match place {
                SEVERITY => (cell.as_str(), style(issue.severity)),
                _ => (cell.as_str(), PLAIN),
            })
            .collect();
        sheet.hanging(&cells, &issue.title, PLAIN);
    }
}

fn cells(issue: &Issue, points: Points) -> [String; 4] {
    let gain = match points {
        Points::Shown if issue.score_impact > 0.0 => in_points(issue.score_impact),
        _ => String::new(),
    };
    [
        gain,
        marked(issue.severity),
        reach(issue),
        plain(&issue.effort),
    ]
}

/// The width of each column; 0 of one that is left out, because it is empty or the line would be too long.
fn widths(sheet: &Sheet, rows: &[[String; 4]]) -> [usize; 4] {
    let mut widths = [0; 4];
    for (place, (width, (heading, _))) in widths.iter_mut().zip(COLUMNS).enumerate() {
        let cells = rows.iter().filter_map(|row| row.get(place));
        let widest = cells.map(|cell| columns(cell)).max().unwrap_or(0);
        *width = if widest > 0 {
            widest.max(columns(heading))
        } else {
            0
        };
    }
    // The last columns are those that say least.
    for place in (SEVERITY + 1..widths.len()).rev() {
        let taken: usize = widths.iter().map(|width| width + columns(GAP)).sum();
        if let Some(width) = widths.get_mut(place).filter(|_| !sheet.fits(taken)) {
            *width = 0;
        }
    }
    widths
}

/// The cells with the gaps between them, each as wide as its column.
fn padded(cells: &[String; 4], widths: &[usize; 4]) -> Vec<String> {
    let columns = cells.iter().zip(widths).zip(COLUMNS);
    let mut cells: Vec<_> = columns
        .filter(|((_, width), _)| **width > 0)
        .map(|((cell, width), (_, ends_alike))| {
            let fill = " ".repeat(width.saturating_sub(self::columns(cell)));
            match ends_alike {
                true => format!("{GAP}{fill}{cell}"),
                false => format!("{GAP}{cell}{fill}"),
            }
        })
        .collect();
    cells.push(GAP.to_owned());
    cells
}
