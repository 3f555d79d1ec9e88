//! The rate limiter of keys and client addresses.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use domain::ports::Clock;
use governor::clock::Clock as _;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use super::pace::MonotonicClock;
use crate::limits::RateLimit;
use crate::problem::{Limit, Problem};

/// Requests between two sweeps of unused keys.
const SWEEP: u32 = 1_024;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// Counts the calls of each key: `burst` at once, and `per_minute` in the long run (GCRA).
pub struct KeyedLimiter<K: Hash + Eq + Clone> {
    limit: RateLimit,
    keys: RateLimiter<K, HashMapStateStore<K>, MonotonicClock, StateInformationMiddleware>,
    calls: AtomicU32,
}

/// The rate limit status of a key after a request, as reported in the response headers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimitStatus {
    per_minute: NonZeroU32,
    /// Remaining requests at once.
    left: u32,
    /// Whole seconds until more requests are allowed.
    seconds: u64,
}

/// The key exceeded its rate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded(RateLimitStatus);

impl<K: Hash + Eq + Clone> KeyedLimiter<K> {
    /// A limiter by this clock that has counted nothing yet.
    pub fn new(limit: RateLimit, clock: Arc<dyn Clock>) -> Self {
        let quota = Quota::per_minute(limit.per_minute).allow_burst(limit.burst);
        let keys = RateLimiter::hashmap_with_clock(quota, MonotonicClock::new(clock));
        Self {
            limit,
            keys: keys.with_middleware(),
            calls: AtomicU32::new(0),
        }
    }

    /// Counts a call; one that is refused is not counted.
    ///
    /// # Errors
    /// [`Exceeded`] says how long to wait.
    pub fn count(&self, key: &K) -> Result<RateLimitStatus, Exceeded> {
        if self.calls.fetch_add(1, Ordering::Relaxed) % SWEEP == SWEEP - 1 {
            // Drops keys whose full burst is available again.
            self.keys.retain_recent();
        }
        let per_minute = self.limit.per_minute;
        match self.keys.check_key(key) {
            Ok(state) => Ok(RateLimitStatus {
                per_minute,
                left: state.remaining_burst_capacity(),
                seconds: whole_seconds(state.quota().replenish_interval()),
            }),
            Err(until) => Err(Exceeded(RateLimitStatus {
                per_minute,
                left: 0,
                seconds: whole_seconds(until.wait_time_from(self.keys.clock().now())),
            })),
        }
    }
}

/// Rounds up to whole seconds, at least one.
fn whole_seconds(span: Duration) -> u64 {
    let begun = u64::from(span.subsec_nanos() > 0);
    span.as_secs().saturating_add(begun).max(1)
}

impl RateLimitStatus {
    /// Adds the headers of `draft-ietf-httpapi-ratelimit-headers` to a response.
    pub fn show(&self, headers: &mut HeaderMap) {
        let policy = format!("\"default\";q={};w=60", self.per_minute);
        let standing = format!("\"default\";r={};t={}", self.left, self.seconds);
        for (name, text) in [(POLICY, policy), (LIMIT, standing)] {
            // Digits and parameter names are always valid in a header.
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
}

impl Exceeded {
    /// Returns the rate limit status of the key.
    pub const fn standing(self) -> RateLimitStatus {
        self.0
    }

    /// Returns the whole seconds until the next request is allowed.
    pub const fn seconds(self) -> u64 {
        self.0.seconds
    }
}

impl From<Exceeded> for Problem {
    fn from(Exceeded(standing): Exceeded) -> Self {
        let seconds = standing.seconds;
        let wait = if seconds == 1 {
            "Wait a second.".to_owned()
        } else {
            format!("Wait {seconds} seconds.")
        };
        let detail = format!("The key sent too many requests. {wait}");
        Self::rate_limited(Limit::KeyRate, detail, seconds)
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use domain::id::KeyId;
    use testkit::{FixedClock, SequentialIds, sample};

    use super::*;

    fn limiter(per_minute: u32, burst: u32) -> (KeyedLimiter<KeyId>, FixedClock) {
        let clock = FixedClock::new(sample::noon());
        let limit = RateLimit {
            per_minute: per_minute.try_into().unwrap(),
            burst: burst.try_into().unwrap(),
        };
        (KeyedLimiter::new(limit, Arc::new(clock.clone())), clock)
    }

    #[test]
    fn keys_that_are_not_used_are_forgotten() {
        let (limiter, clock) = limiter(60, 2);
        let ids = SequentialIds::default();
        for _ in 1..SWEEP {
            assert!(limiter.count(&KeyId::make(&ids)).is_ok());
        }
        assert!(limiter.keys.len() > 1_000);
        clock.advance(TimeDelta::seconds(2));
        assert!(limiter.count(&KeyId::make(&ids)).is_ok());
        assert_eq!(limiter.keys.len(), 1);
    }

    #[test]
    fn an_exhausted_key_is_not_forgotten() {
        let (limiter, clock) = limiter(1, 2);
        let ids = SequentialIds::default();
        let busy = KeyId::make(&ids);
        while limiter.count(&busy).is_ok() {}
        clock.advance(TimeDelta::seconds(30));
        for _ in 0..SWEEP {
            assert!(limiter.count(&KeyId::make(&ids)).is_ok());
        }
        assert_eq!(limiter.count(&busy).unwrap_err().0.seconds, 30);
    }

    #[test]
    fn seconds_to_wait_are_whole_and_enough() {
        for (millis, expected) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (8_571, 9)] {
            assert_eq!(whole_seconds(Duration::from_millis(millis)), expected);
        }
    }
}
