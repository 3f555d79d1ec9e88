//! The report on one audit.

mod format;

pub use format::{ReportFormat, RequestedFormat};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::dimension::{Dimension, PerDimension};
use crate::scoring::Scoring;

/// The report on one audit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Id of the report; `null` for an audit without a server.
    pub report_id: Option<String>,
    /// The run that made it; `null` for an audit without a server.
    pub run_id: Option<String>,
    /// The site it is about; `null` for an audit without a server.
    pub site_id: Option<String>,
    /// The start page that was audited, after redirects.
    pub url: String,
    /// When it was made, RFC 3339 in UTC.
    pub created_at: String,
    /// Which dimensions it speaks of.
    pub variant: Variant,
    /// The weighted mean of the subscores, 0 to 100.
    pub overall_score: u8,
    /// One score of 0 to 100 for each dimension.
    pub subscores: PerDimension<u8>,
    /// What to know first, in words.
    pub summaries: Summaries,
    /// What was found: one issue for each check, those that gain most first.
    pub issues: Vec<Issue>,
    /// What could not be judged, and why.
    pub unjudged: Vec<Unjudged>,
    /// How much of the site was seen.
    pub coverage: Coverage,
    /// The sums behind the scores.
    pub scoring: Scoring,
}

/// A link to a report as PDF.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PdfUrl {
    /// The absolute address of the PDF. It needs no key, so whoever has it can read the report.
    #[schema(format = "uri")]
    pub url: String,
    /// When it stops working, RFC 3339 in UTC: five minutes after it was made.
    pub expires_at: String,
}

/// A report, or what was asked for in its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum ReportAnswer {
    /// The report.
    Report(Box<Report>),
    /// With `format=pdf_url`.
    PdfUrl(PdfUrl),
}

/// Which dimensions a report speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Variant {
    /// All six.
    Current,
    /// All but AI readiness.
    Legacy,
}

/// A text on the whole and one on each dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summaries {
    /// What hurts the site most, and what to do first.
    pub overall: String,
    /// The same for each dimension.
    #[serde(flatten)]
    pub dimensions: PerDimension<String>,
}

/// What a check found, with its causes: one thing to fix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Issue {
    /// Id of the issue in this report.
    pub issue_id: String,
    /// The check that found it; a report has at most one issue of a check.
    pub check_id: String,
    /// The dimension it counts in.
    pub dimension: Dimension,
    /// How much it hurts.
    pub severity: Severity,
    /// How sure the check is.
    pub confidence: Confidence,
    /// What was found, as a headline.
    pub title: String,
    /// Where and how often it was found, and why it matters.
    pub description: String,
    /// How to fix it.
    pub recommendation: String,
    /// How many pages it was found on.
    pub affected_pages: u64,
    /// How often it was found, whatever the number kept.
    pub occurrences_total: u64,
    /// How many different causes it has, whatever the number kept.
    pub causes_total: u64,
    /// The largest causes, at most 20. `GET /reports/{reportId}/issues/{issueId}/causes` lists all
    /// that are kept.
    pub causes: Vec<Cause>,
    /// The points the overall score gains if this issue alone is fixed.
    pub score_impact: f64,
    /// Whether the site's report before has it: `new` or `persisting`; `null` on the site's first
    /// report.
    pub state: Option<IssueState>,
    /// How many of its occurrences were accepted.
    pub waived: u64,
    /// Where the check is documented.
    pub help_url: String,
    /// Standards and sources.
    pub references: Vec<String>,
    /// The action item it belongs to; `null` where it makes none, and in the legacy variant.
    pub action_id: Option<String>,
}

/// One of the causes of an issue: a broken address, a cookie, a template's element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// The same for this check and cause in every report on the site.
    pub fingerprint: String,
    /// What was found, as a headline.
    pub message: String,
    /// How many pages it was found on.
    pub affected_pages: u64,
    /// How often it was found, whatever the number kept.
    pub occurrences_total: u64,
    /// The points the overall score gains if this cause alone is fixed.
    pub score_impact: f64,
    /// Whether the site's report before has it; `null` where that is not known.
    pub state: Option<IssueState>,
    /// The first occurrences, at most 5.
    pub occurrences: Vec<Occurrence>,
}

/// What became of an issue or a cause since the site's report before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueState {
    /// The report before does not have it.
    New,
    /// The report before has it as well.
    Persisting,
}

/// A check that gave no verdict, or looked at a part only. A missing finding never means "correct".
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Unjudged {
    /// The check.
    pub check_id: String,
    /// Why, in one sentence.
    pub reason: String,
    /// How many pages, resources or elements it concerns.
    pub count: u64,
}

