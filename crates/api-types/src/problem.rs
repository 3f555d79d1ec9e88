//! What every error looks like.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// An error, as `application/problem+json` (RFC 9457). `code` is what clients match on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// The address where the code is explained.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind of error in a few words; the same for every error of this code.
    pub title: String,
    /// The status of the answer.
    pub status: u16,
    /// What is wrong this time, for a person.
    pub detail: String,
    /// The kind of error, for a program; never changes.
    pub code: String,
    /// The id of this request, as in the header `X-Request-Id`, for the operator.
    pub request_id: String,
    /// Which cap of the plan is reached; with `plan_limit_hit` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Which fields or parameters are wrong; left out where it is none in particular.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// A field or parameter that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    /// Its path in the body, for example `options.maxPages`, or the name of the parameter.
    pub field: String,
    /// What is wrong with it, for a person.
    pub message: String,
}
