//! Starting an audit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::run::{Device, Mode, RunStatus};

/// What to audit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StartAuditRequest {
    /// The page to begin at: an absolute http or https URL, without a user name or a password.
    #[schema(format = "uri", max_length = 2048, example = "https://example.com/")]
    pub url: String,
    /// The site to attach the run to; the URL must be on its host. Without it the run goes to the
    /// organization's site of the URL's host, which is created where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site_id: Option<String>,
    /// How to audit; what is left out has its default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<StartAuditOptions>,
}

/// How to audit; what is left out has its default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct StartAuditOptions {
    /// Audited pages at most. The server has a bound and a default, usually 1,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub max_pages: Option<u32>,
    /// Clicks from the start page at most; no limit by default. The start page is at 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
    /// How pages are read; `auto` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    /// Only pages that match one of these patterns are audited, beside the start page. Patterns are
    /// those of robots.txt (RFC 9309), on path and query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub include: Option<Vec<String>>,
    /// Pages that match one of these patterns are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 50)]
    pub exclude: Option<Vec<String>>,
    /// What a browser pretends to be; `mobile` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    /// Extra request headers, by their names: at most 20, sent to the site's own origin only. A name is a
    /// token (RFC 9110) of 1 to 100 characters, in any case but none twice; a value has 1 to 4,096 visible
    /// ASCII characters, with spaces and tabs between them. Headers that belong to the connection, to the
    /// client or to the crawler are refused, such as `Host`, `Content-Length`, `User-Agent` and `Proxy-…`.
    /// Values are never shown again, and erased when the run ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// Another user agent: visible ASCII characters, with spaces between them. Refused where the operator
    /// does not allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 1, max_length = 500)]
    pub user_agent: Option<String>,
    /// Whether robots.txt is obeyed; it is by default. `false` is refused where the operator does not allow it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub respect_robots: Option<bool>,
}

/// An audit that was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StartAuditResponse {
    /// Id of the run, to be polled.
    pub run_id: String,
    /// Where it stands.
    pub status: RunStatus,
    /// The site it belongs to, found or created.
    pub site_id: String,
}
