//! The report as people read it on a terminal.
//!
//! Words first, then scores, then what to fix with its evidence, then how much was seen. Whether
//! to colour is the caller's decision: it knows the terminal and `NO_COLOR`. No mark depends on
//! colour alone.

mod coverage;
mod issue;
mod options;
mod scores;
pub(crate) mod sheet;
mod single_check;
mod wrap;

#[cfg(test)]
mod tests;

pub(crate) use coverage::sentences as coverage_sentences;
pub use options::TerminalOptions;
pub use single_check::render_check_findings;

use domain::report::{Issue, Report};
use domain::text::{capitalized, count, enumeration, in_words};
use domain::{Severity, text};

use crate::export::Scored;
use sheet::{BOLD, PLAIN, QUIET, Sheet};

/// How many places of an issue are shown in a report.
const EVIDENCE: usize = 3;

/// The whole report, ending with a line break.
#[must_use]
pub fn render(report: &Report, options: &TerminalOptions) -> String {
    render_scored(report, &Scored::Whole, options)
}

/// The report with those of its scores that mean something, ending with a line break.
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
    sheet.finish()
}

/// An issue, and how many further issues its check found: one broken link stands for all of them.
struct Lead<'a> {
    issue: &'a Issue,
    alike: usize,
}

/// What is shown: every issue, or the worst issue of each check, worst first.
fn leads<'a>(report: &'a Report, options: &TerminalOptions) -> Vec<Lead<'a>> {
    let mut leads: Vec<Lead<'a>> = Vec::new();
    for issue in &report.issues {
        let known = leads
            .iter_mut()
            .find(|lead| !options.all_issues && lead.issue.check_id == issue.check_id);
        match known {
            Some(lead) => lead.alike += 1,
            None => leads.push(Lead { issue, alike: 0 }),
        }
    }
    if !options.all_issues {
        leads.truncate(options.max_issues);
    }
    leads
}

fn write_issues(
    sheet: &mut Sheet,
    report: &Report,
    points: issue::Points,
    options: &TerminalOptions,
) {
    let leads = leads(report, options);
    let (shown, total) = (leads.len(), report.issues.len());
    let together = if leads.iter().any(|lead| lead.alike > 0) {
        ", similar ones together"
    } else {
        ""
    };
    let heading = match (shown, total) {
        (0, _) => return,
        (1, 1) => "One issue".to_owned(),
        (1, _) => format!("The worst of {total} issues{together}"),
        _ if shown == total => format!("{} issues, worst first", capitalized(&in_words(total))),
        _ => format!("The {} worst of {total} issues{together}", in_words(shown)),
    };
    sheet.paragraph("", &heading, BOLD);
    sheet.blank();
    for lead in &leads {
        let issue = lead.issue;
        issue::write(sheet, issue, &report.coverage, EVIDENCE, points);
        if lead.alike > 0 {
            let alike = count(
                u64::try_from(lead.alike).unwrap_or(u64::MAX),
                "more issue",
                "more issues",
            );
            sheet.paragraph("  ", &format!("And {alike} of {}.", issue.check_id), PLAIN);
        }
        sheet.blank();
    }
    let left_out = left_out(report, &leads);
    if !left_out.is_empty() {
        sheet.paragraph("", &left_out, PLAIN);
        sheet.blank();
    }
}

/// "12 more issues: 3 serious, 8 minor and 1 for information."
fn left_out(report: &Report, leads: &[Lead<'_>]) -> String {
    let told = |issue: &&Issue| {
        leads
            .iter()
            .any(|lead| lead.issue.check_id == issue.check_id)
    };
    let rest = || report.issues.iter().filter(|issue| !told(issue));
    let kinds: Vec<_> = Severity::ALL
        .into_iter()
        .filter_map(|severity| {
            let number = rest().filter(|issue| issue.severity == severity).count();
            (number > 0).then(|| format!("{number} {severity}"))
        })
        .collect();
    match rest().count() {
        0 => String::new(),
        1 => format!("One more issue: {}.", enumeration(&kinds)),
        more => format!("{more} more issues: {}.", enumeration(&kinds)),
    }
}

fn write_more(sheet: &mut Sheet, report: &Report, options: &TerminalOptions) {
    let total = report.issues.len();
    let all = if leads(report, options).len() < total {
        let number = u64::try_from(total).unwrap_or(u64::MAX);
        format!(
            "All {} with --all; the sums behind the scores",
            count(number, "issue", "issues")
        )
    } else {
        "The sums behind the scores".to_owned()
    };
    let more = format!("{all} and up to 20 places of each issue with --json.");
    sheet.blank();
    sheet.paragraph("", &text::sentence(&more), QUIET);
}
