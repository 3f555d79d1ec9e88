//! How long a response may be reused without revalidation (RFC 9111).

use chrono::DateTime;

use crate::gather::Headers;

/// The freshness that a response declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It may be reused for this number of seconds.
    Seconds(u64),
    /// It declares nothing; browsers use heuristics.
    Unstated,
    /// It must not be stored, or must be revalidated each time.
    Refused,
    /// It has an `Expires` that cannot be evaluated, because there is no `Date`.
    Unknown,
}

/// The freshness that the headers declare to a browser cache.
#[must_use]
pub fn freshness(headers: &Headers) -> Freshness {
    let mut max_age = None;
    let mut any = false;
    for directive in headers
        .get_all("cache-control")
        .flat_map(|value| value.split(','))
    {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        any |= !name.trim().is_empty();
        match name.trim().to_ascii_lowercase().as_str() {
            "no-store" | "no-cache" => return Freshness::Refused,
            // Of a repeated directive the first applies (RFC 9111 §4.2.1).
            "max-age" if max_age.is_none() => max_age = Some(seconds(value)),
            _ => {}
        }
    }
    if let Some(seconds) = max_age {
        return Freshness::Seconds(seconds);
    }
    if !any
        && headers
            .get("pragma")
            .is_some_and(|p| p.contains("no-cache"))
    {
        return Freshness::Refused;
    }
    match headers.get("expires") {
        Some(expires) => until(expires, headers.get("date")),
        None => Freshness::Unstated,
    }
}

/// A `max-age` that is not a number makes the response stale.
fn seconds(value: &str) -> u64 {
    let digits = value.trim().trim_matches('"');
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        digits.parse().unwrap_or(u64::MAX)
    } else {
        0
    }
}

/// An `Expires` that is not a date, `0` in particular, means expired.
fn until(expires: &str, date: Option<&str>) -> Freshness {
    let Ok(expires) = DateTime::parse_from_rfc2822(expires) else {
        return Freshness::Seconds(0);
    };
    match date.map(DateTime::parse_from_rfc2822) {
        Some(Ok(date)) => {
            let seconds = (expires - date).num_seconds();
            Freshness::Seconds(u64::try_from(seconds).unwrap_or(0))
        }
        _ => Freshness::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn freshness_of(fields: &[(&str, &str)]) -> Freshness {
        freshness(&fields.iter().copied().collect())
    }

    #[test]
    fn max_age_wins_over_expires() {
        let headers = [
            ("Cache-Control", "public, Max-Age=\"60\""),
            ("Expires", "Thu, 01 Jan 2099 00:00:00 GMT"),
        ];
        assert_eq!(freshness_of(&headers), Freshness::Seconds(60));
    }

    #[test]
    fn expires_is_relative_to_the_date() {
        let headers = [
            ("Date", "Thu, 01 Jan 2026 00:00:00 GMT"),
            ("Expires", "Thu, 01 Jan 2026 01:00:00 GMT"),
        ];
        assert_eq!(freshness_of(&headers), Freshness::Seconds(3600));
        assert_eq!(freshness_of(&[("Expires", "0")]), Freshness::Seconds(0));
        assert_eq!(freshness_of(&headers[1..]), Freshness::Unknown);
    }

    #[test]
    fn no_store_and_missing_headers_are_distinguished() {
        assert_eq!(
            freshness_of(&[("Cache-Control", "no-cache")]),
            Freshness::Refused
        );
        assert_eq!(freshness_of(&[("Pragma", "no-cache")]), Freshness::Refused);
        assert_eq!(
            freshness_of(&[("Cache-Control", "public")]),
            Freshness::Unstated
        );
        assert_eq!(freshness_of(&[]), Freshness::Unstated);
    }
}
