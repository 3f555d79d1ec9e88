//! Adapts the request rate of a host to its responses.

use std::time::Duration;

use super::HostLimits;

/// Responses between two increases.
const ROUND: usize = 8;
/// A host counts as slower than it used to be if its responses take this many times as long …
const SLOWER: f64 = 2.0;
/// … and at least this many seconds longer. Smaller differences are noise.
const NOTICEABLE: f64 = 0.1;
/// The rate never falls below one request in this number of seconds …
const SLOWEST: f64 = 2.0;
/// … nor below this fraction of the limits.
const LEAST_PART: f64 = 40.0;
/// Requests per second that are added by each increase.
const STEP: f64 = 1.0;

/// The share of its limits that a host receives. It is halved when the host slows down or refuses, and raised
/// step by step while the host responds as fast as it used to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    connections: usize,
    /// Seconds between the starts of two requests; at least the interval of the limits.
    interval: f64,
    /// The usual time to first byte in seconds.
    baseline: f64,
    /// The recent time to first byte in seconds.
    recent: f64,
    /// Responses since the last change.
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

    /// Whether the host receives as many requests as its limits allow.
    pub(super) fn is_full(&self, limits: HostLimits) -> bool {
        self.connections >= limits.connections && self.interval <= limits.interval.as_secs_f64()
    }

    /// Applies changed limits. They are never exceeded, and the learned state is kept. Raised limits are
    /// reached step by step, unless the host received the maximum before.
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

    /// Records a response and its time to first byte.
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

    /// Halves the rate of the host.
    pub(super) fn halve(&mut self, limits: HostLimits) {
        self.answers = 0;
        self.connections = (self.connections / 2).max(1);
        // A host without a rate limit has no rate to halve.
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

    /// The baseline falls quickly and rises slowly. So a host that is slow permanently counts as normal in the
    /// end, and a host that slows down is detected before that.
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
    fn the_rate_falls_when_a_host_slows_down_and_recovers_within_the_limits() {
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
    fn a_few_milliseconds_are_noise() {
        let limits = HostLimits::POLITE;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 50, limits, Duration::from_millis(2));
        answers(&mut pace, 50, limits, Duration::from_millis(60));
        assert!(pace.is_full(limits));
    }

    #[test]
    fn an_own_host_is_requested_at_full_speed_regardless_of_latency() {
        let limits = HostLimits::OWN;
        let mut pace = Pace::new(limits);
        answers(&mut pace, 100, limits, FAST);
        answers(&mut pace, 100, limits, SLOW);
        assert_eq!((pace.connections(), pace.interval()), (32, Duration::ZERO));
    }

    #[test]
    fn stricter_limits_apply_immediately() {
        let mut pace = Pace::new(HostLimits::OWN);
        pace.rebase(HostLimits::OWN, HostLimits::POLITE);
        assert_eq!((pace.connections(), pace.interval().as_millis()), (8, 50));
        pace.halve(HostLimits::POLITE);
        pace.rebase(HostLimits::POLITE, HostLimits::OWN);
        assert_eq!(pace.connections(), 4);
    }
}
