//! The closed list of error codes, and the status code of each.

use actix_web::http::StatusCode;

/// A machine-readable error code. Codes never change their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// The request is malformed, or a value is out of range.
    InvalidRequest,
    /// The target URL is not one that the service audits.
    TargetNotAllowed,
    /// There is no valid key.
    Unauthorized,
    /// The legacy variant of the API requires a paid plan.
    PaymentRequired,
    /// A limit of the plan is reached.
    PlanLimitHit,
    /// The key's role does not allow the call.
    Forbidden,
    /// A signed link has expired.
    LinkExpired,
    /// A signed link was modified.
    LinkInvalid,
    /// The path or the id does not exist.
    NotFound,
    /// The path exists, but does not support the method.
    MethodNotAllowed,
    /// The body is too large.
    PayloadTooLarge,
    /// The body is not JSON.
    UnsupportedMediaType,
    /// The request conflicts with the current state of the resource.
    Conflict,
    /// The first request with this Idempotency-Key is still in progress.
    IdempotencyInProgress,
    /// The Idempotency-Key was already used with a different request.
    IdempotencyKeyReused,
    /// The key, its organization or the client sends too many requests, or too many at once.
    RateLimited,
    /// An internal error of the service.
    Internal,
    /// The service is temporarily unavailable.
    Unavailable,
}

impl Code {
    /// All codes, by status.
    pub const ALL: [Self; 18] = [
        Self::InvalidRequest,
        Self::TargetNotAllowed,
        Self::Unauthorized,
        Self::PaymentRequired,
        Self::PlanLimitHit,
        Self::Forbidden,
        Self::LinkExpired,
        Self::LinkInvalid,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Conflict,
        Self::IdempotencyInProgress,
        Self::PayloadTooLarge,
        Self::UnsupportedMediaType,
        Self::IdempotencyKeyReused,
        Self::RateLimited,
        Self::Internal,
        Self::Unavailable,
    ];

    /// The code in the response.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::TargetNotAllowed => "target_not_allowed",
            Self::Unauthorized => "unauthorized",
            Self::PaymentRequired => "payment_required",
            Self::PlanLimitHit => "plan_limit_hit",
            Self::Forbidden => "forbidden",
            Self::LinkExpired => "link_expired",
            Self::LinkInvalid => "link_invalid",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::PayloadTooLarge => "payload_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::Conflict => "conflict",
            Self::IdempotencyInProgress => "idempotency_in_progress",
            Self::IdempotencyKeyReused => "idempotency_key_reused",
            Self::RateLimited => "rate_limited",
            Self::Internal => "internal",
            Self::Unavailable => "unavailable",
        }
    }

    /// The status code of a response with this code.
    #[must_use]
    pub const fn status(self) -> StatusCode {
        match self {
            Self::InvalidRequest | Self::TargetNotAllowed => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::PaymentRequired => StatusCode::PAYMENT_REQUIRED,
            Self::PlanLimitHit | Self::Forbidden | Self::LinkExpired | Self::LinkInvalid => {
                StatusCode::FORBIDDEN
            }
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict | Self::IdempotencyInProgress => StatusCode::CONFLICT,
            Self::PayloadTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::IdempotencyKeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }

    /// The title of a problem with this code.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::InvalidRequest => "Invalid request",
            Self::TargetNotAllowed => "Target not allowed",
            Self::Unauthorized => "A valid API key is required",
            Self::PaymentRequired => "A paid plan is required",
            Self::PlanLimitHit => "A limit of the plan is reached",
            Self::Forbidden => "The key's role does not allow this",
            Self::LinkExpired => "The link has expired",
            Self::LinkInvalid => "The link is invalid",
            Self::NotFound => "Not found",
            Self::MethodNotAllowed => "Method not allowed",
            Self::PayloadTooLarge => "The request body is too large",
            Self::UnsupportedMediaType => "The request body is not JSON",
            Self::Conflict => "The request conflicts with the current state",
            Self::IdempotencyInProgress => "The first request is still in progress",
            Self::IdempotencyKeyReused => "The Idempotency-Key was already used",
            Self::RateLimited => "Too many requests",
            Self::Internal => "Internal error",
            Self::Unavailable => "The service is unavailable",
        }
    }

    /// When this code is returned, and what to do about it, for the published list.
    #[must_use]
    pub const fn explanation(self) -> &'static str {
        match self {
            Self::InvalidRequest => {
                "The request is malformed, or a value is invalid or out of range; `errors` lists the fields. Do not retry it unchanged."
            }
            Self::TargetNotAllowed => {
                "The URL has a private or special address or name, or a port that is not allowed. The operator of the server can allow it with `--allow-target`."
            }
            Self::Unauthorized => {
                "The key is missing, malformed, unknown, revoked or expired. Send `Authorization: Bearer <API_KEY>`."
            }
            Self::PaymentRequired => {
                "This server requires a paid plan, and the organization has none."
            }
            Self::PlanLimitHit => {
                "A limit of the organization's plan is reached: `reason` is `site_limit_hit` or `monthly_run_limit_hit`."
            }
            Self::Forbidden => "The role of the key does not allow this request. Use another key.",
            Self::LinkExpired => "The signed link has expired. Request a new one.",
            Self::LinkInvalid => "The signed link was altered or truncated. Request a new one.",
            Self::NotFound => {
                "The path does not exist, or the organization has no object with this id. The response is the same in both cases."
            }
            Self::MethodNotAllowed => {
                "The path does not support this method. The header `Allow` lists the supported methods."
            }
            Self::PayloadTooLarge => "The request body has more than 256 KiB.",
            Self::UnsupportedMediaType => {
                "A request body needs `Content-Type: application/json`, encoded in UTF-8 and without a content coding."
            }
            Self::Conflict => {
                "The request conflicts with the current state of the resource. Read the resource again."
            }
            Self::IdempotencyInProgress => {
                "The first request with this Idempotency-Key has not finished. Wait and retry."
            }
            Self::IdempotencyKeyReused => {
                "The Idempotency-Key was used with a different request. Use a new one."
            }
            Self::RateLimited => {
                "The key, its organization or the client address sends too many requests, or too many at the same time; `detail` names the limit. Wait as long as `Retry-After` states."
            }
            Self::Internal => {
                "An internal error of the service. The operator finds the cause in the log by `requestId`."
            }
            Self::Unavailable => {
                "The service is temporarily unavailable, for example because its database is unreachable. Wait as long as `Retry-After` states."
            }
        }
    }

    /// Returns the closest code for an error status of another origin.
    pub fn nearest(status: StatusCode) -> Self {
        match status.as_u16() {
            401 => Self::Unauthorized,
            403 => Self::Forbidden,
            404 => Self::NotFound,
            405 => Self::MethodNotAllowed,
            413 => Self::PayloadTooLarge,
            415 => Self::UnsupportedMediaType,
            429 => Self::RateLimited,
            503 => Self::Unavailable,
            other if other < 500 => Self::InvalidRequest,
            _ => Self::Internal,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_are_all_listed_once_and_by_status() {
        let names: BTreeSet<_> = Code::ALL.map(Code::as_str).into();
        assert_eq!(names.len(), Code::ALL.len());
        assert!(Code::ALL.is_sorted_by_key(|code| code.status().as_u16()));
        for code in Code::ALL {
            assert!(!code.title().ends_with('.'), "{code:?}");
            assert!(code.explanation().ends_with('.'), "{code:?}");
        }
    }
}
