//! Reports: written when a run completes, and read in the shape of a variant.

pub(crate) mod causes;
mod changes;
pub(crate) mod folders;
mod issues;
mod json;
mod json_measurement;
pub(crate) mod links;
pub(crate) mod occurrences;
mod page_filter;
mod page_findings;
pub(crate) mod page_orders;
pub(crate) mod page_rows;
mod page_scores;
mod pages;
mod read;
mod source;
mod state;
mod waivers;
pub(crate) mod write;
pub(crate) mod written;

use domain::id::{IssueId, OrgId, ReportId};
use domain::ports::{
    CausePage, LinkPage, OccurrencePage, PageDifference, PageReport, RedirectPage, ReportDetail,
    ReportStore, StoreError, StoredReport, VisitPage,
};
use domain::report::{
    CauseCursor, Folder, LinkCursor, LinkKind, OccurrenceCursor, PageCursor, PageListing,
    RedirectCursor, Variant,
};

pub(crate) use json_measurement::measurement_of;
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
        listing: &PageListing,
        after: Option<PageCursor>,
        limit: u32,
    ) -> Result<Option<VisitPage>, StoreError> {
        Ok(self.read(|connection| pages::page(connection, org, report, listing, after, limit))?)
    }

    fn page_of_report(
        &self,
        org: &OrgId,
        report: &ReportId,
        url: &str,
        variant: Variant,
    ) -> Result<Option<PageReport>, StoreError> {
        Ok(self.read(|connection| page_findings::load(connection, org, report, url, variant))?)
    }

    fn folders(&self, org: &OrgId, report: &ReportId) -> Result<Option<Vec<Folder>>, StoreError> {
        Ok(self.read(|connection| folders::load(connection, org, report))?)
    }

    fn links(
        &self,
        org: &OrgId,
        report: &ReportId,
        kind: Option<LinkKind>,
        after: Option<LinkCursor>,
        limit: u32,
    ) -> Result<Option<LinkPage>, StoreError> {
        Ok(self.read(|connection| links::page(connection, org, report, kind, after, limit))?)
    }

    fn redirects(
        &self,
        org: &OrgId,
        report: &ReportId,
        after: Option<RedirectCursor>,
        limit: u32,
    ) -> Result<Option<RedirectPage>, StoreError> {
        Ok(self.read(|connection| links::chains(connection, org, report, after, limit))?)
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
