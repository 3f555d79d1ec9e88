//! The header `Idempotency-Key`.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderMap;
use domain::idempotency::{Fingerprint, IdempotencyKey, IdempotentCall, MAX_KEY_CHARS};
use utoipa::IntoParams;

use super::Body;
use httpkit::problem::Problem;

/// The name of the header.
pub(crate) const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// What an operation documents that honours the header: `params(OnceHeader)` makes it one.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the document reads it")]
pub(crate) struct OnceHeader {
    /// Names this call, so that it can be sent again when its answer is lost: for 24 hours the same call
    /// with the same key is answered as it was, and changes nothing. 1 to 255 visible ASCII characters
    /// that you use for no other call; a UUID for example.
    #[param(
        rename = "Idempotency-Key",
        min_length = 1,
        max_length = 255,
        pattern = "^[!-~]+$"
    )]
    idempotency_key: Option<String>,
}

/// A call that carries the header, which is not judged yet.
#[derive(Debug)]
pub(crate) struct OnceHeaders {
    method: String,
    path: String,
    /// None where it is no key, or there is more than one.
    key: Option<IdempotencyKey>,
}

impl OnceHeaders {
    /// What a request says; none where it has no such header.
    pub(crate) fn read(request: &HttpRequest) -> Option<Self> {
        let headers = request.headers();
        headers.contains_key(IDEMPOTENCY_KEY).then(|| Self {
            method: request.method().to_string(),
            path: request.path().to_owned(),
            key: only(headers),
        })
    }

    /// The call of an operation.
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
                format!("One key of 1 to {MAX_KEY_CHARS} visible ASCII characters is needed."),
            )
        })?;
        Ok(IdempotentCall {
            operation,
            key,
            fingerprint: Fingerprint::of(&self.method, &self.path, body.bytes()),
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
