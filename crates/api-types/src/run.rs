//! Runs: audits that are queued, under way, or done.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One audit of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// Id of the run.
    pub run_id: String,
    /// Where it stands. Poll every few seconds until it is `completed`, `failed` or `cancelled`.
    pub status: RunStatus,
    /// The start URL, as it was asked for.
    pub url: String,
    /// The site it belongs to.
    pub site_id: String,
    /// Its report: there exactly when `status` is `completed`.
    pub report_id: Option<String>,
    /// What started it.
    pub trigger: Trigger,
    /// How it audits, with every default filled in.
    pub options: RunOptions,
    /// How far it has come.
    pub progress: RunProgress,
    /// Why it failed: there exactly when `status` is `failed`.
    pub error: Option<RunError>,
    /// When it was asked for, RFC 3339 in UTC.
    pub created_at: String,
    /// When a worker first took it up, RFC 3339 in UTC.
    pub started_at: Option<String>,
    /// When it ended, RFC 3339 in UTC.
    pub finished_at: Option<String>,
}

/// A page of a list of runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunList {
    /// The runs, newest first.
    pub runs: Vec<Run>,
    /// Where the list goes on: the `cursor` of the next page; `null` on the last one.
    pub next_cursor: Option<String>,
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunStatus {
    /// Nobody works on it yet.
    Queued,
    /// A worker works on it, or will take it up again.
    Running,
    /// It has a report.
    Completed,
    /// It has none, and `error` says why.
    Failed,
    /// Somebody cancelled it.
    Cancelled,
}

/// What started a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A call of this interface.
    Api,
    /// The schedule of its site.
    Schedule,
    /// A person at the dashboard.
    Dashboard,
}

/// How a run audits, with every default filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunOptions {
    /// Audited pages at most.
    pub max_pages: u32,
    /// Clicks from the start page at most; `null` for no limit. The start page is at 0.
    pub max_depth: Option<u32>,
    /// How pages are read.
    pub mode: Mode,
    /// Only pages that match one of these patterns are audited, beside the start page; empty for
    /// all.
    pub include: Vec<String>,
    /// Pages that match one of these patterns are left out.
    pub exclude: Vec<String>,
    /// What a browser pretends to be.
    pub device: Device,
    /// The names of the extra request headers, with their values hidden; `null` for none.
    pub headers: Option<BTreeMap<String, String>>,
    /// The user agent, where another than the server's own was asked for.
    pub user_agent: Option<String>,
    /// Whether robots.txt is obeyed.
    pub respect_robots: bool,
}

/// How pages are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// In a browser where there is one, else as the server sends them.
    Auto,
    /// As the server sends them.
    Static,
    /// In a browser.
    Rendered,
}

/// What a browser pretends to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// A phone.
    Mobile,
    /// A desktop computer.
    Desktop,
}

/// An event while a run is watched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunEvent {
    /// What happened: the run changed, or ended.
    pub event: RunEventKind,
    /// The run, as JSON on one line.
    #[schema(content_media_type = "application/json")]
    pub data: String,
}

/// What an event says of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunEventKind {
    /// It changed, or is as it was at the beginning.
    Progress,
    /// It completed.
    Completed,
    /// It failed.
    Failed,
    /// It was cancelled.
    Cancelled,
}

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunProgress {
    /// What it is doing.
    pub phase: RunPhase,
    /// Addresses of the site met so far.
    pub pages_discovered: u64,
    /// Addresses of the site requested so far.
    pub pages_fetched: u64,
    /// Pages judged so far.
    pub pages_audited: u64,
    /// 0 to 100, an estimate.
    #[schema(maximum = 100)]
    pub percent: u8,
}

/// What a run is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunPhase {
    /// Waiting for a worker.
    Queued,
    /// robots.txt, the start page, sitemaps.
    Discovering,
    /// Pages.
    Crawling,
    /// Pages in a browser.
    Rendering,
    /// The checks of the whole site, and the scores.
    Scoring,
    /// Nothing any more.
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

/// The closed list of reasons for which a run fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureCode {
    /// The name has no address.
    DnsFailure,
    /// Nothing listens there.
    ConnectionRefused,
    /// The TLS handshake or the certificate failed.
    TlsError,
    /// A deadline passed before the site answered.
    Timeout,
    /// The start page answered with an error status.
    HttpError,
    /// The start URL redirects in a loop or more than ten times.
    TooManyRedirects,
    /// The start URL lands on another site.
    RedirectedElsewhere,
    /// robots.txt forbids the start page.
    RobotsDisallowed,
    /// The site turns automated visitors away.
    Blocked,
    /// The target, or where it leads, is forbidden.
    TargetNotAllowed,
    /// The start page is no HTML document.
    NotHtml,
    /// The run took longer than it may.
    DeadlineExceeded,
    /// The audit needs more than one run may use: it crashed its worker twice while it ran alone.
    ResourceLimit,
    /// A fault of the service; the run is not counted.
    Internal,
}
