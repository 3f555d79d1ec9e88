//! The problem document of every error.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An error, as `application/problem+json` (RFC 9457). Clients match on `code`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The URL of the documentation of the code.
    #[serde(rename = "type")]
    pub kind: String,
    /// A short title; the same for every error with this code.
    pub title: String,
    /// The HTTP status code of the response.
    pub status: u16,
    /// A description of this error for people.
    pub detail: String,
    /// The stable code of the error for programs.
    pub code: String,
    /// The id of this request for the operator, the same as in the header `X-Request-Id`.
    pub request_id: String,
    /// The limit of the plan that is reached, with `plan_limit_hit`; why the service is not ready, with `unavailable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The invalid fields or parameters; absent if the error is not about a field.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// An invalid field or parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// The path of the field in the body, for example `options.maxPages`, or the name of the parameter.
    pub field: String,
    /// The stable code of the error for programs.
    #[serde(default)]
    pub code: String,
    /// A description of the error for people.
    pub message: String,
    /// The allowed values; only with `unknown_value` and `unknown`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}
