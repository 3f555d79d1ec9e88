//! The findings of selected checks, without scores.

use domain::report::{MAX_CAUSES, Report, UnjudgedCheck};
use domain::text::count;

use super::issue::Depth;
use super::sheet::{PLAIN, QUIET, Sheet};
use super::{TerminalOptions, coverage, issue};
use crate::wording::unjudged::{aside, reason, verb};

/// Occurrences shown of the only cause of an issue, if only some checks are requested.
const PLACES_OF_ONLY: usize = 20;
/// Occurrences shown of each of several causes.
const PLACES: usize = 3;

/// The findings of these checks, ending with a line break.
///
/// Scores and score impacts are not shown, because the other checks did not run.
#[must_use]
pub fn render_check_findings(
    report: &Report,
    check_ids: &[String],
    options: &TerminalOptions,
) -> String {
    let mut sheet = Sheet::new(options);
    sheet.paragraph("", &report.url, QUIET);
    for check_id in check_ids {
        sheet.blank();
        write_check(&mut sheet, report, check_id, options);
    }
    sheet.blank();
    coverage::write(&mut sheet, &report.coverage);
    sheet.finish()
}

fn write_check(sheet: &mut Sheet, report: &Report, check_id: &str, options: &TerminalOptions) {
    let mut issues = report.issues.iter();
    if let Some(found) = issues.find(|issue| issue.check_id == check_id) {
        let depth = Depth {
            causes: if options.all_issues {
                MAX_CAUSES
            } else {
                options.max_issues
            },
            places: PLACES,
            places_of_only: PLACES_OF_ONLY,
        };
        issue::write(sheet, found, report, depth, issue::Points::Hidden);
        if depth.causes < found.causes.len() {
            let all = format!("Use --all for more causes of {check_id}.");
            sheet.paragraph("", &all, PLAIN);
        }
    } else if let Some(text) = without_issue(report, check_id) {
        sheet.paragraph("", &text, PLAIN);
    }
    for check in unjudged(report, check_id) {
        let text = format!(
            "{check_id}: {}{}, {}.",
            verb(&check.why).to_lowercase(),
            aside(check),
            reason(&check.why)
        );
        sheet.paragraph("", &text, PLAIN);
    }
}

fn unjudged<'a>(report: &'a Report, check_id: &str) -> impl Iterator<Item = &'a UnjudgedCheck> {
    let checks = report.unjudged.iter();
    checks.filter(move |check| check.check_id == check_id)
}

fn is_unjudged(report: &Report, check_id: &str) -> bool {
    unjudged(report, check_id).next().is_some()
}

/// What is known of a check without an issue: that it passed, also where it cannot tell on some pages, or that it has
/// nothing to check; `None` where nothing is known.
fn without_issue(report: &Report, check_id: &str) -> Option<String> {
    let mut checks = report
        .score
        .dimensions
        .values()
        .flat_map(|score| &score.checks);
    match checks.find(|check| check.check_id == check_id) {
        Some(check) => {
            let times = count(check.judged, "time", "times");
            Some(format!("{check_id}: passed, applied {times}."))
        }
        None if is_unjudged(report, check_id) => None,
        None => Some(format!("{check_id}: not applicable to this site.")),
    }
}
