//! Errors as callers see them: the only place that knows which status an error has.
//!
//! A problem of ours has a cause as well, which goes to the log and never to the caller.

mod code;
mod from_domain;
mod limit;

use std::borrow::Cow;

use actix_web::HttpResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};

pub use code::Code;
pub use limit::Limit;

use api_types::problem as wire;
use domain::ports::NotReady;

use crate::LOG_TARGET;

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Seconds after which it is worth asking again while the service is not available.
const RETRY_AFTER_SECONDS: &str = "5";

/// An error as the caller sees it, and its cause as the operator does.
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
    /// A problem with a sentence for the caller.
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

    /// A request that is not valid as a whole.
    #[must_use]
    pub fn invalid(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    /// A field or parameter that is wrong.
    #[must_use]
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid("").naming(field.into(), message.into())
    }

    /// The first field or parameter that is wrong, if that is what is.
    pub fn first_field(&self) -> Option<&str> {
        self.errors.first().map(|error| error.field.as_str())
    }

    /// A missing key, or one that opens nothing.
    #[must_use]
    pub fn unauthorized(detail: &'static str) -> Self {
        Self::new(Code::Unauthorized, detail)
            .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
    }

    /// A path or an id that nothing stands at.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            Code::NotFound,
            "The path does not exist, or the organization has no object with this id.",
        )
    }

    /// A method that the path does not have.
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

    /// A fault of ours; the cause is for the log alone.
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

    /// Something we need is away; the cause is for the log alone.
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

    /// The service cannot work. Whoever asks learns the reason, of which the log has the cause already.
    #[must_use]
    pub fn not_ready(reason: NotReady) -> Self {
        Self {
            detail: reason.description().into(),
            cause: None,
            ..Self::unavailable("")
        }
        .with_reason(reason.as_str())
    }

    /// A limit is reached; it is worth asking again after these seconds.
    #[must_use]
    pub fn rate_limited(limit: Limit, detail: impl Into<Cow<'static, str>>, seconds: u64) -> Self {
        Self {
            limit: Some(limit),
            ..Self::new(Code::RateLimited, detail)
        }
        .with_header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// The problem with a header on its answer.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// What it is.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// What goes to the log.
    #[must_use]
    pub fn cause(&self) -> Option<&str> {
        self.cause.as_deref()
    }

    /// The problem with a field named.
    fn naming(mut self, field: String, message: String) -> Self {
        self.detail = format!("{field}: {message}").into();
        self.errors.push(wire::FieldError { field, message });
        self
    }

    fn with_reason(mut self, reason: &'static str) -> Self {
        self.reason = Some(reason);
        self
    }

    /// The problem on the wire.
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

    /// The answer to the caller; a cause is logged.
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
        // A struct of texts and numbers always becomes JSON.
        let body = serde_json::to_vec(&wire).unwrap_or_default();
        let mut response = HttpResponse::build(self.code.status());
        response.content_type(MEDIA_TYPE);
        for (name, value) in &self.headers {
            response.insert_header((name.clone(), value.clone()));
        }
        let mut response = response.body(body);
        if let Some(limit) = self.limit {
            response.extensions_mut().insert(limit);
        }
        response
    }
}

/// The URI that names a kind of problem; the page behind it explains all of them.
#[must_use]
pub fn kind(base_url: &str, code: Code) -> String {
    format!(
        "{}/docs/errors#{}",
        base_url.trim_end_matches('/'),
        code.as_str()
    )
}
