//! The report of an audit.

mod format;
mod lab;
mod links;

pub use format::{ReportFormat, RequestedFormat};
pub use lab::{
    LabChange, LabChangeKind, LabMetric, LabPage, LabPageDiff, LabProfile, LabRange, LabSpread,
};
pub use links::{
    Link, LinkKind, LinkList, LinkVerdict, ListFormat, RedirectChain, RedirectHop, RedirectList,
};

pub use crate::severity::Severity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::{Dimension, PerDimension};
use crate::scoring::Scoring;
use crate::waiver::AppliedWaiver;

/// The report of an audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Id of the report; `null` for a local audit.
    pub report_id: Option<String>,
    /// The run of the report; `null` for a local audit.
    pub run_id: Option<String>,
    /// The site of the report; `null` for a local audit.
    pub site_id: Option<String>,
    /// The URL of the start page after redirects.
    pub url: String,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// The variant, which determines the dimensions.
    pub variant: Variant,
    /// The weighted harmonic mean of the subscores, 0 to 100.
    pub overall_score: u8,
    /// The score of each dimension, 0 to 100.
    pub subscores: PerDimension<u8>,
    /// Summaries in plain text.
    pub summaries: Summaries,
    /// The issues, one per check, ordered by score impact, largest first.
    pub issues: Vec<Issue>,
    /// The checks that could not be fully evaluated, and why.
    pub unjudged: Vec<Unjudged>,
    /// The waivers of the audit, also those that accepted nothing and those that have expired.
    #[serde(default)]
    pub waivers: Vec<AppliedWaiver>,
    /// What changed since the site's previous report; `null` for the first report of a site, and for reports without a
    /// server.
    #[serde(default)]
    pub changes: Option<Changes>,
    /// The coverage: how much of the site was audited.
    pub coverage: Coverage,
    /// The calculation of the scores.
    pub scoring: Scoring,
    /// The pages that a browser measured; none without a browser.
    #[serde(default)]
    pub lab: Vec<LabPage>,
}

/// A link to a report as PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PdfUrl {
    /// The absolute URL of the PDF. It needs no key: everyone who has it can read the report.
    #[schema(format = "uri")]
    pub url: String,
    /// When the link expires, RFC 3339 in UTC: five minutes after its creation.
    pub expires_at: String,
}

/// A report, or a link to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ReportAnswer {
    /// The report.
    Report(Box<Report>),
    /// The link, with `format=pdf_url`.
    PdfUrl(PdfUrl),
}

/// The variant of a report, which determines its dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Variant {
    /// All six dimensions.
    Current,
    /// All dimensions except AI readiness.
    Legacy,
}

/// A summary of the whole site and one of each dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summaries {
    /// The most important issues and what to fix first.
    pub overall: String,
    /// The same for each dimension.
    #[serde(flatten)]
    pub dimensions: PerDimension<String>,
}

/// The findings of one check, grouped by cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Id of the issue in this report.
    pub issue_id: String,
    /// The check; a report has at most one issue per check.
    pub check_id: String,
    /// The dimension of the check.
    pub dimension: Dimension,
    /// The severity.
    pub severity: Severity,
    /// The confidence of the check in its findings.
    pub confidence: Confidence,
    /// The title: what was found.
    pub title: String,
    /// Where and how often the issue occurs, and why it matters.
    pub description: String,
    /// How to fix it.
    pub recommendation: String,
    /// The number of affected pages.
    pub affected_pages: u64,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// The total number of causes, including those that are not stored.
    pub causes_total: u64,
    /// The largest causes, at most 20. `list_causes` lists all stored causes.
    pub causes: Vec<Cause>,
    /// The points the overall score gains if only this issue is fixed.
    pub score_impact: f64,
    /// The state compared to the site's previous report: `new` or `persisting`; `null` in the site's first
    /// report.
    pub state: Option<IssueState>,
    /// The number of occurrences that a waiver accepts. They cost no points and fail no gate.
    pub waived: u64,
    /// The URL of the documentation of the check.
    pub help_url: String,
    /// References to standards and sources.
    pub references: Vec<String>,
    /// The action item of the issue; `null` if it has none, and in the legacy variant.
    pub action_id: Option<String>,
}

