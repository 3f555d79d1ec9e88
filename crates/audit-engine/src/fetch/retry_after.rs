//! Parses `Retry-After`.

use std::time::Duration;

use chrono::{DateTime, NaiveDateTime};

use crate::gather::Headers;

/// The two obsolete date formats that recipients must accept (RFC 9110, section 5.6.7).
const OLD_FORMS: [&str; 2] = ["%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// The waiting time in the `Retry-After` of a response (RFC 9110, section 10.2.3). A date is compared with the
/// `Date` of the response, because the clocks of two machines differ. Without `Date` it is ignored.
pub(super) fn retry_after(headers: &Headers) -> Option<Duration> {
    let value = headers.get("retry-after")?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // Digits that overflow are a very long time.
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let wait = date(value)?.saturating_sub(date(headers.get("date")?.trim())?);
    Some(Duration::from_secs(u64::try_from(wait).unwrap_or(0)))
}

/// Seconds since 1970.
fn date(value: &str) -> Option<i64> {
    if let Ok(date) = DateTime::parse_from_rfc2822(value) {
        return Some(date.timestamp());
    }
    OLD_FORMS.iter().find_map(|form| {
        let date = NaiveDateTime::parse_from_str(value, form).ok()?;
        Some(date.and_utc().timestamp())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("120", Some(120))]
    #[case(" 0 ", Some(0))]
    #[case("99999999999999999999999", Some(u64::MAX))]
    #[case("Sun, 06 Nov 1994 08:50:37 GMT", Some(60))]
    #[case("Sunday, 06-Nov-94 08:50:37 GMT", Some(60))]
    #[case("Sun Nov  6 08:50:37 1994", Some(60))]
    #[case("Sun, 06 Nov 1994 08:00:00 GMT", Some(0))]
    #[case("-5", None)]
    #[case("1.5", None)]
    #[case("soon", None)]
    #[case("", None)]
    fn seconds_and_all_three_forms_of_dates_are_understood(
        #[case] value: &str,
        #[case] expected: Option<u64>,
    ) {
        let headers = Headers::from_iter([
            ("date", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("retry-after", value),
        ]);
        assert_eq!(retry_after(&headers), expected.map(Duration::from_secs));
    }

    #[test]
    fn a_date_is_ignored_without_the_hosts_clock() {
        let headers = Headers::from_iter([("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT")]);
        assert_eq!(retry_after(&headers), None);
    }
}
