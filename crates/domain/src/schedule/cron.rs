//! Cron expressions of five fields.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
use croner::parser::{CronParser, Seconds, Year};
use croner::{Cron, Weekday};

use super::timetable::{InvalidSchedule, MAX_CRON_CHARS};

const MONTHS: [&str; 12] = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
];
const WEEKDAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const LEAP_YEAR: i32 = 2028;

/// An expression with its fields parted by single blanks, and what it means.
///
/// The fields of cron as everybody knows it: numbers, `*`, lists, ranges and steps, and names of months
/// and weekdays in their own fields. What parsers add to it, each in its own way, is refused.
pub(super) fn parse(text: &str) -> Result<(String, Cron), InvalidSchedule> {
    if text.chars().count() > MAX_CRON_CHARS {
        return Err(InvalidSchedule::CronTooLong);
    }
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[minute, hour, day, month, weekday] = fields.as_slice() else {
        return Err(InvalidSchedule::CronFields(fields.len()));
    };
    for (name, field, words) in [
        ("minute", minute, &[][..]),
        ("hour", hour, &[]),
        ("day of the month", day, &[]),
        ("month", month, &MONTHS),
        ("day of the week", weekday, &WEEKDAYS),
    ] {
        if !is_plain(field, words) {
            return Err(InvalidSchedule::CronField(name));
        }
    }
    let plain = fields.join(" ");
    let parser = CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build();
    match parser.parse(&plain) {
        Ok(cron) => Ok((plain, cron)),
        Err(_) => Err(InvalidSchedule::Cron),
    }
}

/// Whether a field holds numbers, known words and the signs of cron alone.
fn is_plain(field: &str, words: &[&str]) -> bool {
    let is_known = |part: &str| {
        let is_number =
            (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part == "*" || is_number || words.iter().any(|word| word.eq_ignore_ascii_case(part))
    };
    field
        .split([',', '-', '/'])
        .all(|part| !part.is_empty() && is_known(part))
}

/// Whether an expression names a day that comes. A leap year has all days there are.
pub(super) fn ever_comes(cron: &Cron) -> bool {
    let first = NaiveDate::from_ymd_opt(LEAP_YEAR, 1, 1);
    let year = first.into_iter().flat_map(|day| day.iter_days().take(366));
    year.map(|day| (day, day.weekday().num_days_from_sunday()))
        .any(|(day, weekday)| {
            let (month, weekday) = (day.month(), Weekday::from_days_from_sunday(weekday));
            let pattern = &cron.pattern;
            pattern.month_match(month).unwrap_or_default()
                && pattern
                    .day_match(LEAP_YEAR, month, day.day(), weekday)
                    .unwrap_or_default()
        })
}

/// The times on the wall that an expression names, from one on.
pub(super) fn times(cron: &Cron, from: NaiveDateTime) -> impl Iterator<Item = NaiveDateTime> {
    // Reckoned as if the wall showed UTC, which has no gaps: those of the zone are ours to judge.
    let mut begin = Some((from.and_utc(), true));
    std::iter::from_fn(move || {
        let (after, inclusive) = begin.take()?;
        let next: DateTime<Utc> = cron.find_next_occurrence(&after, inclusive).ok()?;
        begin = Some((next, false));
        Some(next.naive_utc())
    })
}
