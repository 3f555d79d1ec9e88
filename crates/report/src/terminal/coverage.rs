//! The coverage, and the checks that were not evaluated.

use domain::report::{Coverage, Report, UnjudgedCheck};
use domain::text::enumeration;

use crate::wording::coverage::sentences_on_terminal;
use crate::wording::unjudged::{aside, by_reason, reason, verb};

use super::sheet::{PLAIN, Sheet};

/// The number of checks that are named for each reason.
const NAMED: usize = 5;

pub(super) fn write(sheet: &mut Sheet, coverage: &Coverage) {
    sheet.paragraph("", &sentences_on_terminal(coverage), PLAIN);
}

/// One paragraph for each reason why checks have no result.
pub(super) fn write_unjudged(sheet: &mut Sheet, report: &Report, all: bool) {
    for line in unjudged(&report.unjudged, all) {
        sheet.paragraph("", &line, PLAIN);
    }
}

/// "Not run (no browser): contrast and focus-order."
fn unjudged(unjudged: &[UnjudgedCheck], all: bool) -> Vec<String> {
    let by_reason = by_reason(unjudged).into_iter();
    by_reason
        .map(|(why, checks)| {
            let checks = checks
                .into_iter()
                .map(|check| format!("{}{}", check.check_id, aside(check)))
                .collect();
            let checks = named(checks, all);
            let reason = reason(why);
            format!("{} ({reason}): {checks}.", verb(why))
        })
        .collect()
}

fn named(mut checks: Vec<String>, all: bool) -> String {
    // One name is as short as "and 1 more".
    if !all && checks.len() > NAMED + 1 {
        let more = checks.len() - NAMED;
        checks.truncate(NAMED);
        checks.push(format!("{more} more"));
    }
    enumeration(&checks)
}
