//! Reports in the forms that people keep.

use super::StoredReport;

/// Why there is no document. It is a defect of ours, never of the report.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot render the report: {0}")]
pub struct RenderError(pub String);

/// Makes documents of reports.
pub trait ReportRenderer: Send + Sync {
    /// The report as PDF. It takes a moment of CPU time; the same report gives the same bytes.
    ///
    /// # Errors
    /// When the template or a font is broken.
    fn pdf(&self, report: &StoredReport) -> Result<Vec<u8>, RenderError>;
}
