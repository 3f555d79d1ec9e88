//! The summary of a CI job: one screen of Markdown.

use std::fmt::Write as _;

use domain::report::Issue;

use super::Export;
use super::markdown::{code, escaped, write_scores};
use crate::limits;
use crate::text::shown;
use crate::verdict::Verdict;
use crate::wording::counted;
use crate::wording::issue::{in_points, marked, reach};

/// Issues that are listed.
const ISSUES: usize = 10;
/// Failed gates that are listed.
const GATES: usize = 10;

/// What a job summary shows.
#[derive(Debug, Clone)]
pub struct JobSummary<'a> {
    /// The result in one line.
    pub verdict: &'a Verdict,
    /// What failed; empty if all gates passed.
    pub failures: &'a [String],
    /// The issues that count, most gain first.
    pub issues: &'a [&'a Issue],
    /// Whether only what is new counts.
    pub is_of_new: bool,
}

/// The result, the failed gates, the scores and the first issues, as Markdown of at most 50 lines.
#[must_use]
pub fn job_summary(export: &Export<'_>, summary: &JobSummary<'_>) -> String {
    let mut out = String::new();
    let site = escaped(&shown(export.host(), limits::TEXT));
    let _ = writeln!(
        out,
        "## {site}: {}\n",
        escaped(&summary.verdict.to_string())
    );
    if !summary.failures.is_empty() {
        out.push_str("> [!CAUTION]\n");
        for failure in summary.failures.iter().take(GATES) {
            let failure = domain::text::sentence(&shown(failure, limits::TEXT));
            let _ = writeln!(out, "> - {}", escaped(&failure));
        }
        let left = summary.failures.len().saturating_sub(GATES);
        if left > 0 {
            let _ = writeln!(out, "> - and {}", counted(left, "more gate", "more gates"));
        }
        out.push('\n');
    }
    write_scores(&mut out, export);
    write_issues(&mut out, export, summary);
    out
}

fn write_issues(out: &mut String, export: &Export<'_>, summary: &JobSummary<'_>) {
    let (heading, none) = match summary.is_of_new {
        true => ("New issues", "No new issues."),
        false => ("Fix first", "No issues were found."),
    };
    let _ = writeln!(out, "### {heading}\n");
    if summary.issues.is_empty() {
        let _ = writeln!(out, "{none}");
        return;
    }
    out.push_str(
        "| Severity | Issue | Check | Reach | Effort | Points |\n| --- | --- | --- | ---: | --- | ---: |\n",
    );
    for issue in summary.issues.iter().take(ISSUES) {
        let gain = export.gain(issue).map_or_else(String::new, in_points);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {gain} |",
            marked(issue.severity),
            escaped(&shown(&issue.title, limits::TEXT)),
            code(&shown(&issue.check_id, limits::TEXT)),
            reach(issue),
            escaped(&shown(&issue.effort, limits::TEXT)),
        );
    }
    let left = summary.issues.len().saturating_sub(ISSUES);
    if left > 0 {
        let more = counted(left, "more issue is", "more issues are");
        let _ = writeln!(out, "\n{more} in the report.");
    }
}
