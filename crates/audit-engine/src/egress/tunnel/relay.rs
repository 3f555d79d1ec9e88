//! Copies bytes between the browser and a site.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::count::{Counters, Direction};
use super::shape::{PIECE, Shape, Window};
use crate::bounds::browser::TUNNEL_IDLE_TIMEOUT;

const CHUNK: usize = 16 * 1024;

/// Pieces of one direction of a connection that are on their way, if the tunnel is slowed down.
const ON_THE_WAY: usize = 64;

/// When the last byte went either way.
pub(super) struct Activity {
    begun: Instant,
    last_ms: AtomicU64,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self {
            begun: Instant::now(),
            last_ms: AtomicU64::new(0),
        }
    }

    fn note(&self) {
        let ms = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_ms.store(ms, Ordering::Relaxed);
    }

    fn is_idle(&self) -> bool {
        let last = std::time::Duration::from_millis(self.last_ms.load(Ordering::Relaxed));
        self.begun.elapsed().saturating_sub(last) >= TUNNEL_IDLE_TIMEOUT
    }
}

/// One direction of a connection.
pub(super) struct Relay<'a> {
    pub(super) counters: &'a Counters,
    pub(super) activity: &'a Activity,
    pub(super) direction: Direction,
    /// What slows it down.
    pub(super) shape: Option<&'a Shape>,
}

