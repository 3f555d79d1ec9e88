//! A clock that stands still.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use domain::ports::Clock;

/// A clock that shows what it was told. Clones show the same time. It goes on where it is
/// [advanced](Self::advance), and jumps where it is [set](Self::set).
///
/// ```
/// use chrono::TimeDelta;
/// use domain::ports::Clock;
/// use testkit::{FixedClock, sample};
///
/// let clock = FixedClock::new(sample::noon());
/// let shared = clock.clone();
/// clock.advance(TimeDelta::seconds(30));
/// assert_eq!(shared.now(), sample::noon() + TimeDelta::seconds(30));
/// ```
#[derive(Debug, Clone)]
pub struct FixedClock {
    shown: Arc<Mutex<Shown>>,
}

#[derive(Debug)]
struct Shown {
    time: DateTime<Utc>,
    /// What has passed since 1970; a jump is no part of it.
    steady: TimeDelta,
}

impl FixedClock {
    /// A clock that shows `time`.
    #[must_use]
    pub fn new(time: DateTime<Utc>) -> Self {
        let steady = time - DateTime::UNIX_EPOCH;
        Self {
            shown: Arc::new(Mutex::new(Shown { time, steady })),
        }
    }

    /// Lets time pass; a negative span moves the clock back.
    pub fn advance(&self, by: TimeDelta) {
        let mut shown = self.shown();
        shown.time += by;
        shown.steady += by.max(TimeDelta::zero());
    }

    /// Sets the clock: it jumps, and no time passes.
    pub fn set(&self, to: DateTime<Utc>) {
        self.shown().time = to;
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        self.shown().time.trunc_subsecs(3)
    }

    fn steady(&self) -> Duration {
        self.shown().steady.to_std().unwrap_or_default()
    }
}
