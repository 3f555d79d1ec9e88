//! Copies bytes between the browser and a site.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, timeout};

use super::count::{Counters, Direction};
use crate::bounds::browser::TUNNEL_IDLE_TIMEOUT;

const CHUNK: usize = 16 * 1024;

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
        let mut left = most;
        let mut chunk = vec![0; CHUNK];
        while left > 0 {
            let room = usize::try_from(left).unwrap_or(usize::MAX).min(CHUNK);
            let space = chunk.get_mut(..room).unwrap_or_default();
            let count = match timeout(TUNNEL_IDLE_TIMEOUT, from.read(space)).await {
                Ok(read) => read?,
                Err(_) if self.activity.is_idle() => return Err(io::ErrorKind::TimedOut.into()),
                // The other direction is in use.
                Err(_) => continue,
            };
            let Some(bytes @ [_, ..]) = chunk.get(..count) else {
                break;
            };
            self.pass(bytes, to).await?;
            left = left.saturating_sub(u64::try_from(count).unwrap_or(u64::MAX));
        }
        Ok(())
    }

    /// Writes bytes that were read already.
    pub(super) async fn pass(
        &self,
        bytes: &[u8],
        to: &mut (impl AsyncWrite + Unpin),
    ) -> io::Result<()> {
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

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_bytes_ends_after_a_minute() {
        let (counters, activity) = (Counters::new(TunnelLimits::default()), Activity::new());
        let relay = Relay {
            counters: &counters,
            activity: &activity,
            direction: Direction::FromSite,
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
}
