//! The monotonic clock of the rate limiter.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, Utc};
use domain::ports::Clock;

/// Monotonic time from a clock that may be set back. Without it the limiter would reject every request until the
/// clock reaches the old time again.
pub(super) struct MonotonicClock {
    clock: Arc<dyn Clock>,
    seen: Mutex<Seen>,
}

struct Seen {
    last: DateTime<Utc>,
    elapsed: Duration,
}

impl MonotonicClock {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        let seen = Mutex::new(Seen {
            last: clock.now(),
            elapsed: Duration::ZERO,
        });
        Self { clock, seen }
    }
}

impl governor::clock::Clock for MonotonicClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.now();
        // A negative step counts as zero.
        let step = (now - seen.last).to_std().unwrap_or_default();
        seen.elapsed = seen.elapsed.saturating_add(step);
        seen.last = now;
        seen.elapsed
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use governor::clock::Clock as _;
    use testkit::{FixedClock, sample};

    use super::*;

    #[test]
    fn time_continues_when_the_clock_is_set_back() {
        let clock = FixedClock::new(sample::noon());
        let pace = MonotonicClock::new(Arc::new(clock.clone()));
        clock.advance(TimeDelta::seconds(5));
        assert_eq!(pace.now(), Duration::from_secs(5));
        clock.advance(TimeDelta::hours(-1));
        assert_eq!(pace.now(), Duration::from_secs(5));
        clock.advance(TimeDelta::seconds(2));
        assert_eq!(pace.now(), Duration::from_secs(7));
    }
}
