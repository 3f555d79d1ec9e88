//! The system clock and the random id source.

use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, DurationRound, TimeDelta, Utc};
use domain::ports::{Clock, IdSource};
use rand::TryRng;
use rand::rngs::SysRng;
use ulid::Generator;

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        let now = Utc::now();
        #[cfg(feature = "failpoints")]
        let now = now + crate::failpoints::clock_error();
        now.duration_trunc(TimeDelta::milliseconds(1))
            .unwrap_or(now)
    }

    fn steady(&self) -> Duration {
        static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGAN.elapsed()
    }
}

/// Time-sortable ids, and secrets from the system's random source.
#[derive(Default)]
pub(crate) struct SystemIds(Mutex<Option<Generator>>);

impl IdSource for SystemIds {
    fn ulid(&self) -> String {
        let mut guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let generator = guard.get_or_insert_with(Generator::new);
        // The generator overflows only after 2^80 ids within one millisecond.
        generator
            .generate()
            .unwrap_or_else(|overflow| overflow.commit_overflow_random())
            .to_string()
    }

    fn base62(&self, length: usize) -> String {
        const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let mut out = String::with_capacity(length);
        while out.len() < length {
            // 62 and 63 are drawn again, so that each digit is equally likely.
            let drawn = usize::from(random_byte() & 63);
            if let Some(&digit) = DIGITS.get(drawn) {
                out.push(char::from(digit));
            }
        }
        out
    }
}

#[expect(
    clippy::panic,
    reason = "without a random source secrets are guessable, so the process must stop"
)]
fn random_byte() -> u8 {
    let mut byte = [0_u8; 1];
    match SysRng.try_fill_bytes(&mut byte) {
        Ok(()) => byte[0],
        Err(error) => panic!("the system's random source failed: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_the_order_in_which_they_were_made() {
        let ids = SystemIds::default();
        let made: Vec<_> = (0..1_000).map(|_| ids.ulid()).collect();
        assert!(made.is_sorted());
        assert_eq!(made[0].len(), 26);
    }

    #[test]
    fn every_digit_is_drawn() {
        let text = SystemIds::default().base62(5_000);
        let different: std::collections::BTreeSet<_> = text.chars().collect();
        assert_eq!(different.len(), 62);
    }

    #[test]
    fn the_clock_has_whole_milliseconds() {
        assert_eq!(SystemClock.now().timestamp_subsec_nanos() % 1_000_000, 0);
    }
}
