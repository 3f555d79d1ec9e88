//! The outcome of a delivery attempt.

use std::time::Duration;

use audit_engine::egress::Posted;
use audit_engine::gather::FetchError;
use chrono::{DateTime, TimeDelta, Utc};
use domain::webhook::{DeliveryAttempt, Reply};

/// Returns the log entry of an attempt, and the response that the retry decision depends on.
pub(super) fn classify(
    sent: &Result<Posted, FetchError>,
    at: DateTime<Utc>,
    took: Duration,
    now: DateTime<Utc>,
) -> (DeliveryAttempt, Reply) {
    let posted = sent.as_ref().ok();
    let attempt = DeliveryAttempt {
        at,
        duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        status_code: posted.map(|posted| posted.status),
        error: sent.as_ref().err().map(ToString::to_string),
    };
    let asked = posted.and_then(|posted| posted.retry_after.as_deref());
    let reply = Reply {
        status: attempt.status_code,
        retry_after: asked.and_then(|text| retry_after(text, now)),
    };
    (attempt, reply)
}

/// Parses a `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: DateTime<Utc>) -> Option<TimeDelta> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(TimeDelta::seconds(seconds.into()));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    Some((date.to_utc() - now).max(TimeDelta::zero()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use testkit::sample;

    use super::*;

    #[rstest]
    #[case("120", Some(120))]
    #[case(" 0 ", Some(0))]
    #[case("-5", None)]
    #[case("soon", None)]
    #[case("", None)]
    #[case("99999999999999", None)]
    fn a_retry_after_in_seconds_is_parsed(#[case] text: &str, #[case] seconds: Option<i64>) {
        let now = sample::noon();
        let read = retry_after(text, now).map(|wait| wait.num_seconds());
        assert_eq!(read, seconds);
    }

    #[test]
    fn a_retry_after_date_is_parsed_and_a_past_one_means_now() {
        let now = sample::noon();
        for (seconds, expected) in [(90, 90), (-90, 0)] {
            let date = now + TimeDelta::seconds(seconds);
            let text = date.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
            let read = retry_after(&text, now).map(|wait| wait.num_seconds());
            assert_eq!(read, Some(expected), "{text}");
        }
    }
}