/// A cause of an issue, such as a broken URL, a cookie or a template element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// The fingerprint, which is the same for this check and cause in every report of the site.
    pub fingerprint: String,
    /// The title: what was found.
    pub message: String,
    /// The number of affected pages.
    pub affected_pages: u64,
    /// The total number of occurrences, including those that are not stored.
    pub occurrences_total: u64,
    /// The number of occurrences that a waiver accepts.
    #[serde(default)]
    pub waived: u64,
    /// The points the overall score gains if only this cause is fixed.
    pub score_impact: f64,
    /// The state compared to the site's previous report; `null` if unknown.
    pub state: Option<IssueState>,
    /// The first occurrences, at most 5.
    pub occurrences: Vec<Occurrence>,
}

/// The state of an issue or a cause compared to the site's previous report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueState {
    /// Not in the previous report.
    New,
    /// Also in the previous report.
    Persisting,
}

/// A check without a complete result. A missing finding does not mean that the site passes the check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unjudged {
    /// The check.
    pub check_id: String,
    /// The reason, in one sentence.
    pub reason: String,
    /// The number of pages, resources or elements that were not evaluated.
    pub count: u64,
}

/// The confidence of a check in its findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Confidence {
    /// The finding follows directly from the standard or the response.
    High,
    /// A heuristic that is correct in most cases.
    Medium,
    /// A hint that needs manual review.
    Low,
}

/// A page of the list of an issue's causes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CauseList {
    /// The causes, largest first, each with its first occurrences.
    pub causes: Vec<Cause>,
    /// The total number on the site.
    pub causes_total: u64,
    /// The number that is stored and listed here: at most 1,000.
    pub causes_stored: u64,
    /// The total number of occurrences of the issue.
    pub occurrences_total: u64,
    /// The number of stored occurrences: at most 1,000.
    pub occurrences_stored: u64,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// A page of the list of the occurrences of an issue, or of one of its causes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OccurrenceList {
    /// The occurrences, in the order of the report.
    pub occurrences: Vec<Occurrence>,
    /// The total number on the site.
    pub occurrences_total: u64,
    /// The number that is stored and listed here: at most 1,000.
    pub occurrences_stored: u64,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// An occurrence of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// The URL of the page or resource.
    pub url: String,
    /// A CSS selector for the element.
    pub selector: Option<String>,
    /// An excerpt of the source.
    pub snippet: Option<String>,
    /// The line in the source, starting at 1.
    pub line: Option<u32>,
    /// A description of the finding.
    pub message: String,
    /// The id of a picture of it among the pictures of the report; `null` if there is none.
    pub artifact_id: Option<String>,
    /// The id of the waiver that accepts it; `null` if none does. The report's `waivers` has the waiver.
    #[serde(default)]
    pub waiver_id: Option<String>,
}

/// A page of the list of the pages of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageList {
    /// The URLs that the run requested, in the order of `sort`.
    pub pages: Vec<Page>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// A requested URL of the site and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The URL.
    pub url: String,
    /// The HTTP status code; `null` without a response.
    pub status: Option<u16>,
    /// The number of clicks from the start page; `null` if unknown or found only in a sitemap.
    pub depth: Option<u32>,
    /// The title of the page, if it was parsed.
    pub title: Option<String>,
    /// The meta description of the page.
    pub description: Option<String>,
    /// The text of the first `h1` element that has text.
    pub h1: Option<String>,
    /// The first canonical URL that the page or its headers declare.
    pub canonical: Option<String>,
    /// Whether search engines may index the page: no `noindex` and no canonical URL of another page, except for
    /// mistakes that an issue reports. `null` if it is not a page.
    pub indexable: Option<bool>,
    /// The `lang` attribute of the root element.
    pub language: Option<String>,
    /// The number of words of the main text.
    pub words: Option<u32>,
    /// The size of the decoded body in bytes, if it was read.
    pub bytes: Option<u64>,
    /// The size of the body over the wire in bytes, if it was read.
    pub transfer_bytes: Option<u64>,
    /// The time until the first byte of the response in milliseconds.
    pub response_ms: Option<u32>,
    /// The number of other pages that link to the URL, directly or through redirects; of a URL that redirects,
    /// those that link to itself. `null` if the links of some pages are not stored.
    pub links_in: Option<u32>,
    /// The number of URLs that the page links to.
    pub links_out: Option<u32>,
    /// The number of issues of the report that occur on the page.
    pub issue_count: u32,
    /// The page's score in each dimension, 0 to 100 with at most seven decimals; `null` where it does not count as a
    /// page, and in reports of scoring version 1.
    pub scores: PerDimension<Option<f64>>,
}

