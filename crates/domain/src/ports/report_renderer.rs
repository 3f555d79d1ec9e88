//! Reports in the forms that people keep.

use super::StoredReport;
use crate::id::OrgId;
use crate::report::RunFacts;

/// Why there is no document. It is a defect of ours, never of the report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot render the report: {0}")]
pub struct RenderError(pub String);

/// A document to make.
#[derive(Debug, Clone, Copy)]
pub struct DocumentRequest<'a> {
    /// The organization that the report is of, for its name and logo.
    pub org: &'a OrgId,
    /// The report, with all its evidence.
    pub report: &'a StoredReport,
    /// What its run saw besides.
    pub run: &'a RunFacts,
    /// Whether all issues with their evidence, and the calculation of the scores, follow.
    pub has_appendix: bool,
}

/// Makes documents of reports.
pub trait ReportRenderer: Send + Sync {
    /// The report as PDF. It takes a moment of CPU time; the same request gives the same bytes.
    ///
    /// # Errors
    /// When the template or a font is broken.
    fn pdf(&self, request: DocumentRequest<'_>) -> Result<Vec<u8>, RenderError>;
}
