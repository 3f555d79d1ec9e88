//! Where reports are looked up. They are written by [`JobQueue::complete`].
//!
//! [`JobQueue::complete`]: super::JobQueue::complete

use super::StoreError;
use crate::Severity;
use crate::id::{IssueId, OrgId, ReportId};
use crate::report::{
    CauseCursor, Folder, IssueCause, KeptCount, LinkCursor, LinkKind, LinkTarget, Occurrence,
    OccurrenceCursor, PageCursor, PageListing, PageVisit, RedirectChain, RedirectCursor,
    StoredReport, Variant,
};

/// How much of the causes and occurrences of a report is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportDetail {
    /// The issues without their causes: for pages about scores.
    Issues,
    /// The largest [`GLANCE_CAUSES`] causes of each issue, each with its first [`GLANCE_OCCURRENCES`] occurrences: what
    /// a page shows of a report.
    ///
    /// [`GLANCE_CAUSES`]: crate::report::GLANCE_CAUSES
    /// [`GLANCE_OCCURRENCES`]: crate::report::GLANCE_OCCURRENCES
    Glance,
    /// The largest [`INLINE_CAUSES`] causes of each issue, each with its first
    /// [`INLINE_OCCURRENCES`] occurrences: what comes with a report.
    ///
    /// [`INLINE_CAUSES`]: crate::report::INLINE_CAUSES
    /// [`INLINE_OCCURRENCES`]: crate::report::INLINE_OCCURRENCES
    Inline,
    /// All that is kept: at most [`MAX_EVIDENCE_BYTES`] of text. For exports and comparisons.
    ///
    /// [`MAX_EVIDENCE_BYTES`]: crate::report::MAX_EVIDENCE_BYTES
    Whole,
}

/// A page of the list of an issue's causes.
#[derive(Debug, Clone, PartialEq)]
pub struct CausePage {
    /// The causes, largest first, each with its first occurrences.
    pub causes: Vec<IssueCause>,
    /// How many there are on the site.
    pub total: u64,
    /// How many of them are kept, and so in the list.
    pub stored: u64,
    /// How often the issue occurs on the site.
    pub occurrences_total: u64,
    /// How many of its occurrences are kept.
    pub occurrences_stored: u64,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<CauseCursor>,
}

/// A page of the list of an issue's occurrences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccurrencePage {
    /// The occurrences, in the order of the report.
    pub occurrences: Vec<Occurrence>,
    /// How many there are on the site.
    pub total: u64,
    /// How many of them are kept, and so in the list.
    pub stored: u64,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<OccurrenceCursor>,
}

/// A page of the list of the pages of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitPage {
    /// What the run asked for, in the order that was asked for.
    pub visits: Vec<PageVisit>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<PageCursor>,
}

/// Audited pages that one of two reports has and the other does not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageDifference {
    /// Those of the report that the other does not have.
    pub added: DifferentPages,
    /// Those of the other that the report does not have.
    pub removed: DifferentPages,
}

/// Some pages, and how many there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DifferentPages {
    /// How many there are.
    pub total: u64,
    /// The addresses of the first, in the order of the crawl.
    pub urls: Vec<String>,
}

/// Findings of one page that are read, at most.
pub const MAX_PAGE_FINDINGS: u32 = 500;

/// Something that was found on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFinding {
    /// The issue it belongs to.
    pub issue_id: IssueId,
    /// The check that found it.
    pub check_id: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The title of the issue.
    pub title: String,
    /// Where it is.
    pub occurrence: Occurrence,
}

/// A page with what was found on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageReport {
    /// What became of the page.
    pub visit: PageVisit,
    /// The stored occurrences on it, at most [`MAX_PAGE_FINDINGS`]: those of the whole page first, then in source order.
    pub findings: Vec<PageFinding>,
    /// Whether more are stored.
    pub is_cut: bool,
}

/// A page of the list of the link targets of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPage {
    /// The targets, each with the URLs of the first pages that link to it.
    pub links: Vec<(LinkTarget, Vec<String>)>,
    /// How many there are of the kind that was asked for; none in reports of earlier versions.
    pub count: Option<KeptCount>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<LinkCursor>,
}

