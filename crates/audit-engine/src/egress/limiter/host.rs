//! The rate limit of one host: its permits, and when the next request may start.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use super::pace::Pace;
use super::{BUSY, HostLimits, MAX_BACKOFF};

/// The most doublings of the backoff.
const MAX_STREAK: u32 = 16;
/// The factor by which the pause is longer if the host requests a longer wait than the maximum.
const EXCESS_FACTOR: u32 = 8;

#[derive(Debug)]
pub(super) struct Host {
    /// One permit, in use or not, for each request that may be in flight.
    slots: Arc<Semaphore>,
    /// Whether only a slot can delay a request, and responses do not change the limits.
    free: AtomicBool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The limits of each run in progress. The strictest of them apply.
    leases: Vec<(u64, HostLimits)>,
    limits: HostLimits,
    pace: Pace,
    /// The permits of `slots`, including those in use.
    issued: usize,
    /// When the next request may start.
    next: Instant,
    /// The host receives no requests until then, because it asked for a pause.
    paused_until: Instant,
    /// When the host last refused. Responses to requests that were sent before carry no new information.
    refused_at: Option<Instant>,
    /// Consecutive refusals. Refusals of requests that were in flight together count once.
    streak: u32,
    used_at: Instant,
}

/// What a request has to wait for.
enum Wait {
    Pause(Instant),
    Turn(Instant),
    /// The next start time is too late, and was not reserved.
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

    /// Adjusts the number of slots to the pace. Surplus slots that are in use are removed when they are
    /// returned.
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

    /// Waits for a slot and for a start time. None if the pause of the host is longer than `max_wait`.
    pub(super) async fn enter(self: Arc<Self>, max_wait: Duration) -> Option<Permit> {
        if !self.is_free() && self.lock().paused_until > Instant::now() + max_wait {
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
                Wait::Pause(until) if until > Instant::now() + max_wait => return None,
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

    /// Acquires a permit if a request may start right now. Otherwise returns the minimum time until a retry.
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

    /// Like [`Host::enter`], but none if the request cannot start until `by`.
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

    /// What a request has to wait for. A start time that falls into a pause is assigned again, so that the
    /// waiting requests do not all start at once when the pause ends. A start time after `by` is left to
    /// others.
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

    /// Whether no request is in flight, a request may start right now, and there is no state worth keeping.
    pub(super) fn is_idle(&self, now: Instant, forget_after: Duration) -> bool {
        let state = self.lock();
        state.leases.is_empty()
            && state.next <= now
            && state.paused_until <= now
            && now.saturating_duration_since(state.used_at) >= forget_after
    }
}

/// Permission to send one request. Drop it once the response has been read.
#[derive(Debug)]
pub struct Permit {
    host: Arc<Host>,
    slot: Option<OwnedSemaphorePermit>,
    started: Instant,
}

impl Permit {
    /// Records a successful response and the time to its first byte.
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

    /// Records that the host did not respond in time.
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

    /// Records that the host refused because of too many requests (429, 503). It receives no requests for as
    /// long as `retry_after` says, if that is at most `most`. Without it the pause is `pause`, doubled with
    /// each consecutive refusal, up to [`MAX_BACKOFF`]. The rate is halved until the host responds successfully
    /// again.
    ///
    /// If `retry_after` is longer than `most`, the pause is eight times `pause`, up to [`MAX_BACKOFF`]: a
    /// single page must not delay all others.
    ///
    /// Returns the number of consecutive refusals. Refusals of requests that were in flight together count as
    /// one.
    pub fn refused(&self, pause: Duration, retry_after: Option<Duration>, most: Duration) -> u32 {
        let mut state = self.host.lock();
        let (limits, now) = (state.limits, Instant::now());
        if state.refused_at.is_none_or(|at| self.started > at) {
            let backoff = pause.saturating_mul(1 << state.streak.min(MAX_STREAK));
            state.streak = state.streak.saturating_add(1);
            state.refused_at = Some(now);
            state.paused_until = state.paused_until.max(now + backoff.min(MAX_BACKOFF));
            state.pace.halve(limits);
        }
        if let Some(asked) = retry_after {
            let wait = if asked > most {
                pause.saturating_mul(EXCESS_FACTOR).min(MAX_BACKOFF)
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
