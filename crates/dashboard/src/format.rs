//! How dates and times are written.

use chrono::{DateTime, TimeDelta, Utc};
use domain::text::count;

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
    let past = |number: i64, one, many| count(number.unsigned_abs(), one, many) + " ago";
    if span < TimeDelta::minutes(1) {
        "just now".to_owned()
    } else if span < TimeDelta::hours(1) {
        past(span.num_minutes(), "minute", "minutes")
    } else if span < TimeDelta::days(1) {
        past(span.num_hours(), "hour", "hours")
    } else {
        past(span.num_days(), "day", "days")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
