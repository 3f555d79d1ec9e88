//! The header `Idempotency-Key`.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use domain::idempotency::{Fingerprint, IdempotencyKey, IdempotentCall, MAX_KEY_CHARS};
use utoipa::IntoParams;

use super::Body;
use httpkit::problem::Problem;

/// The name of the header.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// Documents the header in an operation: `params(IdempotencyHeader)` makes the operation support it.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the document reads it")]
pub(crate) struct IdempotencyHeader {
    /// A unique key for this request, so that it can be retried safely: for 24 hours, the same request with the
    /// same key returns the stored response and changes nothing. 1 to 255 visible ASCII characters, for example
    /// a UUID.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$",
        nullable = false
    )]
    idempotency_key: Option<String>,
}

/// A request with the header, which is not validated yet.
#[derive(Debug)]
pub(crate) struct IdempotencyHeaders {
    method: String,
    path: String,
    /// `None` if the header is not a valid key or occurs more than once.
    key: Option<IdempotencyKey>,
}

impl IdempotencyHeaders {
    /// Reads the header of a request; `None` without the header.
    pub(crate) fn read(request: &HttpRequest) -> Option<Self> {
        let headers = request.headers();
        headers.contains_key(IDEMPOTENCY_KEY).then(|| Self {
            method: request.method().to_string(),
            path: request.path().to_owned(),
            key: only(headers),
        })
    }

    /// The identity of the call for idempotency.
    ///
    /// # Errors
    /// `invalid_request` naming the header.
    pub(crate) fn call(
        self,
        operation: &'static str,
        body: &Body,
        at: chrono::DateTime<chrono::Utc>,
    ) -> Result<IdempotentCall, Problem> {
        let key = self.key.ok_or_else(|| {
            Problem::field(
                IDEMPOTENCY_KEY,
                format!("Must be one key of 1 to {MAX_KEY_CHARS} visible ASCII characters."),
            )
        })?;
        Ok(IdempotentCall {
            operation,
            key,
            fingerprint: Fingerprint::new(&self.method, &self.path, body.bytes()),
            at,
        })
    }
}

fn only(headers: &HeaderMap) -> Option<IdempotencyKey> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY);
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    IdempotencyKey::parse(value.to_str().ok()?)
}
