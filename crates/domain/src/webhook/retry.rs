//! Retries of webhook deliveries.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};

use crate::id::DeliveryId;

/// The maximum `Retry-After` of a receiver.
pub const MAX_RETRY_AFTER: TimeDelta = TimeDelta::hours(24);

/// The backoff: the delay before each attempt; there are as many attempts as delays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryDelays(Vec<TimeDelta>);

impl Default for RetryDelays {
    /// Ten attempts: at once, and after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h: three days
    /// and four hours in all.
    fn default() -> Self {
        let (minute, hour) = (60, 3_600);
        let seconds = [
            0,
            5,
            5 * minute,
            30 * minute,
            2 * hour,
            5 * hour,
            10 * hour,
            14 * hour,
            20 * hour,
            24 * hour,
        ];
        Self(seconds.map(TimeDelta::seconds).to_vec())
    }
}

/// The response of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reply {
    /// The status code; `None` without a response.
    pub status: Option<u16>,
    /// The `Retry-After`, if there is one.
    pub retry_after: Option<TimeDelta>,
}

/// The state of a delivery after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It was delivered.
    Delivered,
    /// The receiver returned 410: the webhook is disabled.
    Gone,
    /// It is retried at this time.
    Again(DateTime<Utc>),
    /// That was the last attempt.
    GivenUp,
}

impl RetryDelays {
    /// These delays before the first attempt, the second, and so on; none where there is not one.
    #[must_use]
    pub fn new(delays: Vec<TimeDelta>) -> Option<Self> {
        (!delays.is_empty()).then_some(Self(delays))
    }

    /// The longest that a delivery waits for its next attempt.
    #[must_use]
    pub fn longest(&self) -> TimeDelta {
        let longest = self.0.iter().max().copied().unwrap_or_default();
        // With the tenth that may be added.
        (longest + longest / 10).max(MAX_RETRY_AFTER)
    }

    /// Evaluates an attempt: a status from 200 to 299 is success, 410 disables the webhook, and everything else,
    /// including a redirect, is retried until no delay is left. `attempts` includes this attempt.
    ///
    /// Each delay gets a jitter of up to a tenth, derived from the delivery and the attempt, so that deliveries that
    /// failed together are not retried together. A longer `Retry-After` is respected, up to [`MAX_RETRY_AFTER`].
    #[must_use]
    pub fn verdict(
        &self,
        delivery: &DeliveryId,
        attempts: usize,
        reply: Reply,
        now: DateTime<Utc>,
    ) -> Verdict {
        match reply.status {
            Some(200..=299) => return Verdict::Delivered,
            Some(410) => return Verdict::Gone,
            _ => {}
        }
        let Some(delay) = self.0.get(attempts) else {
            return Verdict::GivenUp;
        };
        let asked = reply.retry_after.unwrap_or_default().min(MAX_RETRY_AFTER);
        let wait = (*delay + jitter(*delay, delivery, attempts)).max(asked);
        now.checked_add_signed(wait)
            .map_or(Verdict::GivenUp, Verdict::Again)
    }
}

/// Up to a tenth of a delay, always the same for one attempt of one delivery.
fn jitter(delay: TimeDelta, delivery: &DeliveryId, attempt: usize) -> TimeDelta {
    let hash = Sha256::digest(format!("{delivery}/{attempt}").as_bytes());
    let drawn = hash
        .iter()
        .take(2)
        .fold(0, |sum, byte| sum * 256 + i64::from(*byte));
    TimeDelta::milliseconds(delay.num_milliseconds() / 10 * drawn / 65_536)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn delivery() -> DeliveryId {
        DeliveryId::parse("dlv_01JD2Y3Z4A5B6C7D8E9F0GHJKM").unwrap()
    }

    fn judged(attempts: usize, status: Option<u16>, retry_after: Option<i64>) -> Verdict {
        let reply = Reply {
            status,
            retry_after: retry_after.map(TimeDelta::seconds),
        };
        RetryDelays::default().verdict(&delivery(), attempts, reply, NOW)
    }

    #[rstest]
    #[case(200)]
    #[case(204)]
    #[case(299)]
    fn a_status_from_200_to_299_is_success(#[case] status: u16) {
        assert_eq!(judged(1, Some(status), None), Verdict::Delivered);
    }

    #[test]
    fn gone_ends_it_with_the_first_answer() {
        assert_eq!(judged(1, Some(410), Some(5)), Verdict::Gone);
    }

    #[test]
    fn delays_grow_as_standard_webhooks_has_them_and_end() {
        let waits: Vec<_> = (1..=10)
            .map(|attempts| match judged(attempts, None, None) {
                Verdict::Again(at) => (at - NOW).num_seconds(),
                Verdict::GivenUp => -1,
                other => panic!("{other:?}"),
            })
            .collect();
        let planned = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
        for (wait, planned) in waits.iter().zip(planned) {
            assert!(
                (planned..=planned + planned / 10).contains(wait),
                "{wait} for {planned}"
            );
        }
        assert_eq!(waits.last(), Some(&-1));
    }

    proptest! {
        #[test]
        fn what_is_no_success_is_tried_again_not_before_its_time(
            status in prop_oneof![Just(None), (100_u16..200).prop_map(Some), (300_u16..600).prop_map(Some)],
            asked in proptest::option::of(0_i64..1_000_000),
            attempts in 1_usize..10,
        ) {
            prop_assume!(status != Some(410));
            let Verdict::Again(at) = judged(attempts, status, asked) else {
                panic!("it was not tried again");
            };
            let wait = at - NOW;
            let asked = TimeDelta::seconds(asked.unwrap_or_default()).min(MAX_RETRY_AFTER);
            prop_assert!(wait >= asked);
            prop_assert!(wait <= TimeDelta::hours(27));
        }
    }
}
