//! Runs: queued, running and ended audits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One audit of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Id of the run.
    pub run_id: String,
    /// The status. Poll every few seconds until it is `completed`, `failed` or `cancelled`.
    pub status: RunStatus,
    /// The start URL as requested.
    pub url: String,
    /// The site of the run.
    pub site_id: String,
    /// The report; set exactly if `status` is `completed`.
    pub report_id: Option<String>,
    /// What started the run.
    pub trigger: Trigger,
    /// The options of the run, including defaults.
    pub options: RunOptions,
    /// The progress.
    pub progress: RunProgress,
    /// Why the run failed; set exactly if `status` is `failed`.
    pub error: Option<RunError>,
    /// When the run was created, RFC 3339 in UTC.
    pub created_at: String,
    /// When a worker first started the run, RFC 3339 in UTC.
    pub started_at: Option<String>,
    /// When the run ended, RFC 3339 in UTC.
    pub finished_at: Option<String>,
}

/// A page of a list of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunList {
    /// The runs, newest first.
    pub runs: Vec<Run>,
    /// The `cursor` of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

/// The status of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Waiting for a worker.
    Queued,
    /// A worker is processing it, or will resume it.
    Running,
    /// Ended with a report.
    Completed,
    /// Ended without a report; `error` has the reason.
    Failed,
    /// Cancelled.
    Cancelled,
}

/// What started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A request to this API.
    Api,
    /// The schedule of its site.
    Schedule,
    /// A person in the dashboard.
    Dashboard,
}

/// The options of a run, including defaults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunOptions {
    /// The maximum number of audited pages.
    pub max_pages: u32,
    /// The maximum depth in clicks from the start page, which has depth 0; `null` for no limit.
    pub max_depth: Option<u32>,
    /// How pages are loaded.
    pub mode: Mode,
    /// Only the start page and pages that match one of these patterns are audited; empty for all
    /// pages.
    pub include: Vec<String>,
    /// Pages that match one of these patterns are excluded.
    pub exclude: Vec<String>,
    /// The device that the browser emulates.
    pub device: Device,
    /// The names of the additional request headers with hidden values; `null` for none.
    pub headers: Option<BTreeMap<String, String>>,
    /// The requested user agent, if it is not the server's default.
    pub user_agent: Option<String>,
    /// Whether the crawler respects robots.txt.
    pub respect_robots: bool,
}

/// How pages are loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// `rendered` if a browser is available, otherwise `static`.
    Auto,
    /// The HTML as the server sends it, without running scripts.
    Static,
    /// Rendered in a browser.
    Rendered,
}

/// The device that the browser emulates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// A phone.
    Mobile,
    /// A desktop computer.
    Desktop,
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunProgress {
    /// The current phase.
    pub phase: RunPhase,
    /// The number of URLs of the site discovered so far.
    pub pages_discovered: u64,
    /// The number of URLs of the site requested so far.
    pub pages_fetched: u64,
    /// The number of pages audited so far.
    pub pages_audited: u64,
    /// The number of audited pages that a browser rendered so far.
    #[serde(default)]
    pub pages_rendered: u64,
    /// The number of pages that a browser measured so far; `null` before it begins to measure, which it does after the
    /// crawl.
    #[serde(default)]
    pub pages_measured: Option<u64>,
    /// An estimate of the seconds that the phase `rendering` still takes; `null` if it is not known, and in other phases.
    #[serde(default)]
    pub seconds_left: Option<u64>,
    /// An estimate of the progress, 0 to 100.
    #[schema(maximum = 100)]
    pub percent: u8,
}

/// The phase of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunPhase {
    /// Waiting for a worker.
    Queued,
    /// Fetching robots.txt, the start page and sitemaps.
    Discovering,
    /// Crawling pages.
    Crawling,
    /// Crawling pages that a browser renders, or measuring pages in a browser after the crawl.
    Rendering,
    /// Running the checks of the whole site and computing scores.
    Scoring,
    /// The run has ended.
    Done,
}

/// Why a run has no report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunError {
    /// The reason, from a closed list.
    pub code: FailureCode,
    /// One or two sentences for the person who started the run.
    pub message: String,
}

/// The reasons why a run fails; a closed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The host name does not resolve.
    DnsFailure,
    /// The connection was refused.
    ConnectionRefused,
    /// The TLS handshake or the certificate failed.
    TlsError,
    /// The site did not respond before a timeout.
    Timeout,
    /// The start page returned an error status code.
    HttpError,
    /// The start URL has a redirect loop or more than ten redirects.
    TooManyRedirects,
    /// The start URL redirects to another site.
    RedirectedElsewhere,
    /// robots.txt disallows the start page.
    RobotsDisallowed,
    /// The site blocks automated visitors.
    Blocked,
    /// The target, its resolved address or a redirect target is not allowed.
    TargetNotAllowed,
    /// The start page is not an HTML document.
    NotHtml,
    /// The run exceeded its time limit.
    DeadlineExceeded,
    /// The audit exceeds the resources of a run: it crashed its worker twice while it ran alone.
    ResourceLimit,
    /// An internal error of the service; the run is not counted.
    Internal,
}
