//! How long a caller is kept waiting for the stores.

use std::time::{Duration, Instant};

use actix_web::rt::time::timeout;
use actix_web::web;

use crate::problem::Problem;

/// How long the blocking steps of a call may take together. A database that does not answer at all
/// holds the thread that asked it, but not the caller.
const PATIENCE: Duration = Duration::from_millis(4_700);

/// What is left of a call's time.
pub(crate) struct Patience(Duration);

impl Patience {
    /// All of it.
    pub(crate) const fn new() -> Self {
        Self(PATIENCE)
    }

    /// Runs what blocks on a thread that may.
    ///
    /// # Errors
    /// `unavailable` when it takes longer than what is left, `internal` when it panics.
    pub(crate) async fn block<T: Send + 'static>(
        &mut self,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let began = Instant::now();
        let done = timeout(self.0, web::block(step)).await;
        self.0 = self.0.saturating_sub(began.elapsed());
        match done {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(_)) => Err(Problem::internal("the handler panicked")),
            Err(_) => Err(Problem::unavailable("the stores did not answer in time")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::problem::Code;

    #[actix_web::test]
    async fn a_step_that_does_not_end_holds_its_thread_and_not_the_caller() {
        let (release, held) = mpsc::channel::<()>();
        let mut patience = Patience(Duration::from_millis(20));
        let late = patience.block(move || held.recv().is_ok()).await;
        assert_eq!(late.unwrap_err().code(), Code::Unavailable);
        assert_eq!(patience.0, Duration::ZERO);
        drop(release);
    }

    #[actix_web::test]
    async fn what_ends_in_time_is_answered() {
        assert_eq!(Patience::new().block(|| 7).await.unwrap(), 7);
    }
}
