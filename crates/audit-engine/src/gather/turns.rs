//! Large bodies come one after the other.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A body of more bytes is large.
pub const LARGE_BODY: usize = 256 * 1024;

/// The longest wait for a turn. Who holds one may be waiting for a slow server.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Turns for bodies larger than [`LARGE_BODY`], so that few of them are held at one time, however many
/// requests are under way: each takes a turn once it has become large, before it is read on.
#[derive(Debug, Clone)]
pub struct Turns(Arc<Semaphore>);

/// A large body's turn, over when the last copy of this is dropped.
#[derive(Debug, Clone)]
pub struct Turn(
    #[expect(dead_code, reason = "held, and given back by being dropped")]
    Option<Arc<OwnedSemaphorePermit>>,
);

impl Turns {
    /// So many large bodies at one time.
    #[must_use]
    pub fn new(at_one_time: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_one_time)))
    }

    /// Waits for a turn, ten seconds at most: memory is not worth a page that is lost.
    pub async fn take(&self) -> Turn {
        let turn = tokio::time::timeout(MAX_WAIT, Arc::clone(&self.0).acquire_owned()).await;
        // The semaphore is never closed.
        Turn(turn.ok().and_then(Result::ok).map(Arc::new))
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_turn_is_waited_for_but_not_for_ever() {
        let turns = Turns::new(1);
        let begun = Instant::now();
        let first = turns.take().await;
        assert!(begun.elapsed().is_zero());
        let _without = turns.take().await;
        assert_eq!(begun.elapsed(), MAX_WAIT);
        let copy = first.clone();
        drop(first);
        let late = turns.take().await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT, "a copy holds the turn");
        drop((copy, late));
        let _next = turns.take().await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT);
    }
}
