//! Waivers: findings that the owner of a site accepts.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A waiver: a finding that the owner of a site accepts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiver {
    /// Id of the waiver.
    pub waiver_id: String,
    /// The site.
    pub site_id: String,
    /// The check whose findings are accepted.
    pub check_id: String,
    /// Only findings at URLs whose path and query match this pattern are accepted; `null` for all.
    pub path: Option<String>,
    /// Only findings with this cause are accepted: its `fingerprint`; `null` for all.
    pub cause: Option<String>,
    /// Why the findings are accepted.
    pub reason: String,
    /// Who created the waiver.
    pub author: WaiverAuthor,
    /// When it was created, RFC 3339 in UTC.
    pub created_at: String,
    /// When it expires, RFC 3339 in UTC; `null` for never.
    pub expires_at: Option<String>,
    /// Whether it applies.
    pub state: WaiverState,
}

/// The author of a waiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaiverAuthor {
    /// The type of the author.
    #[serde(rename = "type")]
    pub kind: WaiverAuthorType,
    /// Id of the key or of the member; `null` for others.
    pub id: Option<String>,
    /// The author's name when the waiver was created.
    pub name: String,
}

/// The type of the author of a waiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaiverAuthorType {
    /// A client with an API key.
    Key,
    /// A member of the organization.
    Member,
    /// The service.
    System,
    /// The author of a file of waivers, in a local audit.
    File,
}

/// Whether a waiver applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaiverState {
    /// It applies.
    Active,
    /// It has expired: what it accepted counts again.
    Expired,
}

/// The waivers of a site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaiverList {
    /// The waivers, oldest first, also those that have expired; at most 200.
    pub waivers: Vec<Waiver>,
}

/// A waiver to create.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CreateWaiverRequest {
    /// The check whose findings are accepted.
    pub check_id: String,
    /// Accept only findings at URLs whose path and query match this pattern. As in robots.txt, `*` matches any
    /// characters and a final `$` matches the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500, pattern = r"^[/*][^\s\u0000-\u001f\u007f-\u009f]*$")]
    pub path: Option<String>,
    /// Accept only findings with this cause: its `fingerprint`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^[0-9a-f]{32}$")]
    pub cause: Option<String>,
    /// Why the findings are accepted.
    #[schema(min_length = 1, max_length = 1000)]
    pub reason: String,
    /// When the waiver expires, RFC 3339, in the future; without it, never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "date-time")]
    pub expires_at: Option<String>,
}

/// A waiver in a report, as it was when the audit began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppliedWaiver {
    /// Id of the waiver, as `waiverId` of an occurrence has it.
    pub waiver_id: String,
    /// The check whose findings are accepted.
    pub check_id: String,
    /// The pattern that the path and query of a URL must match; `null` for all.
    pub path: Option<String>,
    /// The fingerprint of the cause; `null` for all.
    pub cause: Option<String>,
    /// Why the findings are accepted.
    pub reason: String,
    /// Who created the waiver.
    pub author: WaiverAuthor,
    /// When it was created, RFC 3339 in UTC; `null` for a waiver of a file.
    pub created_at: Option<String>,
    /// When it expires, RFC 3339 in UTC; `null` for never.
    pub expires_at: Option<String>,
    /// Whether it applied.
    pub state: WaiverState,
    /// The number of occurrences that it accepted.
    pub occurrences: u64,
}
