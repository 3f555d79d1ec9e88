//! What chosen checks found, without scores.

use domain::report::{Issue, Report, UnjudgedCheck};
use domain::text::count;

use super::sheet::{BOLD, PLAIN, QUIET, Sheet};
use super::{TerminalOptions, coverage, issue};

/// How many places of an issue are shown where only some checks are asked for.
const EVIDENCE: usize = 20;

/// What these checks found, ending with a line break.
///
/// No score is shown, nor the points a fix brings: the rest of the catalogue was not asked.
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
    let issues: Vec<&Issue> = report
        .issues
        .iter()
        .filter(|issue| issue.check_id == check_id)
        .collect();
    if issues.is_empty() {
        sheet.paragraph("", &without_issues(report, check_id), PLAIN);
        return;
    }
    let total = issues.len();
    let shown = if options.all_issues {
        total
    } else {
        total.min(options.max_issues)
    };
    for found in issues.into_iter().take(shown) {
        issue::write(
            sheet,
            found,
            &report.coverage,
            EVIDENCE,
            issue::Points::Hidden,
        );
        sheet.blank();
    }
    if shown < total {
        let number = u64::try_from(total - shown).unwrap_or(u64::MAX);
        let more = count(number, "more issue", "more issues");
        sheet.paragraph("", &format!("{more} of {check_id} with --all."), BOLD);
    }
}

fn without_issues(report: &Report, check_id: &str) -> String {
    let unjudged = report
        .unjudged
        .iter()
        .find(|check| check.check_id == check_id);
    if let Some(UnjudgedCheck { why, .. }) = unjudged {
        let verb = coverage::verb(why).to_lowercase();
        return format!(
            "{check_id}: {verb}, {}.",
            why.reason().trim_end_matches('.')
        );
    }
    let mut checks = report
        .score
        .dimensions
        .values()
        .flat_map(|score| &score.checks);
    match checks.find(|check| check.check_id == check_id) {
        Some(check) => {
            let times = count(check.applicable, "time", "times");
            format!("{check_id}: nothing to fix, applied {times}.")
        }
        None => format!("{check_id}: there is nothing on this site that it applies to."),
    }
}
