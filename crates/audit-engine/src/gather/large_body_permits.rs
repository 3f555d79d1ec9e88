//! Permits that limit how many large bodies are held at the same time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A body of more bytes is large.
pub const LARGE_BODY: usize = 256 * 1024;

/// The longest wait for a permit. The holder of one may be waiting for a slow server.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Permits for bodies larger than [`LARGE_BODY`]. They limit how many of these bodies are held at the same
/// time, regardless of the number of requests in flight. The reader of a body acquires one once the body has
/// become large.
#[derive(Debug, Clone)]
pub struct LargeBodyPermits(Arc<Semaphore>);

/// The permit of one large body. It is released when its last copy is dropped.
#[derive(Debug, Clone)]
pub struct LargeBodyPermit(
    #[expect(dead_code, reason = "held; dropping it releases the permit")]
    Option<Arc<OwnedSemaphorePermit>>,
);

impl LargeBodyPermits {
    /// One permit for each large body that may be held at the same time.
    #[must_use]
    pub fn new(permits: usize) -> Self {
        Self(Arc::new(Semaphore::new(permits)))
    }

    /// Waits for a permit. After ten seconds the body continues without one: a lost page is worse than the
    /// memory.
    pub async fn acquire(&self) -> LargeBodyPermit {
        let permit = tokio::time::timeout(MAX_WAIT, Arc::clone(&self.0).acquire_owned()).await;
        // The semaphore is never closed.
        LargeBodyPermit(permit.ok().and_then(Result::ok).map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waiting_for_a_permit_times_out() {
        let permits = LargeBodyPermits::new(1);
        let begun = Instant::now();
        let first = permits.acquire().await;
        assert!(begun.elapsed().is_zero());
        let _without = permits.acquire().await;
        assert_eq!(begun.elapsed(), MAX_WAIT);
        let copy = first.clone();
        drop(first);
        let late = permits.acquire().await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT, "a copy holds the permit");
        drop((copy, late));
        let _next = permits.acquire().await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT);
    }
}
