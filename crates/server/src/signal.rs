//! The signal that background threads wait for.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Wakes background threads when there may be work, and when they must stop.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Incremented by every wake-up call.
    calls: u64,
    stopped: bool,
}

/// Why a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waited {
    /// There may be work.
    Called,
    /// The wait timed out.
    TimedOut,
    /// The process is stopping.
    Stopped,
}

impl Signal {
    /// Wakes the threads: there may be work.
    pub(crate) fn call(&self) {
        let mut state = self.lock();
        state.calls = state.calls.wrapping_add(1);
        drop(state);
        self.changed.notify_all();
    }

    /// Tells the threads to stop; cannot be undone.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// Returns whether the threads must stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Returns the number of wake-up calls, for [`Signal::wait`].
    pub(crate) fn seen(&self) -> u64 {
        self.lock().calls
    }

    /// Waits for a wake-up call after the calls already seen.
    pub(crate) fn wait(&self, seen: u64, most: Duration) -> Waited {
        self.wait_until(most, |state| state.calls != seen)
    }

    /// Sleeps, but wakes up for a stop.
    pub(crate) fn wait_for_stop(&self, most: Duration) -> Waited {
        self.wait_until(most, |_| false)
    }

    fn wait_until(&self, most: Duration, called: impl Fn(&State) -> bool) -> Waited {
        let end = Instant::now() + most;
        let mut state = self.lock();
        loop {
            if state.stopped {
                return Waited::Stopped;
            }
            if called(&state) {
                return Waited::Called;
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Waited::TimedOut;
            }
            state = self
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn a_wake_up_between_poll_and_wait_is_not_missed() {
        let signal = Signal::default();
        let seen = signal.seen();
        signal.call();
        assert_eq!(signal.wait(seen, LONG), Waited::Called);
        assert_eq!(signal.wait(signal.seen(), Duration::ZERO), Waited::TimedOut);
    }

    #[test]
    fn a_stop_ends_every_wait() {
        let signal = Signal::default();
        std::thread::scope(|scope| {
            let waits = [
                scope.spawn(|| signal.wait(0, LONG)),
                scope.spawn(|| signal.wait_for_stop(LONG)),
            ];
            signal.stop();
            for wait in waits {
                assert_eq!(wait.join().unwrap(), Waited::Stopped);
            }
        });
        assert!(signal.is_stopped());
    }
}
