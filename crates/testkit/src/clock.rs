//! A clock that only changes when a test changes it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use domain::ports::Clock;

/// A clock that shows the time that a test sets. Clones show the same time. It continues from there when it is
/// [advanced](Self::advance), and jumps when it is [set](Self::set).
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
    /// The elapsed time since 1970, without jumps.
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

    /// Advances the clock; a negative span moves it back.
    pub fn advance(&self, by: TimeDelta) {
        let mut shown = self.shown();
        shown.time += by;
        shown.steady += by.max(TimeDelta::zero());
    }

    /// Sets the clock. It jumps, and no time elapses.
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
