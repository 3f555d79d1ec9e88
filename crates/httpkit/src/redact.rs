//! Redaction of requests for the log.

use std::borrow::Cow;

use actix_web::http::Method;

/// The prefix of keys. A text without it contains no key.
const KEY_PREFIX: &str = "sk_service_";
/// The parameter before the signature of a link. Its query may have become part of a path.
const SIGNATURE_PREFIX: &str = "sig=";
/// Maximum length of a logged path in bytes.
const MAX_PATH_BYTES: usize = 300;

/// Redacts a path: replaces each segment that contains a key or a signature, plain or percent-encoded.
pub(crate) fn path(path: &str) -> Cow<'_, str> {
    if path.len() <= MAX_PATH_BYTES && !holds_secret(path) {
        return Cow::Borrowed(path);
    }
    let segments: Vec<&str> = path
        .split('/')
        .map(|segment| {
            if holds_secret(segment) {
                "[redacted]"
            } else {
                segment
            }
        })
        .collect();
    Cow::Owned(segments.join("/").chars().take(MAX_PATH_BYTES).collect())
}

/// Returns the name of a standard HTTP method; clients can invent others.
pub(crate) fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => "OTHER",
    }
}

fn holds_secret(text: &str) -> bool {
    let plain = if text.contains('%') {
        decoded(text)
    } else {
        text.to_owned()
    };
    let plain = plain.to_ascii_lowercase();
    plain.contains(KEY_PREFIX) || plain.contains(SIGNATURE_PREFIX)
}

/// Removes all levels of percent-encoding.
fn decoded(text: &str) -> String {
    let mut plain = text.to_owned();
    for _ in 0..3 {
        let once = decoded_once(&plain);
        if once == plain {
            break;
        }
        plain = once;
    }
    plain
}

fn decoded_once(text: &str) -> String {
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let byte = part
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte.filter(u8::is_ascii), part.get(2..)) {
            (Some(byte), Some(rest)) => {
                plain.push(char::from(byte));
                plain.push_str(rest);
            }
            _ => {
                plain.push('%');
                plain.push_str(part);
            }
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::ordinary("/api/mcp/runs/run_1", "/api/mcp/runs/run_1")]
    #[case::a_key("/api/sk_service_abc/x", "/api/[redacted]/x")]
    #[case::encoded("/sk%5Fservice%5fabc", "/[redacted]")]
    #[case::encoded_twice("/sk%255Fservice_abc", "/[redacted]")]
    #[case::all_encoded("/%73%6b%5f%73%65%72%76%69%63%65%5fabc", "/[redacted]")]
    #[case::inside("/x=sk_service_abc;y", "/[redacted]")]
    #[case::a_signature("/dl/reports/rep_1.pdf%3Fexp=1&sig=0a", "/dl/reports/[redacted]")]
    #[case::an_encoded_signature("/dl/reports/x%3fs%69g%3d0a", "/dl/reports/[redacted]")]
    #[case::broken_encoding("/%zz%4", "/%zz%4")]
    fn keys_in_paths(#[case] given: &str, #[case] expected: &str) {
        assert_eq!(path(given), expected);
    }

    #[test]
    fn long_paths_are_cut() {
        assert_eq!(path(&"/a".repeat(1_000)).len(), MAX_PATH_BYTES);
    }
}
