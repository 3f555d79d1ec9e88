//! How dates, numbers and texts are written.

use chrono::{DateTime, TimeDelta, Utc};

/// A time for a `<time>` element: `datetime`, and the text that is shown without script. The script replaces the text
/// by the time in the reader's zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Time {
    pub(crate) iso: String,
    pub(crate) text: String,
}

impl Time {
    pub(crate) fn new(at: DateTime<Utc>) -> Self {
        Self {
            iso: at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
            text: at.format("%-d %b %Y, %H:%M UTC").to_string(),
        }
    }

    pub(crate) fn optional(at: Option<DateTime<Utc>>) -> Option<Self> {
        at.map(Self::new)
    }
}

/// How long ago something was, roughly: `3 days ago`.
pub(crate) fn ago(at: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let span = now - at;
    if span < TimeDelta::minutes(1) {
        "just now".to_owned()
    } else if span < TimeDelta::hours(1) {
        counted(span.num_minutes(), "minute") + " ago"
    } else if span < TimeDelta::days(1) {
        counted(span.num_hours(), "hour") + " ago"
    } else {
        counted(span.num_days(), "day") + " ago"
    }
}

/// A number with its noun: `1 page`, `2 pages`, `12,345 pages`.
pub(crate) fn counted(count: impl Into<i64>, noun: &str) -> String {
    let count = count.into();
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// A number with commas between its thousands.
pub(crate) fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number < 0 {
        text.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (-1_234_567, "-1,234,567"),
        ] {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(counted(1, "page"), "1 page");
        assert_eq!(counted(0, "page"), "0 pages");
    }

    #[test]
    fn spans_are_rounded_down() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(20_000);
        for (seconds, text) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 minute ago"),
            (7_199, "1 hour ago"),
            (172_800, "2 days ago"),
        ] {
            assert_eq!(ago(now - TimeDelta::seconds(seconds), now), text);
        }
    }
}
