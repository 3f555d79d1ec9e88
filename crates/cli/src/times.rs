//! Times that people write.

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};

/// The time of `2027-01-31` (its beginning in UTC), `2027-01-31T12:00:00` (in UTC) or a time in RFC 3339; `None` for
/// other text.
pub(crate) fn parse_time(text: &str) -> Option<DateTime<Utc>> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Some(at.with_timezone(&Utc));
    }
    if let Ok(at) = NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f") {
        return Some(at.and_utc());
    }
    let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc())
}
