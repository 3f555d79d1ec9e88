//! Reports: written when a run completes, and read back in the shape of a variant.

mod issues;
mod json;
pub(crate) mod occurrences;
mod read;
pub(crate) mod write;

use domain::id::{OrgId, ReportId};
use domain::ports::{ReportStore, StoreError, StoredReport};
use domain::report::Variant;

use crate::database::Database;

impl ReportStore for Database {
    fn report(
        &self,
        org: &OrgId,
        report: &ReportId,
        variant: Variant,
    ) -> Result<Option<StoredReport>, StoreError> {
        // Three queries see one state: a report is written at once and never changes.
        Ok(self.read(|connection| read::report(connection, org, report, variant))?)
    }
}