impl Relay<'_> {
    /// Copies until the source ends, or `most` bytes were copied.
    ///
    /// # Errors
    /// If a side fails, nothing goes either way for a minute, or the page has loaded as much as it may.
    pub(super) async fn copy(
        &self,
        from: &mut (impl AsyncRead + Unpin),
        to: &mut (impl AsyncWrite + Unpin),
        most: u64,
    ) -> io::Result<()> {
        if let Some(shape) = self.shape {
            return self.copy_slowly(shape, from, to, most).await;
        }
        let mut left = most;
        let mut chunk = vec![0; CHUNK];
        loop {
            let bytes = self.read(from, &mut chunk, left).await?;
            if bytes.is_empty() {
                return Ok(());
            }
            self.write(bytes, to).await?;
            left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        }
    }

    /// As [`Self::copy`], but bytes arrive when the shape lets them. Others are read while some are on their way.
    async fn copy_slowly(
        &self,
        shape: &Shape,
        from: &mut (impl AsyncRead + Unpin),
        to: &mut (impl AsyncWrite + Unpin),
        most: u64,
    ) -> io::Result<()> {
        let (sender, mut on_the_way) = mpsc::channel::<(Instant, Vec<u8>)>(ON_THE_WAY);
        let reading = async move {
            let mut left = most;
            let mut piece = vec![0; PIECE];
            let mut window = Window::new();
            loop {
                let bytes = self.read(from, &mut piece, left).await?;
                if bytes.is_empty() {
                    return Ok(());
                }
                left = left.saturating_sub(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
                // The bandwidth is for others until the window opens.
                sleep_until(window.opens(bytes.len(), Instant::now())).await;
                let passage = shape.pass(self.direction, bytes.len(), Instant::now());
                window.sent(bytes.len(), passage.acknowledged);
                if sender
                    .send((passage.arrives, bytes.to_vec()))
                    .await
                    .is_err()
                {
                    return Ok::<(), io::Error>(());
                }
                sleep_until(passage.next).await;
            }
        };
        let writing = async {
            while let Some((arrives, bytes)) = on_the_way.recv().await {
                sleep_until(arrives).await;
                self.write(&bytes, to).await?;
            }
            Ok(())
        };
        tokio::try_join!(reading, writing).map(|_| ())
    }

    /// Reads at most `most` bytes; none at the end, or if `most` is 0.
    async fn read<'b>(
        &self,
        from: &mut (impl AsyncRead + Unpin),
        space: &'b mut [u8],
        most: u64,
    ) -> io::Result<&'b [u8]> {
        let room = usize::try_from(most).unwrap_or(usize::MAX).min(space.len());
        if room == 0 {
            return Ok(&[]);
        }
        loop {
            let reading = from.read(space.get_mut(..room).unwrap_or_default());
            match timeout(TUNNEL_IDLE_TIMEOUT, reading).await {
                Ok(read) => return Ok(space.get(..read?).unwrap_or_default()),
                Err(_) if self.activity.is_idle() => return Err(io::ErrorKind::TimedOut.into()),
                // The other direction is in use.
                Err(_) => {}
            }
        }
    }

    /// Writes bytes that were read already, when the shape lets them arrive.
    pub(super) async fn pass(
        &self,
        bytes: &[u8],
        to: &mut (impl AsyncWrite + Unpin),
    ) -> io::Result<()> {
        if let Some(shape) = self.shape {
            sleep_until(
                shape
                    .pass(self.direction, bytes.len(), Instant::now())
                    .arrives,
            )
            .await;
        }
        self.write(bytes, to).await
    }

    async fn write(&self, bytes: &[u8], to: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        self.activity.note();
        if !self.counters.admit(self.direction, bytes.len()) {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        let written = timeout(TUNNEL_IDLE_TIMEOUT, to.write_all(bytes)).await;
        written.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))?;
        self.activity.note();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::egress::TunnelLimits;
    use crate::lab::LinkSpeed;

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_bytes_ends_after_a_minute() {
        let (counters, activity) = (Counters::new(TunnelLimits::default()), Activity::new());
        let relay = Relay {
            counters: &counters,
            activity: &activity,
            direction: Direction::FromSite,
            shape: None,
        };
        let (mut from, _silent) = tokio::io::duplex(16);
        let begun = Instant::now();
        let error = relay
            .copy(&mut from, &mut tokio::io::sink(), u64::MAX)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), TUNNEL_IDLE_TIMEOUT);
    }

    #[tokio::test]
    async fn a_page_that_loads_too_much_is_cut() {
        let limits = TunnelLimits {
            page_bytes: 100_000,
            run_bytes: u64::MAX,
        };
        let (counters, activity) = (Counters::new(limits), Activity::new());
        let relay = Relay {
            counters: &counters,
            activity: &activity,
            direction: Direction::FromSite,
            shape: None,
        };
        let mut written = Vec::new();
        let error = relay
            .copy(&mut tokio::io::repeat(b'x'), &mut written, u64::MAX)
            .await
            .unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::QuotaExceeded);
        assert!(written.len() <= 100_000, "{}", written.len());
        assert!(counters.read().is_cut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_tunnel_takes_as_long_as_its_connection_would() {
        let ms = std::time::Duration::from_millis;
        let shape = Shape::new(LinkSpeed {
            round_trip: ms(150),
            down_bits: 1_600_000,
            up_bits: 750_000,
        });
        let (counters, activity) = (Counters::new(TunnelLimits::default()), Activity::new());
        let relay = || Relay {
            counters: &counters,
            activity: &activity,
            direction: Direction::FromSite,
            shape: Some(&shape),
        };
        let body = vec![b'x'; 180_000];
        let begun = Instant::now();
        let copy = async |from: &[u8]| {
            let (mut from, mut to) = (from, Vec::new());
            relay().copy(&mut from, &mut to, u64::MAX).await.unwrap();
            (to.len(), begun.elapsed())
        };
        // 180,000 bytes take a second, and each byte half a round trip. The first 14,600 bytes are sent after 81 ms, and the
        // first acknowledgement comes after 166 ms.
        let (bytes, elapsed) = copy(&body).await;
        assert_eq!(bytes, 180_000);
        assert!(elapsed >= ms(1_150) && elapsed < ms(1_175), "{elapsed:?}");
        // Two connections share the bandwidth, after both waited for their first acknowledgements.
        let ((_, one), (_, other)) = tokio::join!(copy(&body), copy(&body));
        let both = one.max(other) - elapsed;
        assert!(both >= ms(2_000) && both < ms(2_150), "{both:?}");
        assert!(one.abs_diff(other) < ms(50), "{one:?} {other:?}");
    }
}
