//! Schedules of automatic audits.
//!
//! [`Timetable`] is the rule: a frequency in a time zone, and from it the next time after any moment.
//! The wall clock decides, so `03:00` stays `03:00` when the clocks change. A time that a day does not
//! have, because the clocks go forward, is the first moment after the gap; a time that a day has twice is
//! the first of the two. So there is one run for each time of the timetable, and never two.

mod cron;
mod cron_schedule;
mod skip;
mod timetable;
mod wall;

use chrono::{DateTime, Utc};

pub use cron_schedule::CronSchedule;
pub use skip::SkipReason;
pub use timetable::{BASE_HOUR, InvalidSchedule, MAX_CRON_CHARS, SPREAD, Timetable};

use crate::id::{OrgId, RunId, SiteId};

/// How often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frequency {
    /// Every day.
    Daily,
    /// Every week.
    Weekly,
    /// Every month.
    Monthly,
    /// By a cron expression of five fields.
    Custom(String),
}

impl Frequency {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Custom(_) => "custom",
        }
    }

    /// The cron expression of a custom frequency.
    #[must_use]
    pub fn cron(&self) -> Option<&str> {
        match self {
            Self::Custom(cron) => Some(cron),
            Self::Daily | Self::Weekly | Self::Monthly => None,
        }
    }

    /// The frequency of a request: its name and, for a custom one, its expression.
    ///
    /// # Errors
    /// When a custom frequency has no expression, or another one has.
    pub fn asked(name: &str, cron: Option<String>) -> Result<Self, InvalidSchedule> {
        match (name, cron) {
            ("custom", None) => Err(InvalidSchedule::CronMissing),
            ("custom", Some(cron)) => Ok(Self::Custom(cron)),
            (_, Some(_)) => Err(InvalidSchedule::CronNotCustom),
            (name, None) => Self::stored(name, None).ok_or(InvalidSchedule::Frequency),
        }
    }

    /// A frequency as it is stored: its name and, for a custom one, its expression.
    #[must_use]
    pub fn stored(name: &str, cron: Option<String>) -> Option<Self> {
        match (name, cron) {
            ("daily", None) => Some(Self::Daily),
            ("weekly", None) => Some(Self::Weekly),
            ("monthly", None) => Some(Self::Monthly),
            ("custom", Some(cron)) => Some(Self::Custom(cron)),
            _ => None,
        }
    }
}

/// The schedule of automatic audits of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The site.
    pub site_id: SiteId,
    /// Whether it runs.
    pub enabled: bool,
    /// How often; none for a site that was never given a schedule.
    pub frequency: Option<Frequency>,
    /// The IANA name of the time zone it is kept in.
    pub timezone: Option<String>,
    /// When the next run is due.
    pub next_run_at: Option<DateTime<Utc>>,
    /// When the last run was started.
    pub last_run_at: Option<DateTime<Utc>>,
    /// The last run.
    pub last_run_id: Option<RunId>,
}

impl Schedule {
    /// The schedule of a site that was never given one.
    #[must_use]
    pub const fn none(site_id: SiteId) -> Self {
        Self {
            site_id,
            enabled: false,
            frequency: None,
            timezone: None,
            next_run_at: None,
            last_run_at: None,
            last_run_id: None,
        }
    }

    /// Gives it other settings, and the time that follows from them.
    pub fn change(&mut self, change: &ScheduleChange, next_run_at: Option<DateTime<Utc>>) {
        self.enabled = change.enabled;
        self.frequency = Some(change.timetable.frequency().clone());
        self.timezone = Some(change.timetable.timezone().to_owned());
        self.next_run_at = next_run_at;
    }

    /// Whether it differs in what a person can set.
    #[must_use]
    pub fn differs_in_settings(&self, other: &Self) -> bool {
        (self.enabled, &self.frequency, &self.timezone)
            != (other.enabled, &other.frequency, &other.timezone)
    }

    /// What a person set, in a line for the audit log.
    #[must_use]
    pub fn in_words(&self) -> String {
        let frequency = self.frequency.as_ref();
        let often = frequency.map_or("never", |frequency| match frequency.cron() {
            Some(cron) => cron,
            None => frequency.as_str(),
        });
        let zone = self.timezone.as_deref().unwrap_or_default();
        let off = if self.enabled { "" } else { ", off" };
        format!("{often}, {zone}{off}")
    }
}

/// A schedule as it is to be from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleChange {
    /// Whether it is kept.
    pub enabled: bool,
    /// How often, and in which time zone.
    pub timetable: Timetable,
}

/// A schedule whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueSchedule {
    /// Whose site it is.
    pub org_id: OrgId,
    /// The name of the organization's plan.
    pub plan: String,
    /// The site.
    pub site_id: SiteId,
    /// The address of the site's root.
    pub url: String,
    /// How often.
    pub frequency: Frequency,
    /// The IANA name of the time zone.
    pub timezone: String,
    /// The time that has come: the last look may be long ago, and this the first of many that were
    /// missed since.
    pub due_at: DateTime<Utc>,
}
