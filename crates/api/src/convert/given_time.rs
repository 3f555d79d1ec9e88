//! Times in requests.

use chrono::{DateTime, NaiveDate, Utc};

/// Reads a time in RFC 3339.
///
/// # Errors
/// What the text lacks.
pub(super) fn parse(text: &str) -> Result<DateTime<Utc>, &'static str> {
    if let Ok(at) = DateTime::parse_from_rfc3339(text) {
        return Ok(at.with_timezone(&Utc));
    }
    let date = text.get(..DATE.len()).filter(|date| has_form(date));
    let rest = text.get(DATE.len()..).unwrap_or_default();
    Err(match date {
        Some(date) if NaiveDate::parse_from_str(date, "%Y-%m-%d").is_err() => {
            "There is no such day in the calendar."
        }
        Some(_) if rest.is_empty() => {
            "The time of day is missing; for example 2027-01-31T00:00:00Z (RFC 3339)."
        }
        _ => "Must be a time in RFC 3339, for example 2027-01-31T00:00:00Z.",
    })
}

/// The form of a date.
const DATE: &str = "YYYY-MM-DD";

fn has_form(date: &str) -> bool {
    date.bytes()
        .zip(DATE.bytes())
        .all(|(byte, form)| match form {
            b'-' => byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::in_utc("2027-01-31T12:30:00Z", Ok("2027-01-31T12:30:00+00:00"))]
    #[case::with_an_offset("2027-01-31T12:30:00.5+02:00", Ok("2027-01-31T10:30:00.500+00:00"))]
    #[case::a_date("2027-01-31", Err("The time of day is missing"))]
    #[case::no_such_date("2026-02-30", Err("There is no such day"))]
    #[case::no_such_date_with_a_time("2026-02-30T00:00:00Z", Err("There is no such day"))]
    #[case::no_such_month("2026-13-01T00:00:00Z", Err("There is no such day"))]
    #[case::no_offset("2027-01-31T12:30:00", Err("Must be a time in RFC 3339"))]
    #[case::no_such_hour("2027-01-31T25:00:00Z", Err("Must be a time in RFC 3339"))]
    #[case::no_date("tomorrow", Err("Must be a time in RFC 3339"))]
    #[case::other_letters("2027-01-3é", Err("Must be a time in RFC 3339"))]
    #[case::empty("", Err("Must be a time in RFC 3339"))]
    fn times(#[case] text: &str, #[case] expected: Result<&str, &str>) {
        match (parse(text), expected) {
            (Ok(at), Ok(expected)) => assert_eq!(at.to_rfc3339(), expected),
            (Err(found), Err(expected)) => assert!(found.starts_with(expected), "{found}"),
            (found, expected) => panic!("{found:?} {expected:?}"),
        }
    }
}
