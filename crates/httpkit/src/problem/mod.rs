//! Errors as clients see them. Only this module maps errors to status codes.
//!
//! An internal problem also has a cause, which is logged and never sent to the client.

mod code;
mod field_code;
mod from_domain;
mod limit;

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};

pub use code::Code;
pub use field_code::FieldCode;
pub use limit::Limit;

use api_types::problem as wire;
use domain::ports::NotReady;

use crate::LOG_TARGET;

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The maximum number of invalid fields that one response names.
pub const MAX_FIELD_ERRORS: usize = 20;

/// `Retry-After` in seconds while the service is unavailable.
const RETRY_AFTER_SECONDS: &str = "5";

/// An error response, and its cause for the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    code: Code,
    detail: Cow<'static, str>,
    reason: Option<&'static str>,
    errors: Vec<wire::FieldError>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<String>,
    limit: Option<Limit>,
}

impl Problem {
    /// Creates a problem with a detail for the client.
    #[must_use]
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            code,
            detail: detail.into(),
            reason: None,
            errors: Vec::new(),
            headers: Vec::new(),
            cause: None,
            limit: None,
        }
    }

    /// Creates a problem for a request that is invalid as a whole.
    #[must_use]
    pub fn invalid(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    /// Creates a problem for a field or parameter with a value of the wrong form.
    #[must_use]
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::coded(FieldCode::Invalid, field, message)
    }

    /// Creates a problem for an invalid field or parameter.
    #[must_use]
    pub fn coded(code: FieldCode, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::fields(vec![field_error(code, field, message)])
    }

    /// Creates a problem that names all invalid fields or parameters.
    #[must_use]
    pub fn fields(errors: Vec<wire::FieldError>) -> Self {
        Self::invalid("").naming(errors)
    }

    /// Adds the fields of another problem.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut errors = self.errors.clone();
        errors.extend(other.errors);
        self.naming(errors)
    }

    /// Names these fields and parameters instead, with the same code.
    #[must_use]
    pub fn with_fields(self, errors: Vec<wire::FieldError>) -> Self {
        self.naming(errors)
    }

    /// The invalid fields and parameters.
    #[must_use]
    pub fn into_fields(self) -> Vec<wire::FieldError> {
        self.errors
    }

    /// Narrows the range in the error of a field that must be a whole number.
    #[must_use]
    pub fn with_range(self, field: &str, least: u32, most: u32) -> Self {
        let mut errors = self.errors.clone();
        for error in errors.iter_mut().filter(|error| error.field == field) {
            if let Some(rest) = error.message.strip_prefix(WHOLE_NUMBER) {
                let rest = rest.strip_prefix(WHOLE_NUMBER_RANGE).unwrap_or(rest);
                error.message = format!("{WHOLE_NUMBER} from {least} to {most}{rest}");
            }
        }
        if errors.is_empty() {
            return self;
        }
        self.naming(errors)
    }

    /// Creates a problem for a missing or invalid key.
    #[must_use]
    pub fn unauthorized(detail: &'static str) -> Self {
        Self::new(Code::Unauthorized, detail)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// Creates a problem for a path or id that does not exist.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            Code::NotFound,
            "The path does not exist, or the organization has no object with this id.",
        )
    }

    /// Creates a problem for a method that the path does not support.
    #[must_use]
    pub fn method_not_allowed(allow: &str) -> Self {
        let problem = Self::new(
            Code::MethodNotAllowed,
            format!("This path supports only {allow}."),
        );
        match HeaderValue::from_str(allow) {
            Ok(allow) => problem.with_header(header::ALLOW, allow),
            Err(_) => problem,
        }
    }

    /// Creates a problem for an internal error; the cause is only logged.
    #[must_use]
    pub fn internal(cause: impl Into<String>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                Code::Internal,
                "Internal error. The operator finds the cause in the log by the request id.",
            )
        }
    }

    /// Creates a problem for an unavailable dependency; the cause is only logged.
    #[must_use]
    pub fn unavailable(cause: impl Into<String>) -> Self {
        Self {
            cause: Some(cause.into()),
            ..Self::new(
                Code::Unavailable,
                "The service is temporarily unavailable. Retry in a few seconds.",
            )
        }
        .with_header(
            header::RETRY_AFTER,
            HeaderValue::from_static(RETRY_AFTER_SECONDS),
        )
    }

    /// Creates a problem for a service that is not ready. The client gets the reason; the cause is already logged.
    #[must_use]
    pub fn not_ready(reason: NotReady) -> Self {
        Self {
            detail: reason.description().into(),
            cause: None,
            ..Self::unavailable("")
        }
        .with_reason(reason.as_str())
    }

    /// Creates a problem for an exceeded limit; `seconds` becomes `Retry-After`.
    #[must_use]
    pub fn rate_limited(limit: Limit, detail: impl Into<Cow<'static, str>>, seconds: u64) -> Self {
        Self {
            limit: Some(limit),
            ..Self::new(Code::RateLimited, detail)
        }
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Adds a header to the response.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Returns the code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Returns the detail for the client.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the cause for the log.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// Names the invalid fields, at most [`MAX_FIELD_ERRORS`], also in the detail.
    fn naming(mut self, mut errors: Vec<wire::FieldError>) -> Self {
        errors.truncate(MAX_FIELD_ERRORS);
        let lines: Vec<String> = errors
            .iter()
            .map(|error| format!("{}: {}", error.field, error.message))
            .collect();
        self.detail = lines.join(" ").into();
        self.errors = errors;
        self
    }

    fn with_reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Converts the problem to its JSON type.
    #[must_use]
    pub fn to_wire(&self, base_url: &str, request_id: &str) -> wire::Problem {
        wire::Problem {
            kind: kind(base_url, self.code),
            title: self.code.title().to_owned(),
            status: self.code.status().as_u16(),
            detail: self.detail.clone().into_owned(),
            code: self.code.as_str().to_owned(),
            request_id: request_id.to_owned(),
            reason: self.reason.map(str::to_owned),
            errors: self.errors.clone(),
        }
    }

    /// Creates the response, and logs the cause. The problem is in the extensions of the response, from which the
    /// middleware makes a page for people.
    #[must_use]
    pub fn respond(&self, base_url: &str, request_id: &str) -> HttpResponse {
        if let Some(cause) = &self.cause {
            tracing::error!(
                target: LOG_TARGET,
                { request.id = request_id, cause = cause.as_str() },
                "request failed"
            );
        }
        let wire = self.to_wire(base_url, request_id);
        // A struct of texts and numbers always serializes to JSON.
        let body = serde_json::to_vec(&wire).unwrap_or_default();
        let mut response = HttpResponse::build(self.code.status());
        response.content_type(MEDIA_TYPE);
        for (name, value) in &self.headers {
            response.insert_header((name.clone(), value.clone()));
        }
        let mut response = response.body(body);
        let mut extensions = response.extensions_mut();
        if let Some(limit) = self.limit {
            extensions.insert(limit);
        }
        extensions.insert(self.clone());
        drop(extensions);
        response
    }
}

/// How the message of every field that must be a whole number begins.
pub const WHOLE_NUMBER: &str = "Must be a whole number";
/// How it continues for a field without a narrower range.
pub const WHOLE_NUMBER_RANGE: &str = " from 0 to 4294967295";

/// An invalid field or parameter, without a list of allowed values.
#[must_use]
pub fn field_error(
    code: FieldCode,
    field: impl Into<String>,
    message: impl Into<String>,
) -> wire::FieldError {
    wire::FieldError {
        field: field.into(),
        code: code.as_str().to_owned(),
        message: message.into(),
        allowed: Vec::new(),
    }
}

/// Returns the URI of a problem type; its page explains all types.
#[must_use]
pub fn kind(base_url: &str, code: Code) -> String {
    format!(
        "{}/docs/errors#{}",
        base_url.trim_end_matches('/'),
        code.as_str()
    )
}
