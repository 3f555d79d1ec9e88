//! When a site is audited by itself.

use chrono::{DateTime, Utc};

use crate::id::{RunId, SiteId};

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

/// When a site is audited by itself.
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
}
