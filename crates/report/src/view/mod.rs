//! What a report shows, made once for every layout: scores with their bands, issues with their causes,
//! how much was seen, what was not judged, and the sums.
//!
//! Texts are those of the report. A layout cuts them, and makes them safe for its syntax: [`text`] shows what is
//! invisible, and says which addresses may be links.

mod cause;
mod issue;
mod pages;
mod passed;
mod pictures;
mod score;
mod scripts;
mod severity;
mod sum;
mod treemap;
mod treemap_cell;
mod unjudged;

pub use cause::{CauseView, OccurrenceView};
#[cfg(feature = "pdf")]
pub(crate) use issue::is_web;
pub use issue::{IssueView, Reference};
pub use pages::{Bar, PageRow, PagesView, treemap_cells};
pub use passed::{PassedChecks, passed};
pub(crate) use pictures::EmbeddedPictures;
pub(crate) use score::dimensions as dimension_scores;
pub use score::{MatrixRow, ScoreView, TakerView};
pub use scripts::{ScriptsRow, ScriptsView};
pub use severity::SeverityCount;
pub use sum::{OverallTermView, OverallView, StepView, SumView, TermView, overall_sum};
pub use treemap_cell::{TreemapCell, WeightCell};
pub use unjudged::UnjudgedReason;

use domain::report::{Issue, Report};

use crate::limits::EvidenceLimits;
use crate::scored::Scored;
use crate::wording::changes;
pub use crate::wording::coverage::sentences as coverage;
pub use crate::wording::duration::duration;
pub use crate::wording::issue::severity_mark;
pub use crate::wording::score::Band;
pub use crate::wording::scripts::{HEADING as SCRIPTS_HEADING, MEANING as SCRIPTS_MEANING};
pub use crate::wording::unjudged::{HEADING as UNJUDGED_HEADING, MEANING as UNJUDGED_MEANING};
use crate::wording::waiver::lines;

/// Texts of audited pages and of checks, made safe to show on one line.
pub mod text {
    pub use crate::text::{Block, Piece, blocks, host, link, message_pieces, shown};
}

/// For each issue, of each of its causes that are shown, how many occurrences are: at most `causes` causes with
/// `occurrences` each, and fewer of the last issues where there would be too many in all.
#[must_use]
pub fn shares(issues: &[Issue], causes: usize, occurrences: usize) -> Vec<Vec<usize>> {
    EvidenceLimits::for_people(causes, occurrences, occurrences).shares(issues)
}

/// What a report shows.
pub struct ReportView<'a> {
    /// What to know first.
    pub summary: String,
    /// The overall score, where it means something.
    pub overall: Option<ScoreView<'a>>,
    /// The scores of the dimensions that mean something.
    pub dimensions: Vec<ScoreView<'a>>,
    /// How many issues there are of each severity, of those that occur.
    pub severities: Vec<SeverityCount>,
    /// How many issues each dimension has of each severity.
    pub matrix: Vec<MatrixRow>,
    /// What changed since the site's report before, in few words; none on the first.
    pub changes: Option<String>,
    /// The issues, in the order of the report.
    pub issues: Vec<IssueView<'a>>,
    /// What scripts change on the pages that a browser showed.
    pub scripts: ScriptsView,
    /// Why checks gave no verdict on all, each reason with its checks.
    pub unjudged: Vec<UnjudgedReason<'a>>,
    /// The sums behind the scores of the dimensions.
    pub sums: Vec<SumView<'a>>,
    /// How the numbers of the sums belong together.
    pub explanation: &'static str,
}

impl<'a> ReportView<'a> {
    /// What a report shows, with those of its scores that mean something. `shares` has for each issue, of
    /// each of its causes that are shown, how many occurrences are.
    #[must_use]
    pub fn new(
        report: &'a Report,
        scored: &'a Scored,
        help_base_url: &str,
        shares: &[Vec<usize>],
    ) -> Self {
        let issues = (1..).zip(report.issues.iter().zip(shares));
        Self {
            summary: scored.summary(report),
            overall: scored
                .overall(report)
                .map(|score| ScoreView::overall(report, score)),
            dimensions: score::dimensions(report, scored),
            severities: severity::counts(&report.issues),
            matrix: score::matrix(report, scored),
            changes: report.changes.as_ref().map(changes::in_short),
            issues: issues
                .map(|(number, (issue, causes))| {
                    let gain = scored.points(issue.score_impact);
                    let extent = issue.extent(&report.coverage);
                    let waivers = lines(&report.waivers, issue);
                    IssueView::new(number, issue, causes, gain, extent, waivers, help_base_url)
                })
                .collect(),
            scripts: ScriptsView::new(report),
            unjudged: unjudged::reasons(&report.unjudged),
            sums: sum::sums(report, scored),
            explanation: sum::explanation(report),
        }
    }
}
