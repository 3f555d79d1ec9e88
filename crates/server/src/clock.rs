//! Detection of system clock changes while the process runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use domain::ports::Clock;

/// Maximum difference between the system clock and the monotonic clock that is not a jump.
const TOLERANCE: TimeDelta = TimeDelta::minutes(1);
/// After this time without activity, a service has been off or its clock is ahead.
const MAX_INACTIVITY: TimeDelta = TimeDelta::days(30);
/// How long a clock that jumped ahead must stay there until it is trusted.
const TRUSTED_AFTER: Duration = Duration::from_hours(24);

/// A time of the system clock, and the monotonic time at that moment.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    at: DateTime<Utc>,
    steady: Duration,
}

impl Anchor {
    fn new(clock: &dyn Clock) -> Self {
        Self {
            at: clock.now(),
            steady: clock.steady(),
        }
    }

    /// The system time expected at a monotonic time.
    fn expected(&self, steady: Duration) -> DateTime<Utc> {
        let passed = TimeDelta::from_std(steady.saturating_sub(self.steady));
        let expected = passed
            .ok()
            .and_then(|passed| self.at.checked_add_signed(passed));
        expected.unwrap_or(self.at)
    }
}

/// Detects that the clock moved back since the last check. The first check, without a previous one, counts as moved
/// back.
#[derive(Debug, Default)]
pub(crate) struct ClockChange {
    last: Option<Anchor>,
    is_back: bool,
}

impl ClockChange {
    /// Returns `true` from when the clock moved back by more than a minute until [`ClockChange::mark_handled`] is
    /// called.
    pub(crate) fn is_back(&mut self, clock: &dyn Clock) -> bool {
        let now = Anchor::new(clock);
        let went_back = self
            .last
            .is_none_or(|last| now.at < last.expected(now.steady) - TOLERANCE);
        self.last = Some(now);
        self.is_back |= went_back;
        self.is_back
    }

    /// Records that the change was handled.
    pub(crate) const fn mark_handled(&mut self) {
        self.is_back = false;
    }
}

/// A clock for irreversible actions. It shows the system time, but follows a jump ahead only after a day, so a clock
/// that is wrong for some minutes deletes nothing. (A machine that was suspended looks the same; this clock is then
/// behind for a day, and expired data is deleted after that.)
pub(crate) struct CautiousClock {
    clock: Arc<dyn Clock>,
    state: Mutex<Caution>,
}

#[derive(Debug, Clone, Copy)]
struct Caution {
    anchor: Anchor,
    /// The monotonic time at which the system clock was first seen ahead.
    ahead_since: Option<Duration>,
}

impl CautiousClock {
    /// Trusts the present time, unless it is more than a month after the last activity: then either the service was off
    /// for that long, or the clock is ahead.
    pub(crate) fn new(clock: Arc<dyn Clock>, last_activity: Option<DateTime<Utc>>) -> Self {
        let now = Anchor::new(&*clock);
        let at = last_activity.filter(|last| now.at - *last > MAX_INACTIVITY);
        let state = Caution {
            anchor: Anchor {
                at: at.unwrap_or(now.at),
                ..now
            },
            ahead_since: at.map(|_| now.steady),
        };
        Self {
            clock,
            state: Mutex::new(state),
        }
    }
}

impl Caution {
    /// Returns the trusted time.
    fn trusted_time(&mut self, now: Anchor) -> DateTime<Utc> {
        let expected = self.anchor.expected(now.steady);
        if now.at > expected + TOLERANCE {
            let since = *self.ahead_since.get_or_insert(now.steady);
            if now.steady.saturating_sub(since) < TRUSTED_AFTER {
                return expected;
            }
        }
        *self = Self {
            anchor: now,
            ahead_since: None,
        };
        now.at
    }
}

impl Clock for CautiousClock {
    fn now(&self) -> DateTime<Utc> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.trusted_time(Anchor::new(&*self.clock))
    }

    fn steady(&self) -> Duration {
        self.clock.steady()
    }
}

#[cfg(test)]
mod tests {
    use testkit::{FixedClock, sample};

    use super::*;

    #[test]
    fn a_steady_clock_is_followed() {
        let clock = FixedClock::new(sample::noon());
        let cautious = CautiousClock::new(Arc::new(clock.clone()), None);
        let mut clock_change = ClockChange::default();
        assert!(
            clock_change.is_back(&clock),
            "the first check counts as moved back"
        );
        clock_change.mark_handled();
        for _ in 0..50 {
            clock.advance(TimeDelta::hours(7));
            // A small step, as NTP makes.
            clock.set(clock.now() + TimeDelta::seconds(2));
            assert_eq!(cautious.now(), clock.now());
            assert!(!clock_change.is_back(&clock));
        }
    }

    #[test]
    fn a_clock_jump_ahead_is_trusted_after_a_day() {
        let clock = FixedClock::new(sample::noon());
        let cautious = CautiousClock::new(Arc::new(clock.clone()), None);
        clock.set(sample::noon() + TimeDelta::days(400));
        assert_eq!(cautious.now(), sample::noon());
        clock.advance(TimeDelta::hours(23));
        assert_eq!(cautious.now(), sample::noon() + TimeDelta::hours(23));
        clock.advance(TimeDelta::hours(1));
        assert_eq!(cautious.now(), clock.now());
        clock.advance(TimeDelta::hours(1));
        assert_eq!(cautious.now(), clock.now());
    }

    #[test]
    fn after_a_long_silence_the_clock_may_be_ahead() {
        let clock = FixedClock::new(sample::noon());
        let begun = |days| {
            let last = sample::noon() - TimeDelta::days(days);
            CautiousClock::new(Arc::new(clock.clone()), Some(last))
        };
        assert_eq!(begun(29).now(), sample::noon());
        let cautious = begun(31);
        assert_eq!(cautious.now(), sample::noon() - TimeDelta::days(31));
        clock.advance(TimeDelta::hours(24));
        assert_eq!(cautious.now(), clock.now());
    }

    #[test]
    fn a_clock_jump_ahead_and_back_changes_nothing() {
        let clock = FixedClock::new(sample::noon());
        let cautious = CautiousClock::new(Arc::new(clock.clone()), None);
        let mut clock_change = ClockChange::default();
        clock_change.is_back(&clock);
        clock_change.mark_handled();
        clock.set(sample::noon() + TimeDelta::days(400));
        assert_eq!(cautious.now(), sample::noon());
        assert!(!clock_change.is_back(&clock));
        clock.set(sample::noon() + TimeDelta::seconds(1));
        assert_eq!(cautious.now(), clock.now());
        assert!(clock_change.is_back(&clock));
        assert!(clock_change.is_back(&clock), "until it is handled");
        clock_change.mark_handled();
        clock.advance(TimeDelta::days(2));
        assert!(!clock_change.is_back(&clock));
        assert_eq!(cautious.now(), clock.now());
    }

    #[test]
    fn a_clock_that_is_set_back_is_followed_at_once() {
        let clock = FixedClock::new(sample::noon());
        let cautious = CautiousClock::new(Arc::new(clock.clone()), None);
        clock.set(sample::noon() - TimeDelta::days(9));
        assert_eq!(cautious.now(), clock.now());
        // Back at its earlier time, the clock is ahead again.
        clock.set(sample::noon());
        assert_eq!(cautious.now(), sample::noon() - TimeDelta::days(9));
    }
}