/// How much an issue hurts the people who use the site. Worst first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Something does not work, or is open to attack.
    Critical,
    /// Many people are hindered.
    Serious,
    /// Some people are hindered, or quality is lost.
    Moderate,
    /// A blemish.
    Minor,
    /// Worth knowing; never part of a score and never an action item.
    Info,
}

/// How sure a check is of what it reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Confidence {
    /// Follows from the standard or the answer itself.
    High,
    /// A heuristic that is right in most cases.
    Medium,
    /// A hint to look at.
    Low,
}

/// A page of the list of an issue's causes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CauseList {
    /// The causes, largest first, each with its first occurrences.
    pub causes: Vec<Cause>,
    /// How many there are on the site.
    pub causes_total: u64,
    /// How many of them are kept, and so in this list: at most 1,000.
    pub causes_stored: u64,
    /// How often the issue was found on the site.
    pub occurrences_total: u64,
    /// How many of its occurrences are kept: at most 1,000.
    pub occurrences_stored: u64,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// A page of the list of the occurrences of an issue, or of one of its causes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OccurrenceList {
    /// The occurrences, in the order of the report.
    pub occurrences: Vec<Occurrence>,
    /// How many there are on the site.
    pub occurrences_total: u64,
    /// How many of them are kept, and so in this list: at most 1,000.
    pub occurrences_stored: u64,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// One place where an issue was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Occurrence {
    /// The page or file.
    pub url: String,
    /// A CSS selector that finds the element.
    pub selector: Option<String>,
    /// An excerpt.
    pub snippet: Option<String>,
    /// Line in the source, from 1.
    pub line: Option<u32>,
    /// What is wrong here.
    pub message: String,
    /// The picture that shows it; `null` where there is none.
    pub artifact_id: Option<String>,
}

/// A page of the list of the pages of a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageList {
    /// What the run asked the site for, in the order of the crawl.
    pub pages: Vec<Page>,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// An address of the site, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The address.
    pub url: String,
    /// The status it answered; `null` where it did not answer.
    pub status: Option<u16>,
    /// Clicks from the start page; `null` where only a sitemap led here, or it is not known.
    pub depth: Option<u32>,
    /// Its title, where it was read.
    pub title: Option<String>,
    /// Bytes of its decoded body, where it was read.
    pub bytes: Option<u64>,
    /// In how many issues of the report it occurs.
    pub issue_count: u32,
}

/// What is different in a report, seen from another one on the same site.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportDiff {
    /// Id of the report.
    pub report_id: String,
    /// Id of the report it is compared with.
    pub against: String,
    /// The overall score less that of the other: positive where the site became better.
    pub score_change: i16,
    /// The same for each dimension.
    pub subscore_changes: PerDimension<i16>,
    /// Issues with the causes that the other report does not have, and with these alone.
    pub new: Vec<Issue>,
    /// Issues with the causes that the other report alone has, as they stand there.
    pub fixed: Vec<Issue>,
    /// Issues with the causes that both have, as they stand in this report.
    pub persisting: Vec<Issue>,
    /// Whether the two were made with different versions of the catalogue. What is new or fixed then
    /// may be so because the checks changed, and not the site.
    pub catalogue_version_changed: bool,
}

/// How much of the site was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// How the pages were read.
    pub mode: CrawlMode,
    /// Whether every page found was seen.
    pub complete: bool,
    /// What ended the crawl early; `null` where nothing did.
    pub stopped_by: Option<StoppedBy>,
    /// Addresses of pages found.
    pub pages_discovered: u64,
    /// Pages requested and answered.
    pub pages_fetched: u64,
    /// Pages judged.
    pub pages_audited: u64,
    /// Requests sent, for pages and all else.
    pub requests: u64,
    /// Addresses not requested, by reason.
    pub skipped: Vec<Skipped>,
}

/// How the pages were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CrawlMode {
    /// As the server sent them.
    Static,
    /// In a browser, after their scripts ran.
    Rendered,
}

/// What ended a crawl before the site did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// The highest number of pages was reached.
    PageCap,
    /// Further pages are more clicks away than the crawl may go.
    Depth,
    /// The time for the crawl ran out.
    Deadline,
    /// Somebody cancelled the run.
    Cancelled,
}

/// Addresses that were not requested for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Why.
    pub reason: String,
    /// How many.
    pub count: u64,
}

#[cfg(test)]
mod tests;
