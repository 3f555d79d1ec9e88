//! Reports: written when a run completes, and read in the shape of a variant.

pub(crate) mod causes;
mod changes;
mod issues;
mod json;
pub(crate) mod occurrences;
mod page_scores;
pub(crate) mod pages;
mod read;
mod source;
mod state;
mod waivers;
pub(crate) mod write;
pub(crate) mod written;

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{
    CausePage, OccurrencePage, PageDifference, ReportDetail, ReportStore, StoreError, StoredReport,
    VisitPage,
};
use domain::report::{CauseCursor, OccurrenceCursor, PageCursor, Variant};

pub(crate) use read::issue_of_check;

use self::source::{ListedIssue, Source};

use crate::database::Database;

impl ReportStore for Database {
    fn report(
        &self,
        org: &OrgId,
        report: &ReportId,
        variant: Variant,
        detail: ReportDetail,
    ) -> Result<Option<StoredReport>, StoreError> {
        // All queries see the same state: a report is written in one transaction and never changes.
        Ok(self.read(|connection| read::report(connection, org, report, variant, detail))?)
    }

    fn report_of_issue(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
    ) -> Result<Option<StoredReport>, StoreError> {
        Ok(self.read(|connection| read::report_of_issue(connection, org, issue, variant))?)
    }

    fn causes(
        &self,
        org: &OrgId,
        (report, issue): (&ReportId, &IssueId),
        variant: Variant,
        after: Option<CauseCursor>,
        limit: u32,
    ) -> Result<Option<CausePage>, StoreError> {
        Ok(self.read(|connection| {
            let found = ListedIssue::find(connection, org, report, issue, variant)?;
            found
                .map(|issue| causes::page(connection, &issue, variant, after, limit))
                .transpose()
        })?)
    }

    fn occurrences(
        &self,
        org: &OrgId,
        (report, issue): (&ReportId, &IssueId),
        variant: Variant,
        cause: Option<&str>,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Result<Option<OccurrencePage>, StoreError> {
        Ok(self.read(|connection| {
            match ListedIssue::find(connection, org, report, issue, variant)? {
                Some(issue) => occurrences::page(connection, &issue, cause, after, limit),
                None => Ok(None),
            }
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

    fn page_difference(
        &self,
        org: &OrgId,
        report: &ReportId,
        against: &ReportId,
        most: usize,
    ) -> Result<Option<PageDifference>, StoreError> {
        Ok(self.read(|connection| {
            let sources = (
                Source::of_report(connection, org, report)?,
                Source::of_report(connection, org, against)?,
            );
            match sources {
                (Some(now), Some(before)) => {
                    changes::page_difference(connection, (&now, &before), most).map(Some)
                }
                _ => Ok(None),
            }
        })?)
    }

    fn org_of_report(&self, report: &ReportId) -> Result<Option<OrgId>, StoreError> {
        Ok(self.read(|connection| read::org_of(connection, report))?)
    }
}
