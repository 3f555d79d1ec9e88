//! How much of its limits a host is asked for, by how it answers.

use std::time::Duration;

use super::HostLimits;

/// Answers between two changes upwards.
const ROUND: usize = 8;
/// A host is slower than it used to be when its answers take this many times as long …
const SLOWER: f64 = 2.0;
/// … and this much longer at least, in seconds: below it, chance decides.
const NOTICEABLE: f64 = 0.1;
/// The rate never falls below one request in this time, in seconds …
const SLOWEST: f64 = 2.0;
/// … nor below this part of what the limits allow.
const LEAST_PART: f64 = 40.0;
/// Requests a second that are added when all is well.
const STEP: f64 = 1.0;

/// How much of its limits a host is asked for: halved when it slows down or refuses, and raised again
/// step by step while it answers as fast as it used to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    connections: usize,
    /// Seconds between two starts; the limits' own interval or more.
    interval: f64,
    /// Seconds until the first byte as they used to be.
    baseline: f64,
    /// The same of late.
    recent: f64,
    /// Answers since the last change.
    answers: usize,
    known: bool,
}

impl Pace {
    pub(super) fn new(limits: HostLimits) -> Self {
        Self {
            connections: limits.connections.max(1),
            interval: limits.interval.as_secs_f64(),
            baseline: 0.0,
            recent: 0.0,
            answers: 0,
            known: false,
        }
    }

    pub(super) const fn connections(&self) -> usize {
        self.connections
    }

    pub(super) fn interval(&self) -> Duration {
        Duration::try_from_secs_f64(self.interval).unwrap_or_default()
    }

    /// Whether the host is asked for all that its limits allow.
    pub(super) fn is_full(&self, limits: HostLimits) -> bool {
        self.connections >= limits.connections && self.interval <= limits.interval.as_secs_f64()
    }

    /// Never more than other limits allow from now on; what was learned stays. Limits that are
    /// raised are reached step by step, unless the host was asked for all there was.
    pub(super) fn rebase(&mut self, old: HostLimits, new: HostLimits) {
        let full = self.is_full(old);
        let least = new.interval.as_secs_f64();
        if full {
            self.connections = new.connections.max(1);
            self.interval = least;
        } else {
            self.connections = self.connections.min(new.connections).max(1);
            self.interval = self.interval.max(least);
        }
    }

    /// Takes note of an answer and of the time until its first byte.
    pub(super) fn answered(&mut self, limits: HostLimits, first_byte: Duration) {
        self.learn(first_byte.as_secs_f64());
        self.answers = self.answers.saturating_add(1);
        if self.answers < ROUND {
            return;
        }
        if limits.adapts && self.is_slower() {
            self.halve(limits);
        } else {
            self.raise(limits);
        }
    }

    /// Halves what the host is asked for.
    pub(super) fn halve(&mut self, limits: HostLimits) {
        self.answers = 0;
        self.connections = (self.connections / 2).max(1);
        // A host without a rate has none to halve.
        if !limits.interval.is_zero() {
            let own = limits.interval.as_secs_f64();
            let slowest = SLOWEST.max(own).min(own * LEAST_PART);
            self.interval = (self.interval * 2.0).min(slowest);
        }
    }

    fn raise(&mut self, limits: HostLimits) {
        self.answers = 0;
        self.connections = (self.connections + 1).min(limits.connections.max(1));
        if self.interval > 0.0 {
            let faster = 1.0 / (1.0 / self.interval + STEP);
            self.interval = faster.max(limits.interval.as_secs_f64());
        }
    }

    /// The baseline falls quickly and rises slowly, so that a host that stays slow is taken for what
    /// it is in the end, and one that slows down is noticed before.
    fn learn(&mut self, seconds: f64) {
        if !self.known {
            self.known = true;
            (self.baseline, self.recent) = (seconds, seconds);
            return;
        }
        self.recent += (seconds - self.recent) * 0.3;
        let weight = if seconds < self.baseline { 0.3 } else { 0.01 };
        self.baseline += (seconds - self.baseline) * weight;
    }

    fn is_slower(&self) -> bool {
        self.recent > self.baseline * SLOWER && self.recent > self.baseline + NOTICEABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAST: Duration = Duration::from_millis(40);
    const SLOW: Duration = Duration::from_millis(900);

    fn answers(pace: &mut Pace, count: usize, limits: HostLimits, first_byte: Duration) {
        for _ in 0..count {
            pace.answered(limits, first_byte);
        }
    }

    #[test]
    fn a_host_that_slows_down_is_asked_for_less_and_a_recovered_one_for_more_but_never_too_much() {
        let limits = HostLimits::POLITE;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 100, limits, FAST);
        assert_eq!((pace.connections(), pace.interval()), (8, limits.interval));
        answers(&mut pace, 8, limits, SLOW);
        assert_eq!(pace.connections(), 4);
        assert_eq!(pace.interval(), Duration::from_millis(100));
        answers(&mut pace, 24, limits, SLOW);
        assert_eq!(pace.connections(), 1);
        answers(&mut pace, 8, limits, FAST);
        let after_one_round = pace.connections();
        answers(&mut pace, 8, limits, FAST);
        assert!(pace.connections() <= after_one_round + 1);
        answers(&mut pace, 1_000, limits, FAST);
        assert_eq!((pace.connections(), pace.interval()), (8, limits.interval));
    }

    #[test]
    fn the_rate_never_falls_below_one_request_in_two_seconds() {
        let limits = HostLimits::POLITE;
        let mut pace = Pace::new(limits);
        for _ in 0..50 {
            pace.halve(limits);
        }
        assert_eq!(pace.interval(), Duration::from_secs(2));
        assert_eq!(pace.connections(), 1);
    }

    #[test]
    fn a_host_that_was_always_slow_is_not_slowing_down() {
        let limits = HostLimits::POLITE;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 200, limits, SLOW);
        assert!(pace.is_full(limits));
    }

    #[test]
    fn milliseconds_more_or_less_are_chance() {
        let limits = HostLimits::POLITE;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 50, limits, Duration::from_millis(2));
        answers(&mut pace, 50, limits, Duration::from_millis(60));
        assert!(pace.is_full(limits));
    }

    #[test]
    fn an_own_host_is_asked_at_full_speed_however_slow_it_is() {
        let limits = HostLimits::OWN;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 100, limits, FAST);
        answers(&mut pace, 100, limits, SLOW);
        assert_eq!((pace.connections(), pace.interval()), (32, Duration::ZERO));
    }

    #[test]
    fn stricter_limits_hold_at_once() {
        let mut pace = Pace::new(HostLimits::OWN);
        pace.rebase(HostLimits::OWN, HostLimits::POLITE);
        assert_eq!((pace.connections(), pace.interval().as_millis()), (8, 50));
        pace.halve(HostLimits::POLITE);
        pace.rebase(HostLimits::POLITE, HostLimits::OWN);
        assert_eq!(pace.connections(), 4);
    }
}
