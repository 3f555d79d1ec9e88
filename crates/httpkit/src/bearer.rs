//! API keys in the `Authorization` header.

use actix_web::http::header::{self, HeaderMap};
use domain::key::KeySecret;

use crate::problem::Problem;

/// Returns the key of a request, validated only by its format.
pub fn key(headers: &HeaderMap) -> Result<KeySecret, Problem> {
    KeySecret::parse(token(headers)?).map_err(|_| {
        Problem::unauthorized("The API key is malformed, unknown, revoked or expired.")
    })
}

/// Returns the bearer token of a request.
pub fn token(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut values = headers.get_all(header::AUTHORIZATION);
    let value = match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().unwrap_or_default(),
        (None, _) => {
            return Err(Problem::unauthorized(
                "The API key is missing. Send it as `Authorization: Bearer <API_KEY>`.",
            ));
        }
        (Some(_), Some(_)) => {
            return Err(Problem::unauthorized(
                "The request has several Authorization headers.",
            ));
        }
    };
    // Scheme names are case-insensitive (RFC 9110, section 11.1).
    let (scheme, text) = value.split_once(' ').unwrap_or((value, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Problem::unauthorized(
            "The Authorization header does not use the scheme Bearer. Send `Authorization: Bearer <API_KEY>`.",
        ));
    }
    Ok(text.trim_start_matches(' '))
}
