//! Large bodies come one after the other.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A body of more bytes is large.
pub const LARGE_BODY: usize = 256 * 1024;

/// A body of more bytes is huge: there is no more than one at a time, since what is made of it takes many times
/// its size.
pub const HUGE_BODY: usize = 2 * 1024 * 1024;

/// The longest wait for a turn. Who holds one may be waiting for a slow server.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Turns for bodies larger than [`LARGE_BODY`], so that few of them are held at one time, however many
/// requests are under way: each takes a turn once it has become large, and another one when it is
/// [huge](HUGE_BODY), before it is read on.
#[derive(Debug, Clone)]
pub struct Turns {
    large: Arc<Semaphore>,
    huge: Arc<Semaphore>,
}

/// A large body's turn, over when the last copy of this is dropped.
#[derive(Debug, Clone, Default)]
pub struct Turn {
    large: Option<Permit>,
    huge: Option<Permit>,
}

/// None within for a turn that was waited for too long.
type Permit = Option<Arc<OwnedSemaphorePermit>>;

impl Turns {
    /// So many large bodies at one time.
    #[must_use]
    pub fn new(at_one_time: usize) -> Self {
        Self {
            large: Arc::new(Semaphore::new(at_one_time)),
            huge: Arc::new(Semaphore::new(1)),
        }
    }

    /// Waits until a body of so many bytes may be read on, ten seconds at most for each turn that it does not
    /// have yet: memory is not worth a page that is lost.
    pub async fn take(&self, turn: &mut Turn, bytes: usize) {
        if bytes > LARGE_BODY && turn.large.is_none() {
            turn.large = Some(permit(&self.large).await);
        }
        // Always the second, so that nobody who has this one waits for the other.
        if bytes > HUGE_BODY && turn.huge.is_none() {
            turn.huge = Some(permit(&self.huge).await);
        }
    }
}

async fn permit(turns: &Arc<Semaphore>) -> Permit {
    let turn = tokio::time::timeout(MAX_WAIT, Arc::clone(turns).acquire_owned()).await;
    // The semaphore is never closed.
    turn.ok().and_then(Result::ok).map(Arc::new)
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::*;

    async fn turn_for(turns: &Turns, bytes: usize) -> Turn {
        let mut turn = Turn::default();
        turns.take(&mut turn, bytes).await;
        turn
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_is_waited_for_but_not_for_ever() {
        let turns = Turns::new(1);
        let begun = Instant::now();
        let first = turn_for(&turns, LARGE_BODY + 1).await;
        assert!(begun.elapsed().is_zero());
        let _small = turn_for(&turns, LARGE_BODY).await;
        assert!(begun.elapsed().is_zero());
        let _without = turn_for(&turns, LARGE_BODY + 1).await;
        assert_eq!(begun.elapsed(), MAX_WAIT);
        let copy = first.clone();
        drop(first);
        let late = turn_for(&turns, LARGE_BODY + 1).await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT, "a copy holds the turn");
        drop((copy, late));
        let _next = turn_for(&turns, LARGE_BODY + 1).await;
        assert_eq!(begun.elapsed(), 2 * MAX_WAIT);
    }

    #[tokio::test(start_paused = true)]
    async fn of_large_bodies_one_is_huge() {
        let turns = Turns::new(3);
        let begun = Instant::now();
        let mut growing = turn_for(&turns, LARGE_BODY + 1).await;
        let huge = turn_for(&turns, HUGE_BODY + 1).await;
        assert!(begun.elapsed().is_zero());
        let mut waits = Box::pin(turns.take(&mut growing, HUGE_BODY + 1));
        let at_once = tokio::time::timeout(Duration::ZERO, &mut waits).await;
        assert!(at_once.is_err());
        let _large = turn_for(&turns, HUGE_BODY).await;
        assert!(begun.elapsed().is_zero(), "others may be large meanwhile");
        drop(huge);
        waits.await;
        assert!(begun.elapsed().is_zero());
        turns.take(&mut growing, HUGE_BODY * 2).await;
        assert!(begun.elapsed().is_zero(), "it has its turns");
    }
}
