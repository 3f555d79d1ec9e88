//! Slows a tunnel down to the speed of a connection.
//!
//! Each byte takes half a round trip, and the bytes of all connections share the bandwidth of their direction. The name of
//! a host costs one round trip when it is first used, a connection costs one more. Handshakes of TLS and of HTTP
//! cost what they cost, because their bytes are slowed down.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::count::Direction;
use super::upstream::Purpose;
use crate::lab::LinkSpeed;

/// Bytes that pass at once, so that connections share the bandwidth in small parts.
pub(super) const PIECE: usize = 4 * 1_024;

/// How far ahead of the time the bandwidth is given away. Timers are not more exact than a millisecond.
const AHEAD: Duration = Duration::from_millis(10);

/// Connections that a browser opens to a host for requests in plain text, and reuses. The tunnel has one connection for
/// each of these requests, but only as many as this cost a round trip.
const CONNECTIONS_OF_A_HOST: u32 = 6;

/// Hosts whose connections are counted. The connections of further ones cost as much as the first of a host.
const MAX_HOSTS: usize = 1_000;

/// The connection that a tunnel behaves as.
#[derive(Debug)]
pub(super) struct Shape {
    round_trip: Duration,
    down: Lane,
    up: Lane,
    /// Connections so far, by host.
    hosts: Mutex<HashMap<String, u32>>,
}

/// When bytes pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Passage {
    /// When the next bytes of the same connection may be read.
    pub(super) next: Instant,
    /// When the bytes arrive.
    pub(super) arrives: Instant,
}

/// The bandwidth of a direction.
#[derive(Debug)]
struct Lane {
    bits_per_second: u64,
    /// When the last byte so far has left.
    free_at: Mutex<Option<Instant>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lane {
    const fn new(bits_per_second: u64) -> Self {
        Self {
            bits_per_second,
            free_at: Mutex::new(None),
        }
    }

    /// When these bytes have left, if they are sent after all that were sent before.
    fn send(&self, bytes: usize, now: Instant) -> Instant {
        let bits = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(8);
        let nanos = u128::from(bits) * 1_000_000_000 / u128::from(self.bits_per_second.max(1));
        let takes = Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX));
        let mut free_at = lock(&self.free_at);
        let begins = free_at.map_or(now, |free_at| free_at.max(now));
        let left = begins + takes;
        *free_at = Some(left);
        left
    }
}

impl Shape {
    pub(super) fn new(speed: LinkSpeed) -> Self {
        Self {
            round_trip: speed.round_trip,
            down: Lane::new(speed.down_bits),
            up: Lane::new(speed.up_bits),
            hosts: Mutex::default(),
        }
    }

    /// How long a connection to the host takes at least.
    pub(super) fn connect_time(&self, host: &str, purpose: Purpose) -> Duration {
        let mut hosts = lock(&self.hosts);
        let before = match hosts.get_mut(host) {
            Some(count) => {
                let before = *count;
                *count = count.saturating_add(1);
                before
            }
            None => {
                if hosts.len() < MAX_HOSTS {
                    hosts.insert(host.to_owned(), 1);
                }
                0
            }
        };
        match (before, purpose) {
            (0, _) => 2 * self.round_trip,
            (CONNECTIONS_OF_A_HOST.., Purpose::Request) => Duration::ZERO,
            _ => self.round_trip,
        }
    }

    /// When bytes pass that are there now.
    pub(super) fn pass(&self, direction: Direction, bytes: usize, now: Instant) -> Passage {
        let lane = match direction {
            Direction::FromSite => &self.down,
            Direction::ToSite => &self.up,
        };
        let left = lane.send(bytes, now);
        Passage {
            next: left.checked_sub(AHEAD).unwrap_or(left),
            arrives: left + self.round_trip / 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn slow() -> Shape {
        Shape::new(LinkSpeed {
            round_trip: ms(150),
            down_bits: 1_600_000,
            up_bits: 800_000,
        })
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_arrive_after_half_a_round_trip_and_share_the_bandwidth() {
        let (shape, now) = (slow(), Instant::now());
        // 20,000 bytes take 100 ms at 1.6 Mbit/s.
        let arrives = |direction| shape.pass(direction, 20_000, now).arrives - now;
        assert_eq!(arrives(Direction::FromSite), ms(175));
        assert_eq!(arrives(Direction::FromSite), ms(275));
        assert_eq!(
            arrives(Direction::ToSite),
            ms(275),
            "the other direction is free"
        );
        let later = now + ms(10_000);
        let passage = shape.pass(Direction::FromSite, 20_000, later);
        assert_eq!(
            passage.arrives - later,
            ms(175),
            "what was not used is not kept"
        );
        assert_eq!(passage.next - later, ms(100) - AHEAD);
    }

    #[test]
    fn the_first_connections_to_a_host_cost_round_trips() {
        let shape = slow();
        let time = |host: &str, purpose| shape.connect_time(host, purpose);
        assert_eq!(time("a", Purpose::Request), ms(300));
        for _ in 1..CONNECTIONS_OF_A_HOST {
            assert_eq!(time("a", Purpose::Request), ms(150));
        }
        assert_eq!(time("a", Purpose::Request), ms(0));
        assert_eq!(time("a", Purpose::Stream), ms(150));
        assert_eq!(time("b", Purpose::Stream), ms(300));
    }

    #[test]
    fn the_number_of_hosts_is_limited() {
        let shape = slow();
        for number in 0..2 * MAX_HOSTS {
            let time = shape.connect_time(&number.to_string(), Purpose::Stream);
            assert_eq!(time, ms(300));
        }
        assert_eq!(lock(&shape.hosts).len(), MAX_HOSTS);
    }
}
