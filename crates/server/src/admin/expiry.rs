//! Parsing of key expiry times.

use chrono::{DateTime, TimeDelta, Utc};

/// Parses an RFC 3339 time, or a duration from `now`: a number and `m`, `h`, `d` or `w`.
pub(super) fn parse(text: &str, now: DateTime<Utc>) -> Result<DateTime<Utc>, String> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Ok(time.to_utc());
    }
    span(text)
        .and_then(|span| now.checked_add_signed(span))
        .ok_or_else(|| {
            format!(
                "`{text}` is not an expiry: use a time such as 2027-01-31T00:00:00Z, or a duration such as 12h, 30d or 8w"
            )
        })
}

fn span(text: &str) -> Option<TimeDelta> {
    let unit = text.chars().next_back()?;
    let number = text.strip_suffix(unit)?;
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i64 = number.parse().ok()?;
    let span = match unit {
        'm' => TimeDelta::try_minutes(number),
        'h' => TimeDelta::try_hours(number),
        'd' => TimeDelta::try_days(number),
        'w' => TimeDelta::try_weeks(number),
        _ => None,
    };
    span.filter(|span| *span > TimeDelta::zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn times_and_spans() {
        let parsed = |text: &str| parse(text, now()).unwrap().to_rfc3339();
        assert_eq!(
            parsed("2027-01-31T01:00:00+01:00"),
            "2027-01-31T00:00:00+00:00"
        );
        assert_eq!(parsed("30d"), "2026-12-21T12:00:00+00:00");
        assert_eq!(parsed("90m"), "2026-11-21T13:30:00+00:00");
        assert_eq!(parsed("1w"), "2026-11-28T12:00:00+00:00");
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "d",
            "0d",
            "-1d",
            "+1d",
            "1y",
            "1.5d",
            "99999999999999999999d",
            "tomorrow",
            "2027-01-31",
            "5é",
        ] {
            assert!(parse(text, now()).is_err(), "{text}");
        }
    }
}
