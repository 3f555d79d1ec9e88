//! The report in the forms that people keep and programs read: HTML, Markdown, SARIF, JUnit, CSV,
//! JSON and a short one for language models.
//!
//! All of them are made from the same report, and the same report always gives the same bytes. Words
//! of audited pages are data in every form: never markup, never a formula, never an instruction.
//! What is invisible or steers how other text is shown stands as its number. How much of a report a
//! form shows is bounded by [`limits`].

mod csv;
mod html;
mod job_summary;
mod json;
mod junit;
mod list_table;
mod lists;
mod llm;
mod markdown;
mod sarif;
mod source_files;

#[cfg(test)]
mod limits_tests;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use crate::scored::Scored;
pub use csv::csv_table;
pub use html::content_security_policy;
pub use job_summary::{JobSummary, job_summary};
pub use list_table::{ListTable, write_all};
pub use lists::{LinksCsv, PagesCsv, RedirectsCsv};
pub(crate) use markdown::escaped as escaped_markdown;
pub use source_files::{SourceFile, SourceFiles};

use crate::limits;
use crate::text;
pub use api_types::report::ReportFormat;
use domain::ports::{CheckCatalogue, CheckGuide};
pub use domain::report::RunFacts;
use domain::report::{Issue, Report};

use crate::json::{Identity, IssueIds};

/// A report with everything that exports need.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// What the report says, with all its causes and occurrences ([`ReportDetail::Whole`]). An export
    /// shows as many of them as [`limits`] allows.
    ///
    /// [`ReportDetail::Whole`]: domain::ports::ReportDetail::Whole
    pub report: &'a Report,
    /// Where it is from.
    pub identity: &'a Identity,
    /// One for each issue of the report, in its order.
    pub ids: &'a [IssueIds],
    /// The checks, for their documentation.
    pub checks: &'a dyn CheckCatalogue,
    /// Which of its scores mean something.
    pub scored: &'a Scored,
    /// What its run saw that the report does not have; forms show what there is.
    pub run: &'a RunFacts,
    /// The files that the site was built from; none if they are not known.
    pub sources: Option<&'a SourceFiles>,
}

/// Why there is no export. It is a defect of ours, never of the report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot write the report as {format}: {cause}")]
pub struct ExportError {
    /// The requested format.
    pub format: ReportFormat,
    /// What went wrong.
    pub cause: String,
}

impl ExportError {
    fn new(format: ReportFormat, cause: &impl ToString) -> Self {
        let cause = cause.to_string();
        Self { format, cause }
    }
}

/// The report in a format, as UTF-8.
///
/// # Errors
/// If a format cannot be written, which is a bug.
pub fn export(export: &Export<'_>, format: ReportFormat) -> Result<Vec<u8>, ExportError> {
    match format {
        ReportFormat::Html => html::render(export),
        ReportFormat::Markdown => Ok(markdown::render(export).into_bytes()),
        ReportFormat::Sarif => sarif::render(export),
        ReportFormat::Junit => junit::render(export),
        ReportFormat::Csv => csv::render(export),
        ReportFormat::Json => json::render(export).map(String::into_bytes),
        ReportFormat::Llm => Ok(llm::render(export).into_bytes()),
    }
}

impl<'a> Export<'a> {
    /// The issues, each with its place in the report.
    fn issues(&self) -> impl Iterator<Item = (usize, &'a Issue)> + use<'a> {
        self.report.issues.iter().enumerate()
    }

    /// What the issue at a place has in a service; nothing for an audit without one.
    fn ids(&self, place: usize) -> Option<&'a IssueIds> {
        self.ids.get(place)
    }

    /// The documentation of a check; none for one that is not in the catalogue.
    fn guide(&self, check_id: &str) -> Option<CheckGuide> {
        self.checks.guide(check_id)
    }

    /// The address of a check's documentation, where it leads anywhere.
    fn help_url(&self, check_id: &str) -> Option<String> {
        let url = crate::json::help_url(&self.identity.help_base_url, check_id);
        text::link(&url)
    }

    /// The points that the overall score gains with an issue fixed, where there is an overall score.
    fn gain(&self, issue: &Issue) -> Option<f64> {
        self.scored.points(issue.score_impact)
    }

    /// The host of the site, with its port if it is not the default.
    fn host(&self) -> &'a str {
        text::host(&self.report.url)
    }
}
