//! Request headers that a caller adds to a run.

use std::collections::BTreeMap;
use std::fmt;

use super::InvalidOption;

/// Headers of a run at most.
pub const MAX_HEADERS: usize = 20;
/// Characters of a header's name at most.
pub const MAX_HEADER_NAME_CHARS: usize = 100;
/// Characters of a header's value at most.
pub const MAX_HEADER_VALUE_CHARS: usize = 4_096;

/// What stands for a value where values are not shown.
pub const HIDDEN: &str = "***";

/// Names that belong to the connection, to the client or to the crawler, and so to no caller.
const RESERVED: [&str; 22] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "expect",
    "host",
    "http2-settings",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "origin",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];

/// Request headers for the site's own origin. They may hold secrets, so `Debug` shows names alone.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct RequestHeaders(BTreeMap<String, String>);

impl RequestHeaders {
    /// The headers in a request: at most [`MAX_HEADERS`], with names that are tokens (RFC 9110,
    /// section 5.6.2) and not reserved, in any case but none twice, and values of visible ASCII
    /// characters with spaces between them.
    ///
    /// # Errors
    /// Every header that is wrong, or that there are too many.
    pub fn parse(headers: BTreeMap<String, String>) -> Result<Self, Vec<InvalidOption>> {
        if headers.len() > MAX_HEADERS {
            return Err(vec![InvalidOption::TooManyHeaders]);
        }
        let (mut parsed, mut wrong) = (BTreeMap::new(), Vec::new());
        for (name, value) in headers {
            let lower = name.to_ascii_lowercase();
            let value = value.trim_matches([' ', '\t']).to_owned();
            if !is_token(&lower) || !is_value(&value) {
                wrong.push(InvalidOption::Header { name });
            } else if RESERVED.contains(&lower.as_str()) || lower.starts_with("proxy-") {
                wrong.push(InvalidOption::ReservedHeader { name });
            } else if parsed.insert(lower, value).is_some() {
                wrong.push(InvalidOption::HeaderTwice { name });
            }
        }
        match wrong.is_empty() {
            true => Ok(Self(parsed)),
            false => Err(wrong),
        }
    }

    /// Headers as they were stored.
    #[must_use]
    pub const fn stored(headers: BTreeMap<String, String>) -> Self {
        Self(headers)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The names in lower case, in order; never secret.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The same names, each with the value [`HIDDEN`].
    #[must_use]
    pub fn hidden(&self) -> Self {
        Self(
            self.names()
                .map(|name| (name.to_owned(), HIDDEN.to_owned()))
                .collect(),
        )
    }

    /// Names and values. The values may be secret.
    #[must_use]
    pub const fn expose(&self) -> &BTreeMap<String, String> {
        &self.0
    }
}

impl fmt::Debug for RequestHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

fn is_token(name: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    (1..=MAX_HEADER_NAME_CHARS).contains(&name.len()) && name.bytes().all(fits)
}

fn is_value(value: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_graphic() || byte == b' ' || byte == b'\t';
    (1..=MAX_HEADER_VALUE_CHARS).contains(&value.len()) && value.bytes().all(fits)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn parse(name: &str, value: &str) -> Result<RequestHeaders, Vec<InvalidOption>> {
        RequestHeaders::parse(BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[rstest]
    #[case::plain("X-Preview", "1", true)]
    #[case::credentials("Authorization", "Basic dXNlcjpwYXNz", true)]
    #[case::cookies("Cookie", "a=b; c=d", true)]
    #[case::a_space_in_the_name("X Preview", "1", false)]
    #[case::no_name("", "1", false)]
    #[case::no_value("X-Preview", " ", false)]
    #[case::another_header("X-Preview", "1\r\nHost: internal", false)]
    #[case::nul("X-Preview", "\0", false)]
    #[case::not_ascii("X-Preview", "é", false)]
    #[case::reserved("HOST", "internal", false)]
    #[case::of_the_connection("Transfer-Encoding", "chunked", false)]
    #[case::of_a_proxy("Proxy-Authorization", "x", false)]
    #[case::has_its_own_option("User-Agent", "x", false)]
    fn headers(#[case] name: &str, #[case] value: &str, #[case] valid: bool) {
        assert_eq!(parse(name, value).is_ok(), valid);
    }

    #[test]
    fn names_do_not_differ_by_case() {
        let twice = [("x-a", "1"), ("X-A", "2")].map(|(n, v)| (n.to_owned(), v.to_owned()));
        assert!(RequestHeaders::parse(BTreeMap::from(twice)).is_err());
    }

    #[test]
    fn headers_are_bounded() {
        let many = |count| {
            let headers = (0..count).map(|n| (format!("x-{n}"), "1".to_owned()));
            RequestHeaders::parse(headers.collect())
        };
        assert!(many(MAX_HEADERS).is_ok());
        assert!(many(MAX_HEADERS + 1).is_err());
        assert!(parse("x", &"v".repeat(MAX_HEADER_VALUE_CHARS)).is_ok());
        assert!(parse("x", &"v".repeat(MAX_HEADER_VALUE_CHARS + 1)).is_err());
    }

    #[test]
    fn values_are_not_shown() {
        let headers = parse("Authorization", "Bearer hunter2").unwrap();
        let shown = format!("{headers:?}");
        assert!(shown.contains("authorization") && !shown.contains("hunter2"));
        assert_eq!(headers.hidden().expose()["authorization"], HIDDEN);
    }
}
