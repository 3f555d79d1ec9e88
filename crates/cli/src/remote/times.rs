//! Times in tables.

use chrono::{DateTime, Utc};

/// `2026-11-22 04:05`; a dash for `None`.
#[must_use]
pub fn minute_of(time: Option<DateTime<Utc>>) -> String {
    time.map_or_else(
        || "–".to_owned(),
        |time| time.format("%Y-%m-%d %H:%M").to_string(),
    )
}

/// `2026-11-22 04:05` for an RFC 3339 time in UTC; other text unchanged.
pub(super) fn minute(time: &str) -> String {
    match (time.get(..10), time.get(10..11), time.get(11..16)) {
        (Some(day), Some("T"), Some(minute)) => format!("{day} {minute}"),
        _ => time.to_owned(),
    }
}

/// Like [`minute`]; a dash for `None`.
pub(super) fn minute_or_dash(time: Option<&String>) -> String {
    time.map_or_else(|| "–".to_owned(), |time| minute(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_to_the_minute() {
        assert_eq!(minute("2026-11-22T04:05:06.789Z"), "2026-11-22 04:05");
        assert_eq!(minute("soon"), "soon");
        let time = "2026-11-22T04:05:06.789Z";
        assert_eq!(minute_of(Some(time.parse().unwrap())), minute(time));
        assert_eq!(minute_of(None), "–");
    }
}
