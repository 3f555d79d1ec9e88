//! Retention periods.

use std::fmt;
use std::num::NonZeroU32;

use chrono::{DateTime, TimeDelta, Utc};

/// The maximum number of days: a century.
pub const MAX_DAYS: u32 = 36_525;

/// A retention period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// For ever.
    Forever,
    /// A number of days.
    Days(NonZeroU32),
}

impl Keep {
    /// A number of days; zero is forever.
    #[must_use]
    pub const fn days(days: u32) -> Self {
        match NonZeroU32::new(days) {
            Some(days) => Self::Days(days),
            None => Self::Forever,
        }
    }

    /// The number of days; zero is for ever.
    #[must_use]
    pub const fn as_days(self) -> u32 {
        match self {
            Self::Forever => 0,
            Self::Days(days) => days.get(),
        }
    }

    /// Whether it keeps data for longer than another period does.
    #[must_use]
    pub const fn is_longer_than(self, other: Self) -> bool {
        match (self, other) {
            (_, Self::Forever) => false,
            (Self::Forever, Self::Days(_)) => true,
            (Self::Days(days), Self::Days(other)) => days.get() > other.get(),
        }
    }

    /// The cutoff: older data is deleted; `None` if everything is kept.
    #[must_use]
    pub fn ends_before(self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Self::Forever => None,
            Self::Days(days) => now.checked_sub_signed(TimeDelta::days(days.get().into())),
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forever => f.write_str("for ever"),
            Self::Days(days) if days.get() == 1 => f.write_str("1 day"),
            Self::Days(days) => write!(f, "{days} days"),
        }
    }
}

/// The retention periods of an organization's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Runs that have ended, each with its report.
    pub reports: Keep,
    /// Lines of the audit log.
    pub audit_log: Keep,
    /// Events of webhooks, with their deliveries. Neither organizations nor plans change it.
    pub events: Keep,
}

/// Configured retention periods; `None` where not configured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RetentionChoice {
    /// Runs that have ended, each with its report.
    pub reports: Option<Keep>,
    /// Lines of the audit log.
    pub audit_log: Option<Keep>,
}

impl RetentionChoice {
    /// This configuration, with another as fallback.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            reports: self.reports.or(other.reports),
            audit_log: self.audit_log.or(other.audit_log),
        }
    }

    /// What holds where this choice lies over something.
    #[must_use]
    pub fn over(self, under: Retention) -> Retention {
        Retention {
            reports: self.reports.unwrap_or(under.reports),
            audit_log: self.audit_log.unwrap_or(under.audit_log),
            events: under.events,
        }
    }
}

impl fmt::Display for RetentionChoice {
    /// As the audit log has it: `reports 90 days, audit log plan default`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |keep: Option<Keep>| keep.map_or("plan default".to_owned(), |k| k.to_string());
        write!(
            f,
            "reports {}, audit log {}",
            said(self.reports),
            said(self.audit_log)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_choice_wins() {
        let under = Retention {
            reports: Keep::days(400),
            audit_log: Keep::days(730),
            events: Keep::days(30),
        };
        let plan = RetentionChoice {
            reports: Some(Keep::days(90)),
            audit_log: Some(Keep::days(365)),
        };
        let own = RetentionChoice {
            reports: Some(Keep::Forever),
            audit_log: None,
        };
        let held = own.or(plan).over(under);
        assert_eq!(held.reports, Keep::Forever);
        assert_eq!(held.audit_log, Keep::days(365));
        assert_eq!(RetentionChoice::default().over(under), under);
    }

    #[test]
    fn days_are_counted_back_from_now() {
        let now = DateTime::from_timestamp(1_795_262_400, 0).unwrap();
        assert_eq!(Keep::Forever.ends_before(now), None);
        let before = Keep::days(2).ends_before(now).unwrap();
        assert_eq!(now - before, TimeDelta::hours(48));
        assert!(
            Keep::days(u32::MAX)
                .ends_before(now)
                .is_none_or(|end| end < now)
        );
    }
}
