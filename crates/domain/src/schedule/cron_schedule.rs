//! A cron expression in a time zone, for work of the service itself.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use croner::Cron;

use super::cron;
use super::timetable::{InvalidSchedule, LOOKED_AT};
use super::wall::{moment, wall};

/// A cron expression of five fields in a time zone.
///
/// A local time that does not exist because the clocks go forward becomes the first time after the gap.
///
/// ```
/// use domain::schedule::CronSchedule;
///
/// let nightly = CronSchedule::new("20 3 * * *", "Europe/Berlin")?;
/// let next = nightly.next_after("2026-11-26T12:00:00Z".parse().unwrap());
/// assert_eq!(next, Some("2026-11-27T02:20:00Z".parse().unwrap()));
/// # Ok::<(), domain::schedule::InvalidSchedule>(())
/// ```
#[derive(Debug, Clone)]
pub struct CronSchedule {
    text: String,
    cron: Cron,
    zone: Tz,
}

impl PartialEq for CronSchedule {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.zone) == (&other.text, other.zone)
    }
}

impl Eq for CronSchedule {}

impl CronSchedule {
    /// The schedule of an expression in the time zone of an IANA name.
    ///
    /// # Errors
    /// If the expression is invalid or matches no date, or there is no such time zone.
    pub fn new(expression: &str, timezone: &str) -> Result<Self, InvalidSchedule> {
        let (text, cron) = cron::parse(expression)?;
        if !cron::ever_comes(&cron) {
            return Err(InvalidSchedule::CronNever);
        }
        let zone = timezone.parse().map_err(|_| InvalidSchedule::TimeZone)?;
        Ok(Self { text, cron, zone })
    }

    /// The expression, its fields separated by single spaces.
    #[must_use]
    pub fn expression(&self) -> &str {
        &self.text
    }

    /// The first time that is strictly after `now`; `None` only at the end of the calendar.
    #[must_use]
    pub fn next_after(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        cron::times(&self.cron, wall(self.zone, now))
            .take(LOOKED_AT)
            .find_map(|time| moment(self.zone, time).filter(|at| *at > now))
    }
}
