//! How dates, times and sizes are written.

use chrono::{DateTime, TimeDelta, Utc};
use domain::text::{count, grouped};

/// The units of sizes, each a thousand times the one before.
const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];

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

/// A size with its unit, rounded down to a tenth: `999 bytes`, `1.5 MB`.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} bytes");
    }
    let mut tenths = bytes / 100;
    let mut units = UNITS.iter().peekable();
    while let Some(unit) = units.next() {
        if tenths < 10_000 || units.peek().is_none() {
            return format!("{}.{} {unit}", grouped(tenths / 10), tenths % 10);
        }
        tenths /= 1_000;
    }
    format!("{bytes} bytes")
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

    #[test]
    fn sizes_have_the_largest_unit_that_fits() {
        for (bytes, text) in [
            (0, "0 bytes"),
            (999, "999 bytes"),
            (1_000, "1.0 kB"),
            (999_999, "999.9 kB"),
            (1_550_000, "1.5 MB"),
            (20_000_000_000, "20.0 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
