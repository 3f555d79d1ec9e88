//! Scheduled backups: when one is due, the state of the last ones, and which are deleted.
//!
//! A backup counts as good only after it was read back from its store and verified. Everything here is pure; the
//! crate `backup` makes and verifies backups.

mod name;
mod prune;

use std::num::NonZeroU32;

use chrono::{DateTime, TimeDelta, Utc};

pub use name::{BackupKind, BackupName};
pub use prune::{StoredBackup, superseded};

use crate::named_enum::named_enum;
use crate::schedule::CronSchedule;

/// The most characters of a stored reason of a failure.
pub const MAX_REASON_CHARS: usize = 500;

/// The shortest wait after a failed backup.
const FIRST_RETRY: TimeDelta = TimeDelta::minutes(1);
/// The longest wait after a failed backup.
const LONGEST_RETRY: TimeDelta = TimeDelta::hours(1);

/// When backups are made, and how many are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupPolicy {
    /// When a backup is due.
    pub schedule: CronSchedule,
    /// How many good backups are kept.
    pub keep: NonZeroU32,
    /// How old the last good backup may be.
    pub max_age: TimeDelta,
}

named_enum! {
    /// How a backup was verified after it was made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Verification {
        /// It was read back, restored into a temporary database, and the database was checked.
        Restored = "restored",
        /// It was read back and read to its end by the database's own tool, but not restored: the database role may
        /// not create databases.
        Read = "read",
    }
}

/// A backup that was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoodBackup {
    /// When it was begun.
    pub at: DateTime<Utc>,
    /// Its name in the store.
    pub name: String,
    /// Its size in the store.
    pub size_bytes: u64,
    /// How it was verified.
    pub verification: Verification,
}

/// A backup that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedBackup {
    /// When it failed.
    pub at: DateTime<Utc>,
    /// Why, in at most [`MAX_REASON_CHARS`] characters and without credentials.
    pub reason: String,
    /// How many failed since the last good one.
    pub count: u32,
}

/// The state of the backups of a database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BackupState {
    /// The last good one.
    pub good: Option<GoodBackup>,
    /// The last failure after it.
    pub failure: Option<FailedBackup>,
}

impl BackupPolicy {
    /// When the next backup is due. Without any good backup one is due at once. After a failure it is due after a
    /// backoff that doubles from a minute to an hour. A stored time in the future, from a clock that was ahead, counts as
    /// now.
    #[must_use]
    pub fn due_at(&self, state: &BackupState, now: DateTime<Utc>) -> DateTime<Utc> {
        let by_schedule = match &state.good {
            None => now,
            // At the end of the calendar there is no next time, and nothing is due.
            Some(good) => self
                .schedule
                .next_after(good.at.min(now))
                .unwrap_or(DateTime::<Utc>::MAX_UTC),
        };
        match &state.failure {
            None => by_schedule,
            Some(failure) => by_schedule.max(failure.at.min(now) + retry_after(failure.count)),
        }
    }

    /// Whether the last good backup is missing or too old.
    #[must_use]
    pub fn is_overdue(&self, state: &BackupState, now: DateTime<Utc>) -> bool {
        let good = state.good.as_ref();
        good.is_none_or(|good| now - good.at > self.max_age)
    }
}

/// The backoff after this number of failures.
fn retry_after(failures: u32) -> TimeDelta {
    let doublings = failures.saturating_sub(1).min(6);
    (FIRST_RETRY * (1 << doublings)).min(LONGEST_RETRY)
}

/// Shortens a reason to [`MAX_REASON_CHARS`], on one line.
#[must_use]
pub fn shorten_reason(reason: &str) -> String {
    let words: Vec<&str> = reason.split_whitespace().collect();
    words.join(" ").chars().take(MAX_REASON_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> BackupPolicy {
        BackupPolicy {
            schedule: CronSchedule::new("20 3 * * *", "UTC").unwrap(),
            keep: NonZeroU32::MIN,
            max_age: TimeDelta::hours(30),
        }
    }

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn good(time: &str) -> BackupState {
        BackupState {
            good: Some(GoodBackup {
                at: at(time),
                name: "x".to_owned(),
                size_bytes: 1,
                verification: Verification::Restored,
            }),
            failure: None,
        }
    }

    #[test]
    fn the_first_backup_is_due_at_once_and_later_ones_by_the_schedule() {
        let now = at("2026-11-26T12:00:00Z");
        assert_eq!(policy().due_at(&BackupState::default(), now), now);
        let next = policy().due_at(&good("2026-11-26T03:20:00Z"), now);
        assert_eq!(next, at("2026-11-27T03:20:00Z"));
    }

    #[test]
    fn a_backup_that_a_wrong_clock_dated_in_the_future_delays_nothing() {
        let now = at("2026-11-26T12:00:00Z");
        let next = policy().due_at(&good("2031-01-01T00:00:00Z"), now);
        assert_eq!(next, at("2026-11-27T03:20:00Z"));
        let failed = BackupState {
            good: None,
            failure: Some(FailedBackup {
                at: at("2031-01-01T00:00:00Z"),
                reason: String::new(),
                count: 1,
            }),
        };
        assert_eq!(policy().due_at(&failed, now), now + TimeDelta::minutes(1));
    }

    #[test]
    fn failures_are_retried_after_a_wait_that_doubles_up_to_an_hour() {
        let now = at("2026-11-26T12:00:00Z");
        let minutes = [1, 2, 3, 6, 7, 1_000].map(|count| {
            let state = BackupState {
                good: None,
                failure: Some(FailedBackup {
                    at: now,
                    reason: String::new(),
                    count,
                }),
            };
            (policy().due_at(&state, now) - now).num_minutes()
        });
        assert_eq!(minutes, [1, 2, 4, 32, 60, 60]);
    }

    #[test]
    fn a_missing_or_old_backup_is_overdue() {
        let made = at("2026-11-26T03:20:00Z");
        assert!(policy().is_overdue(&BackupState::default(), made));
        let state = good("2026-11-26T03:20:00Z");
        assert!(!policy().is_overdue(&state, made + TimeDelta::hours(30)));
        assert!(policy().is_overdue(&state, made + TimeDelta::hours(31)));
    }

    #[test]
    fn a_reason_is_bounded_and_on_one_line() {
        let long = "a\n  b ".repeat(MAX_REASON_CHARS);
        let short = shorten_reason(&long);
        assert!(short.starts_with("a b a b"));
        assert_eq!(short.chars().count(), MAX_REASON_CHARS);
    }
}
