//! The report for a terminal.
//!
//! One screen comes first: the site, the scores, and what to do first as a table. Then come these issues with
//! evidence, the coverage, and the verdict as the last line. The caller decides whether to use color, because it knows the terminal and `NO_COLOR`. No mark depends on
//! color alone.

mod coverage;
mod do_first;
mod issue;
mod options;
mod scores;
pub(crate) mod sheet;
mod single_check;
mod wrap;

#[cfg(test)]
mod tests;

pub use options::{TerminalFacts, TerminalOptions};
pub use scores::score_line;
pub use single_check::render_check_findings;

use std::time::Duration;

use domain::report::{INLINE_CAUSES, Issue, Report};
use domain::text::enumeration;
use domain::{Severity, text};

use crate::plain::plain;
use crate::scored::Scored;
use crate::verdict::Verdict;
use crate::wording::cause::first;
use crate::wording::{counted, head};
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
    render_scored(report, &Scored::Whole, &TerminalFacts::default(), options)
}

/// The report with the scores that were computed, ending with a line break.
#[must_use]
pub fn render_scored(
    report: &Report,
    scored: &Scored,
    facts: &TerminalFacts<'_>,
    options: &TerminalOptions,
) -> String {
    let mut sheet = Sheet::new(options);
    write_head(&mut sheet, report, facts);
    scores::write(&mut sheet, report, scored, facts.baseline_score);
    sheet.blank();
    let points = match scored {
        Scored::Whole => issue::Points::Shown,
        _ => issue::Points::Hidden,
    };
    write_issues(&mut sheet, report, points, options);
    coverage::write(&mut sheet, &report.coverage);
    coverage::write_unjudged(&mut sheet, report, options.all_issues);
    write_more(&mut sheet, report, options);
    write_verdict(&mut sheet, report, scored, facts.took);
    sheet.finish()
}

/// The address, when it was audited, how many pages and how long: on one line if it fits.
fn write_head(sheet: &mut Sheet, report: &Report, facts: &TerminalFacts<'_>) {
    let milliseconds = |took: Duration| u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    let took = facts.took.map(milliseconds);
    let about = head::facts(facts.created_at, &report.coverage, took);
    let line = plain(&format!("{} · {about}", report.url));
    if sheet.fits(wrap::columns(&line)) {
        sheet.row(&[(&line, QUIET)]);
    } else {
        sheet.paragraph("", &report.url, QUIET);
        sheet.paragraph("", &about, QUIET);
    }
    sheet.blank();
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
    do_first::write(sheet, issues, report.issues.len(), points);
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
    let left_out = left_out(report.issues.get(issues.len()..).unwrap_or_default());
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
fn write_verdict(sheet: &mut Sheet, report: &Report, scored: &Scored, took: Option<Duration>) {
    let verdict = Verdict::new(report, scored, took);
    sheet.blank();
    let line = verdict.to_string();
    if sheet.fits(wrap::columns(&line)) {
        sheet.row(&[(&line, BOLD)]);
    } else {
        sheet.paragraph("", &verdict.scores(), BOLD);
        sheet.paragraph("", &verdict.findings(), BOLD);
    }
}
