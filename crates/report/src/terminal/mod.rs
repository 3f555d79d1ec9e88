//! The report for a terminal.
//!
//! The summary comes first, then the scores, the issues with evidence, and the coverage. The caller
//! decides whether to use color, because it knows the terminal and `NO_COLOR`. No mark depends on
//! color alone.

mod coverage;
mod issue;
mod options;
mod scores;
pub(crate) mod sheet;
mod single_check;
mod wrap;

#[cfg(test)]
mod tests;

pub use options::TerminalOptions;
pub use scores::score_line;
pub use single_check::render_check_findings;

use domain::report::{INLINE_CAUSES, Issue, Report};
use domain::text::{capitalized, enumeration, in_words};
use domain::{Severity, text};

use crate::scored::Scored;
use crate::verdict::Verdict;
use crate::wording::cause::first;
use crate::wording::counted;
use issue::Depth;
use sheet::{BOLD, PLAIN, QUIET, Sheet};

/// How much of each issue is shown.
const DEPTH: Depth = Depth {
    causes: 3,
    places: 1,
    places_of_only: 3,
};
/// How much of each issue is shown with all issues.
const DEPTH_OF_ALL: Depth = Depth {
    causes: INLINE_CAUSES,
    ..DEPTH
};

/// The whole report, ending with a line break.
#[must_use]
pub fn render(report: &Report, options: &TerminalOptions) -> String {
    render_scored(report, &Scored::Whole, options)
}

/// The report with the scores that were computed, ending with a line break.
#[must_use]
pub fn render_scored(report: &Report, scored: &Scored, options: &TerminalOptions) -> String {
    let mut sheet = Sheet::new(options);
    sheet.paragraph("", &report.url, QUIET);
    sheet.blank();
    sheet.paragraph("", &scored.summary(report), PLAIN);
    sheet.blank();
    scores::write(&mut sheet, report, scored);
    sheet.blank();
    let points = match scored {
        Scored::Whole => issue::Points::Shown,
        _ => issue::Points::Hidden,
    };
    write_issues(&mut sheet, report, points, options);
    coverage::write(&mut sheet, &report.coverage);
    coverage::write_unjudged(&mut sheet, report, options.all_issues);
    write_more(&mut sheet, report, options);
    write_verdict(&mut sheet, report, scored, options);
    sheet.finish()
}

/// The shown issues: all, or those with the largest score impact.
fn shown<'a>(report: &'a Report, options: &TerminalOptions) -> &'a [Issue] {
    if options.all_issues {
        &report.issues
    } else {
        first(&report.issues, options.max_issues)
    }
}

fn write_issues(
    sheet: &mut Sheet,
    report: &Report,
    points: issue::Points,
    options: &TerminalOptions,
) {
    let issues = shown(report, options);
    let (number, total) = (issues.len(), report.issues.len());
    let heading = match (number, total) {
        (0, _) => return,
        (1, 1) => "One issue".to_owned(),
        (1, _) => format!("The first of {total} issues by score impact"),
        _ if number == total => format!("{} issues by score impact", capitalized(&in_words(total))),
        _ => format!(
            "The first {} of {total} issues by score impact",
            in_words(number)
        ),
    };
    sheet.paragraph("", &heading, BOLD);
    sheet.blank();
    let depth = if options.all_issues {
        DEPTH_OF_ALL
    } else {
        DEPTH
    };
    for found in issues {
        issue::write(sheet, found, report, depth, points);
        sheet.blank();
    }
    let left_out = left_out(report.issues.get(number..).unwrap_or_default());
    if !left_out.is_empty() {
        sheet.paragraph("", &left_out, PLAIN);
        sheet.blank();
    }
}

/// "12 more issues: 3 serious, 8 minor and 1 info."
fn left_out(rest: &[Issue]) -> String {
    let kinds: Vec<_> = Severity::ALL
        .into_iter()
        .filter_map(|severity| {
            let alike = rest.iter().filter(|issue| issue.severity == severity);
            let number = alike.count();
            (number > 0).then(|| format!("{number} {severity}"))
        })
        .collect();
    match rest.len() {
        0 => String::new(),
        1 => format!("One more issue: {}.", enumeration(&kinds)),
        more => format!("{more} more issues: {}.", enumeration(&kinds)),
    }
}

fn write_more(sheet: &mut Sheet, report: &Report, options: &TerminalOptions) {
    let total = report.issues.len();
    let all = if shown(report, options).len() < total {
        format!(
            "Use --all for all {} and --json for the score calculation",
            counted(total, "issue", "issues")
        )
    } else {
        "Use --json for the score calculation".to_owned()
    };
    let more = format!("{all} and up to {INLINE_CAUSES} causes of each issue.");
    sheet.blank();
    sheet.paragraph("", &text::sentence(&more), QUIET);
}

/// The last line says the result, where people and the end of a log are read.
fn write_verdict(sheet: &mut Sheet, report: &Report, scored: &Scored, options: &TerminalOptions) {
    let verdict = Verdict::new(report, scored, options.took);
    sheet.blank();
    let line = verdict.to_string();
    if wrap::columns(&line) <= usize::from(options.width) {
        sheet.row(&[(&line, BOLD)]);
    } else {
        sheet.paragraph("", &verdict.scores(), BOLD);
        sheet.paragraph("", &verdict.findings(), BOLD);
    }
}
