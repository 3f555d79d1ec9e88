//! The times at which a site is audited.

use chrono::{
    DateTime, Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc,
};
use chrono_tz::Tz;
use croner::Cron;
use sha2::{Digest, Sha256};

use super::wall::{moment, wall};
use super::{Frequency, cron};
use crate::id::SiteId;

/// The hour of the day at which daily, weekly and monthly runs begin to start.
pub const BASE_HOUR: u32 = 3;
/// Over how long they are spread, so that the sites of a service do not all start at once.
pub const SPREAD: TimeDelta = TimeDelta::hours(1);
/// The most characters of a cron expression.
pub const MAX_CRON_CHARS: usize = 200;

/// Times on the wall that are looked at: those of a whole day that clocks skip, and some.
pub(super) const LOOKED_AT: usize = 5_000;

/// When a site is audited: a frequency in a time zone.
///
/// - `daily`: every day. `weekly`: on Mondays. `monthly`: on the first of the month. Each at 03:00 by the
///   clocks of the zone, plus an offset below an hour that is the site's own and never changes.
/// - `custom`: exactly when its cron expression says, without an offset: who names a minute means it.
#[derive(Debug, Clone)]
pub struct Timetable {
    frequency: Frequency,
    zone: Tz,
    cron: Option<Cron>,
}

impl PartialEq for Timetable {
    fn eq(&self, other: &Self) -> bool {
        (&self.frequency, self.zone) == (&other.frequency, other.zone)
    }
}

impl Eq for Timetable {}

/// Why there is no such timetable. The texts are for the person who asks for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSchedule {
    /// The frequency is none.
    #[error("must be one of daily, weekly, monthly, custom")]
    Frequency,
    /// A custom frequency without its expression.
    #[error("the frequency `custom` requires a cron expression, for example `30 4 * * 1-5`")]
    CronMissing,
    /// An expression with another frequency.
    #[error("a cron expression is only allowed with the frequency `custom`")]
    CronNotCustom,
    /// The expression is longer than any that makes sense.
    #[error("at most {MAX_CRON_CHARS} characters are allowed")]
    CronTooLong,
    /// The expression has more or fewer fields.
    #[error(
        "expected five fields, found {0}: minute, hour, day of the month, month, day of \
         the week"
    )]
    CronFields(usize),
    /// A field has what no cron expression has.
    #[error(
        "the {0} is not a valid field of a cron expression: use numbers, *, lists (1,2), ranges (1-5), steps (*/10), and \
         names of months and weekdays in their fields"
    )]
    CronField(&'static str),
    /// A number is out of range, or a range runs backwards.
    #[error(
        "the expression is invalid: minutes are 0 to 59, hours 0 to 23, days 1 to 31, months 1 \
         to 12, days of the week 0 to 7, and ranges run forward"
    )]
    Cron,
    /// The expression names no time, such as 30 February.
    #[error("the expression matches no date")]
    CronNever,
    /// The time zone is none.
    #[error("must be the name of an IANA time zone, for example Europe/Berlin or UTC")]
    TimeZone,
}

impl InvalidSchedule {
    /// The field of the request that it is about.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Frequency => "frequency",
            Self::TimeZone => "timezone",
            Self::CronMissing
            | Self::CronNotCustom
            | Self::CronTooLong
            | Self::CronFields(_)
            | Self::CronField(_)
            | Self::Cron
            | Self::CronNever => "cron",
        }
    }
}

impl Timetable {
    /// The timetable of a frequency in the time zone of an IANA name.
    ///
    /// # Errors
    /// When a cron expression cannot be read or its time never comes, or there is no such time zone.
    pub fn new(frequency: Frequency, timezone: &str) -> Result<Self, InvalidSchedule> {
        let (frequency, cron) = match frequency {
            Frequency::Custom(text) => {
                let (text, cron) = cron::parse(&text)?;
                if !cron::ever_comes(&cron) {
                    return Err(InvalidSchedule::CronNever);
                }
                (Frequency::Custom(text), Some(cron))
            }
            usual => (usual, None),
        };
        let zone = timezone.parse().map_err(|_| InvalidSchedule::TimeZone)?;
        Ok(Self {
            frequency,
            zone,
            cron,
        })
    }

    /// How often.
    #[must_use]
    pub const fn frequency(&self) -> &Frequency {
        &self.frequency
    }

    /// The IANA name of the time zone.
    #[must_use]
    pub fn timezone(&self) -> &'static str {
        self.zone.name()
    }

    /// The first time after a moment, strictly; none only at the end of the calendar.
    #[must_use]
    pub fn next_after(&self, site: &SiteId, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.times_on_the_wall(site, wall(self.zone, now))
            .take(LOOKED_AT)
            .find_map(|time| moment(self.zone, time).filter(|at| *at > now))
    }

    /// The times of the timetable as clocks show them, in their order, from about a time on: none before
    /// the first can be later than that time.
    fn times_on_the_wall(
        &self,
        site: &SiteId,
        from: NaiveDateTime,
    ) -> Box<dyn Iterator<Item = NaiveDateTime> + '_> {
        let start = start_of_day(site);
        let date = from.date();
        match (&self.frequency, &self.cron) {
            (Frequency::Custom(_), None) => Box::new(std::iter::empty()),
            (_, Some(cron)) => Box::new(cron::times(cron, from)),
            (Frequency::Daily, None) => days(date, 1, start),
            (Frequency::Weekly, None) => {
                let since_monday = Days::new(date.weekday().num_days_from_monday().into());
                days(
                    date.checked_sub_days(since_monday).unwrap_or(date),
                    7,
                    start,
                )
            }
            (Frequency::Monthly, None) => {
                let first = date.with_day(1).unwrap_or(date);
                let months =
                    (0..).map_while(move |month| first.checked_add_months(Months::new(month)));
                Box::new(months.map(move |day| day.and_time(start)))
            }
        }
    }
}

/// Every so many days, at a time of the day.
fn days(
    first: NaiveDate,
    step: u64,
    time: NaiveTime,
) -> Box<dyn Iterator<Item = NaiveDateTime> + 'static> {
    let days = (0..).map_while(move |number: u64| {
        let days = number.checked_mul(step)?;
        first.checked_add_days(Days::new(days))
    });
    Box::new(days.map(move |day| day.and_time(time)))
}

/// When in the day the runs of a site start: always the same for one site, and spread for many.
fn start_of_day(site: &SiteId) -> NaiveTime {
    let hash = Sha256::digest(site.as_str().as_bytes());
    let drawn = hash
        .iter()
        .take(6)
        .fold(0_i64, |sum, byte| sum * 256 + i64::from(*byte));
    let offset = TimeDelta::seconds(drawn % SPREAD.num_seconds());
    let base = NaiveTime::from_hms_opt(BASE_HOUR, 0, 0).unwrap_or_default();
    base.overflowing_add_signed(offset).0
}

#[cfg(test)]
mod tests;
