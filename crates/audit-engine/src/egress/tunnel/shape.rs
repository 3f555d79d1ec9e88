//! Slows a tunnel down to the speed of a connection.
//!
//! Each byte takes half a round trip, and the bytes of all connections share the bandwidth of their direction, less what
//! the headers of packets take. The name of a host costs one round trip when it is first used, a connection costs one more.
//! A connection begins slowly, as TCP does. Handshakes of TLS and of HTTP cost what they cost, because their bytes are
//! slowed down.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::count::Direction;
use super::upstream::Purpose;
use crate::lab::LinkSpeed;

/// The payload of a packet in an Ethernet: 1,500 bytes less the headers of IP and TCP.
const SEGMENT: usize = 1_460;

/// Bytes that pass at once, so that connections share the bandwidth in small parts: two segments, which are acknowledged
/// together (RFC 9293, section 3.8.6.3).
pub(super) const PIECE: usize = 2 * SEGMENT;

/// The part of the bandwidth that payload has, in tenths: headers, acknowledgements and what is sent again take the rest.
/// Lighthouse 13 reckons with the same part for its profiles.
const PAYLOAD_TENTHS: u64 = 9;

/// The congestion window of a new connection (RFC 6928, section 2).
const INITIAL_WINDOW: usize = 10 * SEGMENT;

/// A congestion window grows no further: it is then some times as large as what the connection of any profile can carry in
/// a round trip.
const MAX_WINDOW: usize = 256 * 1_024;

/// Pieces that wait for their acknowledgement. A site that sends single bytes does not decide how many are noted.
const MAX_UNACKNOWLEDGED: usize = 256;

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
    /// When the sender learns that they have arrived.
    pub(super) acknowledged: Instant,
}

/// The congestion window of one direction of a connection: how much of it is on its way without an acknowledgement. It
/// begins small, and grows by what is acknowledged (slow start, RFC 5681, section 3.1; nothing is lost here).
#[derive(Debug)]
pub(super) struct Window {
    bytes: usize,
    on_the_way: usize,
    /// When which bytes are acknowledged.
    unacknowledged: VecDeque<(Instant, usize)>,
}

/// The bandwidth of a direction.
#[derive(Debug)]
struct Lane {
    /// Of payload.
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
            bits_per_second: bits_per_second / 10 * PAYLOAD_TENTHS,
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

impl Window {
    pub(super) const fn new() -> Self {
        Self {
            bytes: INITIAL_WINDOW,
            on_the_way: 0,
            unacknowledged: VecDeque::new(),
        }
    }

    /// When the window has room for these bytes.
    pub(super) fn opens(&mut self, bytes: usize, now: Instant) -> Instant {
        let mut at = now;
        while let Some(&(acknowledged_at, acknowledged)) = self.unacknowledged.front() {
            let is_full = self.unacknowledged.len() >= MAX_UNACKNOWLEDGED
                || self.on_the_way.saturating_add(bytes) > self.bytes;
            if acknowledged_at > at && !is_full {
                break;
            }
            at = at.max(acknowledged_at);
            self.unacknowledged.pop_front();
            self.on_the_way = self.on_the_way.saturating_sub(acknowledged);
            self.bytes = self.bytes.saturating_add(acknowledged).min(MAX_WINDOW);
        }
        at
    }

    /// Records bytes that are on their way until then.
    pub(super) fn sent(&mut self, bytes: usize, acknowledged_at: Instant) {
        self.on_the_way = self.on_the_way.saturating_add(bytes);
        self.unacknowledged.push_back((acknowledged_at, bytes));
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
            acknowledged: left + self.round_trip,
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
        // 18,000 bytes take 100 ms at 1.6 Mbit/s, of which payload has nine tenths.
        let arrives = |direction| shape.pass(direction, 18_000, now).arrives - now;
        assert_eq!(arrives(Direction::FromSite), ms(175));
        assert_eq!(arrives(Direction::FromSite), ms(275));
        assert_eq!(
            arrives(Direction::ToSite),
            ms(275),
            "the other direction is free"
        );
        let later = now + ms(10_000);
        let passage = shape.pass(Direction::FromSite, 18_000, later);
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

    /// When each of some pieces is sent over a new connection that is much faster than its round trip, and when all are
    /// acknowledged.
    fn sent(pieces: usize, bytes: usize) -> Vec<Duration> {
        let (mut window, begun) = (Window::new(), Instant::now());
        let mut now = begun;
        let mut times = Vec::new();
        for _ in 0..pieces {
            now = window.opens(bytes, now);
            window.sent(bytes, now + ms(150));
            times.push(now - begun);
        }
        times
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_sends_ten_segments_at_first_and_twice_as_many_after_each_round_trip() {
        let times = sent(5 + 10 + 20 + 1, PIECE);
        let sent_at = |at| times.iter().filter(|time| **time == ms(at)).count();
        assert_eq!(
            [sent_at(0), sent_at(150), sent_at(300), sent_at(450)],
            [5, 10, 20, 1]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn a_congestion_window_and_what_it_holds_are_bounded() {
        let (mut window, mut now) = (Window::new(), Instant::now());
        for _ in 0..2_000 {
            now = window.opens(PIECE, now);
            window.sent(PIECE, now + ms(150));
            assert!(window.bytes <= MAX_WINDOW && window.on_the_way <= MAX_WINDOW);
        }
        assert_eq!(window.bytes, MAX_WINDOW);
        // Single bytes are far fewer than the window, and wait for the first of them.
        let times = sent(MAX_UNACKNOWLEDGED + 1, 1);
        assert_eq!(times[MAX_UNACKNOWLEDGED - 1..], [ms(0), ms(150)]);
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
