//! From the clock on the wall to the moment it shows.

use chrono::{DateTime, LocalResult, NaiveDateTime, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// The longest that clocks were ever put forward: places that crossed the date line had no such day.
const LONGEST_GAP_MINUTES: i64 = 25 * 60;

/// What the clocks of a zone show at a moment.
pub(super) fn wall(zone: Tz, at: DateTime<Utc>) -> NaiveDateTime {
    at.with_timezone(&zone).naive_local()
}

/// The moment at which the clocks of a zone first show a time or, where they never do because they are
/// put forward, the first moment after the gap. The later of two times never has the earlier moment.
pub(super) fn moment(zone: Tz, wall: NaiveDateTime) -> Option<DateTime<Utc>> {
    let first = |wall: &NaiveDateTime| match zone.from_local_datetime(wall) {
        LocalResult::Single(at) => Some(at.to_utc()),
        LocalResult::Ambiguous(one, other) => Some(one.min(other).to_utc()),
        LocalResult::None => None,
    };
    first(&wall).or_else(|| {
        // Clocks are put forward at whole minutes.
        let minute = wall.with_second(0)?.with_nanosecond(0)?;
        (1..=LONGEST_GAP_MINUTES).find_map(|minutes| {
            let later = minute.checked_add_signed(TimeDelta::minutes(minutes))?;
            first(&later)
        })
    })
}
