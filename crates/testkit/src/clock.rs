//! A clock that stands still.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use domain::ports::Clock;

/// A clock that shows what it was told. Clones show the same time.
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
    time: Arc<Mutex<DateTime<Utc>>>,
}

impl FixedClock {
    /// A clock that shows `time`.
    #[must_use]
    pub fn new(time: DateTime<Utc>) -> Self {
        Self {
            time: Arc::new(Mutex::new(time)),
        }
    }

    /// Moves the clock by a span; a negative one moves it back.
    pub fn advance(&self, by: TimeDelta) {
        let mut time = self.time.lock().unwrap_or_else(PoisonError::into_inner);
        *time += by;
    }

    /// Sets the clock.
    pub fn set(&self, to: DateTime<Utc>) {
        *self.time.lock().unwrap_or_else(PoisonError::into_inner) = to;
    }
}

impl Clock for FixedClock {
    fn now(&self) -> DateTime<Utc> {
        let time = *self.time.lock().unwrap_or_else(PoisonError::into_inner);
        time.trunc_subsecs(3)
    }
}