/// A page of the list of the redirect chains of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectPage {
    /// The chains.
    pub chains: Vec<RedirectChain>,
    /// How many there are; none in reports of earlier versions.
    pub count: Option<KeptCount>,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<RedirectCursor>,
}

/// Where reports are looked up.
pub trait ReportStore: Send + Sync {
    /// One report, in the shape of a variant.
    ///
    /// # Errors
    /// When the database fails.
    fn report(
        &self,
        org: &OrgId,
        report: &ReportId,
        variant: Variant,
        detail: ReportDetail,
    ) -> Result<Option<StoredReport>, StoreError>;

    /// A report with one of its issues alone, which comes without its causes. None where the report has
    /// no such issue, or the variant does not show it.
    ///
    /// # Errors
    /// When the database fails.
    fn report_of_issue(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
    ) -> Result<Option<StoredReport>, StoreError>;

    /// The causes of an issue, at most `limit`, from behind a cursor on. None where the report has
    /// no such issue, or the variant does not show it.
    ///
    /// # Errors
    /// When the database fails.
    fn causes(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
        after: Option<CauseCursor>,
        limit: u32,
    ) -> Result<Option<CausePage>, StoreError>;

    /// The occurrences of an issue, or of that of its causes whose fingerprint is given, at most
    /// `limit`, from behind a cursor on, in the order of the causes. None where the report has no
    /// such issue or cause, or the variant does not show it.
    ///
    /// # Errors
    /// When the database fails.
    fn occurrences(
        &self,
        org: &OrgId,
        issue: (&ReportId, &IssueId),
        variant: Variant,
        cause: Option<&str>,
        after: Option<OccurrenceCursor>,
        limit: u32,
    ) -> Result<Option<OccurrencePage>, StoreError>;

    /// The pages of a report that a list shows, at most `limit`, from behind a cursor of that list on. None where
    /// there is no such report, or it has no issue that the list asks for.
    ///
    /// A list without a filter reads the pages that it returns. A filter reads the rows of the report's pages.
    ///
    /// # Errors
    /// When the database fails.
    fn pages(
        &self,
        org: &OrgId,
        report: &ReportId,
        listing: &PageListing,
        after: Option<PageCursor>,
        limit: u32,
    ) -> Result<Option<VisitPage>, StoreError>;

    /// The audited pages that one of two reports has and the other does not, at most `most` addresses of each. None
    /// where the organization has not both. It reads the addresses of both reports.
    ///
    /// # Errors
    /// When the database fails.
    fn page_difference(
        &self,
        org: &OrgId,
        report: &ReportId,
        against: &ReportId,
        most: usize,
    ) -> Result<Option<PageDifference>, StoreError>;

    /// A page of a report with what a variant shows of what was found on it. None where there is no such report, or it
    /// has no page of this URL.
    ///
    /// # Errors
    /// When the database fails.
    fn page_of_report(
        &self,
        org: &OrgId,
        report: &ReportId,
        url: &str,
        variant: Variant,
    ) -> Result<Option<PageReport>, StoreError>;

    /// The folders of a report, in the order of a tree; empty in reports of earlier versions. None where there is no such
    /// report.
    ///
    /// # Errors
    /// When the database fails.
    fn folders(&self, org: &OrgId, report: &ReportId) -> Result<Option<Vec<Folder>>, StoreError>;

    /// The link targets of a report, or those of a kind, at most `limit`, from behind a cursor on. None where there is
    /// no such report.
    ///
    /// # Errors
    /// When the database fails.
    fn links(
        &self,
        org: &OrgId,
        report: &ReportId,
        kind: Option<LinkKind>,
        after: Option<LinkCursor>,
        limit: u32,
    ) -> Result<Option<LinkPage>, StoreError>;

    /// The redirect chains of a report, at most `limit`, from behind a cursor on. None where there is no such report.
    ///
    /// # Errors
    /// When the database fails.
    fn redirects(
        &self,
        org: &OrgId,
        report: &ReportId,
        after: Option<RedirectCursor>,
        limit: u32,
    ) -> Result<Option<RedirectPage>, StoreError>;

    /// The organization a report belongs to; for signed links alone, which are judged by it and do
    /// not name it.
    ///
    /// # Errors
    /// When the database fails.
    fn org_of_report(&self, report: &ReportId) -> Result<Option<OrgId>, StoreError>;
}
