//! Starting an audit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::run::{Device, Mode, RunStatus};

/// What to audit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StartAuditRequest {
    /// The start page: an absolute http or https URL without user name and password.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/")]
    pub url: String,
    /// The site of the run; the URL must be on its host. Without it, the run belongs to the organization's
    /// site with the URL's host, which is created if it does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_id: Option<String>,
    /// The options of the audit; omitted options have their defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<StartAuditOptions>,
}

/// The options of the audit; omitted options have their defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StartAuditOptions {
    /// The maximum number of audited pages. The server has an upper bound and a default, usually 1,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub max_pages: Option<u32>,
    /// The maximum depth in clicks from the start page, which has depth 0; no limit by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
    /// How pages are loaded; `auto` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Only the start page and pages that match one of these patterns are audited. Patterns use the syntax
    /// of robots.txt (RFC 9309) and match path and query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub include: Option<Vec<String>>,
    /// Pages that match one of these patterns are excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub exclude: Option<Vec<String>>,
    /// The device that the browser emulates; `mobile` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    /// Additional request headers by name: at most 20, sent only to the site's own origin. A name is a token
    /// (RFC 9110) of 1 to 100 characters, unique regardless of case; a value has 1 to 4,096 visible ASCII
    /// characters with spaces and tabs between them. Headers of the connection, the client or the crawler are
    /// rejected, such as `Host`, `Content-Length`, `User-Agent` and `Proxy-…`. Values are never returned and
    /// are deleted when the run ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// A custom user agent: visible ASCII characters with spaces between them. Rejected if the operator does
    /// not allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 500)]
    pub user_agent: Option<String>,
    /// Whether the crawler respects robots.txt; `true` by default. `false` is rejected if the operator does not
    /// allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub respect_robots: Option<bool>,
}

/// A started audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartAuditResponse {
    /// Id of the run. Poll its status.
    pub run_id: String,
    /// The status.
    pub status: RunStatus,
    /// The existing or created site of the run.
    pub site_id: String,
}
