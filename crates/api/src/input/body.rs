//! The body of a request.

use std::time::Duration;

use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{Bytes, BytesMut, Payload};
use api_types::problem::FieldError;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;

use super::{InvalidFields, json};
use httpkit::problem::{Code, Problem};

/// The maximum size of a body in bytes.
const MAX_BODY_BYTES: usize = 256 * 1024;
/// The timeout for receiving a body.
const MAX_BODY_TIME: Duration = Duration::from_secs(30);

/// The body of a request, read but not validated: validation happens after authentication.
#[derive(Debug)]
pub(crate) enum Body {
    /// The operation takes no body, so none was read.
    Unread,
    /// The complete body.
    Whole {
        bytes: Bytes,
        /// Whether the content type is JSON.
        is_json: bool,
    },
    /// The body is too large.
    TooLarge,
    /// The body was incomplete or timed out.
    CutOff,
}

impl Body {
    /// Reads a body up to the limits.
    pub(crate) async fn read(headers: &HeaderMap, payload: Payload) -> Self {
        if announced(headers).is_some_and(|length| length > MAX_BODY_BYTES) {
            return Self::TooLarge;
        }
        let is_json = is_json(headers);
        actix_web::rt::time::timeout(MAX_BODY_TIME, collect(payload, is_json))
            .await
            .unwrap_or(Self::CutOff)
    }

    /// Checks size and media type, regardless of the content.
    pub(crate) fn validate(&self) -> Result<(), Problem> {
        match self {
            Self::TooLarge => Err(Problem::new(
                Code::PayloadTooLarge,
                format!("The request body has more than {MAX_BODY_BYTES} bytes."),
            )),
            Self::Whole {
                bytes,
                is_json: false,
            } if !bytes.is_empty() => Err(Problem::new(
                Code::UnsupportedMediaType,
                Code::UnsupportedMediaType.explanation(),
            )),
            Self::CutOff => Err(Problem::invalid(
                "The request body was incomplete or did not arrive in time.",
            )),
            Self::Unread | Self::Whole { .. } => Ok(()),
        }
    }

    /// What was read.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Whole { bytes, .. } => bytes,
            Self::Unread | Self::TooLarge | Self::CutOff => &[],
        }
    }

    /// The body as an object of a type, validated. One problem names the fields of `refused`, those that cannot be
    /// read, and those of the rest that `validate` finds invalid.
    pub(crate) fn object<T: DeserializeOwned, V>(
        &self,
        refused: Vec<FieldError>,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        self.validate()?;
        let Self::Whole { bytes, .. } = self else {
            return Err(Problem::internal("the operation declares no body"));
        };
        if bytes.is_empty() {
            return Err(Problem::invalid("The request body must be a JSON object."));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => json::read(text, refused, validate),
            Err(_) => Err(Problem::invalid("The request body is not valid UTF-8.")),
        }
    }

    /// As [`Self::object`]; an empty body is an empty object.
    pub(crate) fn object_if_any<T: DeserializeOwned, V>(
        &self,
        refused: Vec<FieldError>,
        validate: impl FnOnce(T, &mut InvalidFields) -> Option<V>,
    ) -> Result<V, Problem> {
        match self {
            Self::Whole { bytes, .. } if bytes.is_empty() => json::read("{}", refused, validate),
            _ => self.object(refused, validate),
        }
    }
}

async fn collect(mut payload: Payload, is_json: bool) -> Body {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = payload.next().await {
        let Ok(chunk) = chunk else {
            return Body::CutOff;
        };
        if bytes.len() + chunk.len() > MAX_BODY_BYTES {
            return Body::TooLarge;
        }
        bytes.extend_from_slice(&chunk);
    }
    Body::Whole {
        bytes: bytes.freeze(),
        is_json,
    }
}

fn announced(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(header::CONTENT_LENGTH)?;
    length.to_str().ok()?.parse().ok()
}

/// Whether the content type is `application/json`, in UTF-8 if there is a charset, without a content coding.
fn is_json(headers: &HeaderMap) -> bool {
    let is_coded = headers
        .get(header::CONTENT_ENCODING)
        .is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let mut types = headers.get_all(header::CONTENT_TYPE);
    let (Some(value), None) = (types.next(), types.next()) else {
        return false;
    };
    let mut parts = value.to_str().unwrap_or_default().split(';').map(str::trim);
    let names_json = parts
        .next()
        .is_some_and(|essence| essence.eq_ignore_ascii_case("application/json"));
    names_json && !is_coded && parts.all(is_harmless)
}

/// Whether a parameter of the media type is `charset=utf-8` or empty.
fn is_harmless(parameter: &str) -> bool {
    parameter.is_empty()
        || parameter.split_once('=').is_some_and(|(name, value)| {
            name.eq_ignore_ascii_case("charset")
                && value.trim_matches('"').eq_ignore_ascii_case("utf-8")
        })
}
