//! One host: who is asking it, and when the next may.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::pace::Pace;
use super::{BUSY, HostLimits, MAX_BACK_OFF};

/// Doublings of the back-off that are counted.
const MAX_STREAK: u32 = 16;
/// How much longer the pause is where the host asks for more than can be waited for.
const BEYOND: u32 = 8;

#[derive(Debug)]
pub(super) struct Host {
    /// As many permits, held or not, as requests may be under way.
    slots: Arc<Semaphore>,
    /// Whether there is nothing to wait for but a slot, and nothing to learn from an answer.
    free: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// What each run that is under way allows. The strictest of them counts.
    leases: Vec<(u64, HostLimits)>,
    limits: HostLimits,
    pace: Pace,
    /// Permits of `slots`, those that are held included.
    issued: usize,
    /// When the next request may start.
    next: Instant,
    /// Until when the host is left alone, because it asked for it.
    paused_until: Instant,
    /// When the host was last found to refuse. Answers to requests that were sent before say nothing new.
    refused_at: Option<Instant>,
    /// Refusals one after the other, those to requests that were under way together counted once.
    streak: u32,
    used_at: Instant,
}

/// What has to be waited for.
enum Wait {
    Pause(Instant),
    Turn(Instant),
    /// The next turn comes too late, and was not taken.
    Late(Instant),
}