/// The changes since the site's previous report, in numbers. `compare_reports` lists them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Changes {
    /// Id of the previous report.
    pub against: String,
    /// The overall score minus that of the previous report: positive if the site improved.
    pub score_change: i16,
    /// The same for each dimension.
    pub subscore_changes: PerDimension<i16>,
    /// Whether the scores come from different scoring models. Then the changes of scores say nothing about the site.
    pub scoring_version_changed: bool,
    /// The number of checks that have an issue in this report and had none in the previous one.
    pub new_issues: u64,
    /// The number of checks that had an issue in the previous report and have none in this one.
    pub fixed_issues: u64,
    /// The number of audited pages that were not audited for the previous report.
    pub new_pages: u64,
    /// The number of pages that were audited for the previous report, but not for this one.
    pub gone_pages: u64,
}

/// The differences between a report and another report of the same site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportDiff {
    /// Id of the report.
    pub report_id: String,
    /// Id of the report to which it is compared.
    pub against: String,
    /// The overall score minus that of the other report: positive if the site improved.
    pub score_change: i16,
    /// The same for each dimension.
    pub subscore_changes: PerDimension<i16>,
    /// Issues with causes that are only in this report; other causes are omitted.
    pub new: Vec<Issue>,
    /// Issues with causes that are only in the other report, with the data of that report.
    pub fixed: Vec<Issue>,
    /// Issues with causes that are in both reports, with the data of this report.
    pub persisting: Vec<Issue>,
    /// Whether the reports use different versions of the catalogue. Then issues may be new or fixed because
    /// checks changed, not the site.
    pub catalogue_version_changed: bool,
    /// Whether the scores come from different scoring models. Then the changes of scores say nothing about the site.
    #[serde(default)]
    pub scoring_version_changed: bool,
    /// The pages that a browser measured for both reports, with what their values say.
    #[serde(default)]
    pub lab: Vec<LabPageDiff>,
    /// Whether the performance score changed only because of measured values that are within the spread of the
    /// measurement. Then the change may be noise.
    #[serde(default)]
    pub performance_is_noise: bool,
}

/// The coverage: how much of the site was audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// How the pages were loaded.
    pub mode: CrawlMode,
    /// Whether every discovered page was audited.
    pub complete: bool,
    /// Why the crawl stopped early; `null` if it did not.
    pub stopped_by: Option<StoppedBy>,
    /// The number of discovered URLs of the site.
    pub pages_discovered: u64,
    /// The number of requested URLs of the site.
    pub pages_fetched: u64,
    /// The number of audited pages.
    pub pages_audited: u64,
    /// The number of audited pages that a browser rendered. The others were judged as the server sent them.
    #[serde(default)]
    pub pages_rendered: u64,
    /// The number of pages that a browser measured, see `lab`.
    #[serde(default)]
    pub pages_measured: u64,
    /// The number of requests for pages and all other URLs.
    pub requests: u64,
    /// URLs that were not requested, by reason.
    pub skipped: Vec<Skipped>,
}

/// How the pages were loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CrawlMode {
    /// The HTML as the server sent it, without running scripts.
    Static,
    /// Rendered in a browser, after scripts ran.
    Rendered,
}

/// Why a crawl stopped early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The maximum number of pages was reached.
    PageCap,
    /// The remaining pages are deeper than the maximum depth.
    Depth,
    /// The time limit of the crawl was reached.
    Deadline,
    /// The run was cancelled.
    Cancelled,
}

/// The number of URLs that were not requested for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// The reason.
    pub reason: String,
    /// The number of URLs.
    pub count: u64,
}

#[cfg(test)]
mod tests;
