//! Reports: written when a run completes, and read back in the shape of a variant.

mod issues;
mod json;
pub(crate) mod occurrences;
pub(crate) mod pages;
mod read;
pub(crate) mod write;

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{OccurrencePage, ReportStore, StoreError, StoredReport, VisitPage};
use domain::report::{OccurrenceCursor, PageCursor, Variant};

pub(crate) use read::issues_of_check;

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

    fn occurrences(
        &self,
        org: &OrgId,
        (report, issue): (&ReportId, &IssueId),
        variant: Variant,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Result<Option<OccurrencePage>, StoreError> {
        Ok(self.read(|connection| {
            let found = read::place_of(connection, org, report, issue, variant)?;
            found
                .map(|place| occurrences::page(connection, &place, after, limit))
                .transpose()
        })?)
    }

    fn pages(
        &self,
        org: &OrgId,
        report: &ReportId,
        after: Option<PageCursor>,
        limit: u32,
    ) -> Result<Option<VisitPage>, StoreError> {
        Ok(self.read(|connection| pages::page(connection, org, report, after, limit))?)
    }

    fn org_of_report(&self, report: &ReportId) -> Result<Option<OrgId>, StoreError> {
        Ok(self.read(|connection| read::org_of(connection, report))?)
    }
}