impl Host {
    pub(super) fn new() -> Self {
        let (limits, now) = (HostLimits::POLITE, Instant::now());
        Self {
            slots: Arc::new(Semaphore::new(limits.connections)),
            free: AtomicBool::new(false),
            state: Mutex::new(State {
                leases: Vec::new(),
                limits,
                pace: Pace::new(limits),
                issued: limits.connections,
                next: now,
                paused_until: now,
                refused_at: None,
                streak: 0,
                used_at: now,
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add_lease(&self, id: u64, limits: HostLimits) {
        let mut state = self.lock();
        state.leases.push((id, limits));
        self.relimit(&mut state);
    }

    pub(super) fn end_lease(&self, id: u64) {
        let mut state = self.lock();
        state.leases.retain(|(lease, _)| *lease != id);
        self.relimit(&mut state);
    }

    fn relimit(&self, state: &mut State) {
        let limits = state
            .leases
            .iter()
            .map(|(_, limits)| *limits)
            .reduce(HostLimits::strictest)
            .unwrap_or(HostLimits::POLITE);
        state.pace.rebase(state.limits, limits);
        state.limits = limits;
        state.used_at = Instant::now();
        self.settle(state);
    }

    /// Makes the number of slots what the pace says. Those that are held too many are taken out of
    /// use when they come back.
    fn settle(&self, state: &mut State) {
        let wanted = state.pace.connections();
        if state.issued < wanted {
            self.slots.add_permits(wanted - state.issued);
            state.issued = wanted;
        } else if state.issued > wanted {
            state.issued -= self.slots.forget_permits(state.issued - wanted);
        }
        let free = !state.limits.adapts
            && state.limits.interval.is_zero()
            && state.pace.is_full(state.limits)
            && state.issued == wanted
            && state.streak == 0
            && state.paused_until <= Instant::now();
        self.free.store(free, Ordering::Release);
    }

    fn is_free(&self) -> bool {
        self.free.load(Ordering::Acquire)
    }

    /// Waits for a slot and for its turn; none where the host wants to be left alone for longer than
    /// `patience`.
    pub(super) async fn enter(self: Arc<Self>, patience: Duration) -> Option<Permit> {
        if !self.is_free() && self.lock().paused_until > Instant::now() + patience {
            return None;
        }
        // The semaphore is never closed.
        let slot = Arc::clone(&self.slots).acquire_owned().await.ok();
        let mut permit = Permit {
            started: Instant::now(),
            host: self,
            slot,
        };
        if permit.host.is_free() {
            return Some(permit);
        }
        let mut turn = None;
        loop {
            let wait = permit.host.take_turn(&mut turn, None);
            let (until, is_turn) = match wait {
                Wait::Turn(until) | Wait::Late(until) => (until, true),
                Wait::Pause(until) if until > Instant::now() + patience => return None,
                Wait::Pause(until) => (until, false),
            };
            let now = Instant::now();
            if is_turn && until <= now {
                permit.started = now;
                return Some(permit);
            }
            tokio::time::sleep_until(until).await;
        }
    }

    /// Enters at this very moment, or says how long it is at least until that may be tried again.
    pub(super) fn try_enter(self: Arc<Self>) -> Result<Permit, Duration> {
        let slot = Arc::clone(&self.slots).try_acquire_owned();
        let permit = self.permit(slot.map_err(|_| BUSY)?);
        if permit.host.is_free() {
            return Ok(permit);
        }
        let wait = permit.host.take_turn(&mut None, Some(Instant::now()));
        let left = match wait {
            Wait::Turn(_) => return Ok(permit),
            Wait::Pause(until) | Wait::Late(until) => until,
        };
        Err(left.saturating_duration_since(Instant::now()))
    }

    /// As [`Host::enter`], but none where the turn does not come until then.
    pub(super) async fn enter_by(self: Arc<Self>, by: Instant) -> Option<Permit> {
        if !self.is_free() && self.lock().paused_until > by {
            return None;
        }
        let slot = Arc::clone(&self.slots).acquire_owned().await.ok()?;
        let mut permit = self.permit(slot);
        let mut turn = None;
        while !permit.host.is_free() {
            let until = match permit.host.take_turn(&mut turn, Some(by)) {
                Wait::Turn(until) if until <= Instant::now() => break,
                Wait::Turn(until) | Wait::Pause(until) if until <= by => until,
                Wait::Turn(_) | Wait::Pause(_) | Wait::Late(_) => return None,
            };
            tokio::time::sleep_until(until).await;
        }
        permit.started = Instant::now();
        Some(permit)
    }

    fn permit(self: Arc<Self>, slot: OwnedSemaphorePermit) -> Permit {
        Permit {
            started: Instant::now(),
            host: self,
            slot: Some(slot),
        }
    }

    /// What has to be waited for. A turn that a pause overtook is taken anew, so that those who
    /// waited do not start all at once when it ends. One that would come after `by` is left to others.
    fn take_turn(&self, turn: &mut Option<Instant>, by: Option<Instant>) -> Wait {
        let mut state = self.lock();
        let now = Instant::now();
        state.used_at = now;
        if state.paused_until > now {
            *turn = None;
            return Wait::Pause(state.paused_until);
        }
        if let Some(start) = *turn {
            return Wait::Turn(start);
        }
        let start = state.next.max(now);
        if by.is_some_and(|by| start > by.max(now)) {
            return Wait::Late(start);
        }
        state.next = start + state.pace.interval();
        *turn = Some(start);
        Wait::Turn(start)
    }

    /// Whether nobody asks the host, it may be asked at once, and nothing worth keeping is known of it.
    pub(super) fn is_idle(&self, now: Instant, forget_after: Duration) -> bool {
        let state = self.lock();
        state.leases.is_empty()
            && state.next <= now
            && state.paused_until <= now
            && now.saturating_duration_since(state.used_at) >= forget_after
    }
}

/// The right to one request; give it back by dropping it when the answer has been read.
#[derive(Debug)]
pub struct Permit {
    host: Arc<Host>,
    slot: Option<OwnedSemaphorePermit>,
    started: Instant,
}

impl Permit {
    /// Tells that the host answered as it should, and how long its first byte took.
    pub fn answered(&self, first_byte: Duration) {
        if self.host.is_free() {
            return;
        }
        let mut state = self.host.lock();
        let (limits, started) = (state.limits, self.started);
        if state.refused_at.is_none_or(|at| started > at) {
            state.streak = 0;
            state.refused_at = None;
        }
        state.pace.answered(limits, first_byte);
        self.host.settle(&mut state);
    }

    /// Tells that the host did not answer in time.
    pub fn timed_out(&self) {
        if self.host.is_free() {
            return;
        }
        let mut state = self.host.lock();
        let limits = state.limits;
        if limits.adapts {
            state.pace.halve(limits);
            self.host.settle(&mut state);
        }
    }

    /// Tells that the host asked not to be asked so much (429, 503). Nobody asks it for as long as
    /// it says in `retry_after`, if that is not more than `most`; where it does not say, for `pause`,
    /// doubled with each refusal that follows another, up to [`MAX_BACK_OFF`]. It is asked for half
    /// as much from then on, until it answers again.
    ///
    /// A host that says more is left alone for eight times `pause`, or what it
    /// has been doubled to, up to [`MAX_BACK_OFF`]: a single page that says so must not hold up the
    /// others.
    ///
    /// Answers how many refusals followed one another; those to requests that were under way
    /// together count as one.
    pub fn refused(&self, pause: Duration, retry_after: Option<Duration>, most: Duration) -> u32 {
        let mut state = self.host.lock();
        let (limits, now) = (state.limits, Instant::now());
        if state.refused_at.is_none_or(|at| self.started > at) {
            let back_off = pause.saturating_mul(1 << state.streak.min(MAX_STREAK));
            state.streak = state.streak.saturating_add(1);
            state.refused_at = Some(now);
            state.paused_until = state.paused_until.max(now + back_off.min(MAX_BACK_OFF));
            state.pace.halve(limits);
        }
        if let Some(asked) = retry_after {
            let wait = if asked > most {
                pause.saturating_mul(BEYOND).min(MAX_BACK_OFF)
            } else {
                asked
            };
            state.paused_until = state.paused_until.max(now + wait);
        }
        state.next = state.next.max(state.paused_until);
        self.host.settle(&mut state);
        state.streak
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.host.is_free() {
            return;
        }
        let mut state = self.host.lock();
        if state.issued > state.pace.connections()
            && let Some(slot) = self.slot.take()
        {
            slot.forget();
            state.issued = state.issued.saturating_sub(1);
        }
        self.host.settle(&mut state);
    }
}
