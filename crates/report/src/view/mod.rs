//! What a report shows, made once for every layout: scores with their bands, issues with their causes,
//! how much was seen, what was not judged, and the sums.
//!
//! Texts are those of the report. A layout cuts them, and makes them safe for its syntax.

mod cause;
mod issue;
mod score;
mod severity;
mod sum;
mod unjudged;

pub(crate) use cause::{CauseView, OccurrenceView};
#[cfg(feature = "pdf")]
pub(crate) use issue::is_web;
pub(crate) use issue::{IssueView, Reference};
pub(crate) use score::ScoreView;
pub(crate) use severity::SeverityCount;
pub(crate) use sum::SumView;
pub(crate) use unjudged::UnjudgedReason;

use domain::report::Report;

use crate::scored::Scored;

/// What a report shows.
pub(crate) struct ReportView<'a> {
    /// What to know first.
    pub(crate) summary: String,
    /// The overall score, where it means something.
    pub(crate) overall: Option<ScoreView<'a>>,
    /// The scores of the dimensions that mean something.
    pub(crate) dimensions: Vec<ScoreView<'a>>,
    /// How many issues there are of each severity, of those that occur.
    pub(crate) severities: Vec<SeverityCount>,
    /// The issues, in the order of the report.
    pub(crate) issues: Vec<IssueView<'a>>,
    /// Why checks gave no verdict on all, each reason with its checks.
    pub(crate) unjudged: Vec<UnjudgedReason<'a>>,
    /// The sums behind the scores of the dimensions.
    pub(crate) sums: Vec<SumView<'a>>,
}

impl<'a> ReportView<'a> {
    /// What a report shows, with those of its scores that mean something. `shares` has for each issue, of
    /// each of its causes that are shown, how many occurrences are.
    pub(crate) fn new(
        report: &'a Report,
        scored: &'a Scored,
        help_base_url: &str,
        shares: &[Vec<usize>],
    ) -> Self {
        let issues = (1..).zip(report.issues.iter().zip(shares));
        Self {
            summary: scored.summary(report),
            overall: scored.overall(report).map(ScoreView::overall),
            dimensions: score::dimensions(report, scored),
            severities: severity::counts(&report.issues),
            issues: issues
                .map(|(number, (issue, causes))| {
                    let gain = scored.points(issue.score_impact);
                    let extent = issue.extent(&report.coverage);
                    IssueView::new(number, issue, causes, gain, extent, help_base_url)
                })
                .collect(),
            unjudged: unjudged::reasons(&report.unjudged),
            sums: sum::sums(report, scored),
        }
    }
}
