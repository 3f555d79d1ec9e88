//! The date of a `lastmod`.

use chrono::{Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

/// The validity of a `lastmod`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LastmodState {
    /// A date in the format of the protocol.
    Valid,
    /// A date in that format that is in the future, so it cannot be the date of a change.
    Future,
    /// Something else.
    Malformed,
}

/// Evaluates a `lastmod` on the day `today` (UTC).
///
/// The format is W3C Date and Time Formats: `2026`, `2026-11`, `2026-11-20`, or with a time and its zone
/// `2026-11-20T08:30Z`, `2026-11-20T08:30:15+01:00`, `2026-11-20T08:30:15.25Z`. A date without a time may be
/// tomorrow's, because time zones differ.
#[must_use]
pub fn judge_lastmod(text: &str, today: NaiveDate) -> LastmodState {
    let (date, latest) = match text.split_once('T') {
        None => (parse_date(text), today.checked_add_days(Days::new(1))),
        Some((date, time)) => (parse_instant(date, time), Some(today)),
    };
    match (date, latest) {
        (None, _) => LastmodState::Malformed,
        (Some(date), Some(latest)) if date > latest => LastmodState::Future,
        _ => LastmodState::Valid,
    }
}

/// Whether [`judge_lastmod`] returns [`LastmodState::Valid`].
#[must_use]
pub fn lastmod_is_valid(text: &str, today: NaiveDate) -> bool {
    judge_lastmod(text, today) == LastmodState::Valid
}

/// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. A year or a month means its first day.
fn parse_date(text: &str) -> Option<NaiveDate> {
    let mut parts = text.split('-');
    let year = digits(parts.next()?, 4)?;
    let month = parts.next().map_or(Some(1), |part| digits(part, 2))?;
    let day = parts.next().map_or(Some(1), |part| digits(part, 2))?;
    if parts.next().is_some() {
        return None;
    }
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)
}

/// The day in UTC of a complete date with a time and a zone.
fn parse_instant(date: &str, time: &str) -> Option<NaiveDate> {
    if date.len() != "YYYY-MM-DD".len() {
        return None;
    }
    let date = parse_date(date)?;
    let (time, offset_minutes) = match time.strip_suffix('Z') {
        Some(time) => (time, 0),
        None => match time.split_once(['+', '-']) {
            Some((before, offset)) if time.contains('+') => (before, parse_offset(offset)?),
            Some((before, offset)) => (before, parse_offset(offset)?.checked_neg()?),
            None => return None,
        },
    };
    let local = NaiveDateTime::new(date, parse_time(time)?);
    let utc = local.checked_sub_signed(TimeDelta::minutes(offset_minutes))?;
    Some(utc.date())
}

/// `hh:mm`, `hh:mm:ss` or `hh:mm:ss.s` with any number of decimals.
fn parse_time(text: &str) -> Option<NaiveTime> {
    let mut parts = text.split(':');
    let hour = digits(parts.next()?, 2)?;
    let minute = digits(parts.next()?, 2)?;
    let second = match parts
        .next()
        .map(|part| part.split_once('.').unwrap_or((part, "0")))
    {
        Some((second, decimals)) if is_digits(decimals) => digits(second, 2)?,
        Some(_) => return None,
        None => 0,
    };
    if parts.next().is_some() {
        return None;
    }
    NaiveTime::from_hms_opt(hour, minute, second)
}

/// `hh:mm` as minutes.
fn parse_offset(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let is_zone = hours < 24 && minutes < 60;
    is_zone.then(|| i64::from(hours) * 60 + i64::from(minutes))
}

fn digits(text: &str, count: usize) -> Option<u32> {
    if text.len() == count && is_digits(text) {
        text.parse().ok()
    } else {
        None
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, 20).unwrap()
    }

    #[rstest]
    #[case("1997")]
    #[case("1997-07")]
    #[case("1997-07-16")]
    #[case("1997-07-16T19:20+01:00")]
    #[case("1997-07-16T19:20Z")]
    #[case("1997-07-16T19:20:30+01:00")]
    #[case("1997-07-16T19:20:30.45+01:00")]
    #[case("1997-07-16T19:20:30.123456789Z")]
    #[case("1997-07-16T19:20:30-11:30")]
    #[case("2024-02-29")]
    #[case("2026-11-20")]
    #[case("2026-11-21")]
    #[case("2026-11-20T23:59:59Z")]
    #[case("2026-11-21T08:00:00+14:00")]
    #[case("2026-11")]
    #[case("2026")]
    fn w3c_dates_are_valid(#[case] text: &str) {
        assert_eq!(judge_lastmod(text, today()), LastmodState::Valid);
    }

    #[rstest]
    #[case("2026-11-22")]
    #[case("2027")]
    #[case("2026-12")]
    #[case("2026-11-21T00:00:00Z")]
    #[case("2026-11-20T23:30:00-01:00")]
    #[case("9999-12-31T23:59:59-23:59")]
    fn dates_to_come_are_future(#[case] text: &str) {
        assert_eq!(judge_lastmod(text, today()), LastmodState::Future);
    }

    #[rstest]
    #[case("")]
    #[case("yesterday")]
    #[case("97-07-16")]
    #[case("1997-7-16")]
    #[case("1997-13-01")]
    #[case("1997-02-29")]
    #[case("1997-00-10")]
    #[case("1997-07-16 19:20:30")]
    #[case("1997-07-16T19:20")]
    #[case("1997-07-16T19:20:30")]
    #[case("1997-07-16T24:00Z")]
    #[case("1997-07-16T19:60Z")]
    #[case("1997-07-16T19:20:60Z")]
    #[case("1997-07-16T19:20:30.Z")]
    #[case("1997-07-16T19:20:30z")]
    #[case("1997-07-16t19:20:30Z")]
    #[case("1997-07-16T19:20:30+0100")]
    #[case("1997-07-16T19:20:30+24:00")]
    #[case("1997-07-16T19:20:30+01:00:00")]
    #[case("1997-07T19:20Z")]
    #[case("1997-07-16T")]
    #[case("1997-07-16TZ")]
    #[case("1997-07-16-01")]
    #[case("16/07/1997")]
    #[case("Wed, 16 Jul 1997 19:20:30 GMT")]
    #[case("+997-07-16")]
    #[case("１９９７")]
    fn other_texts_are_malformed(#[case] text: &str) {
        assert_eq!(judge_lastmod(text, today()), LastmodState::Malformed);
        assert!(!lastmod_is_valid(text, today()));
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[0-9TZ:+.-]{0,30}|\\PC{0,20}") {
            let _ = judge_lastmod(&text, today());
        }
    }
}
