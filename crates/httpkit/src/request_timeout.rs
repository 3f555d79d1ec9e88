//! Timeout of a request's blocking steps.

use std::time::{Duration, Instant};

use actix_web::rt::task::{JoinError, JoinHandle, spawn_blocking};
use actix_web::rt::time::timeout;

use crate::problem::Problem;

/// Total time of the blocking steps of a request. A database that does not respond keeps its thread busy, but not
/// the client waiting.
const CALL_TIMEOUT: Duration = Duration::from_millis(4_700);

/// The remaining time of a request.
pub struct RequestTimeout(Duration);

impl Default for RequestTimeout {
    fn default() -> Self {
        Self(CALL_TIMEOUT)
    }
}

impl RequestTimeout {
    /// Waits at most for the remaining time; returns `None` on timeout.
    pub async fn wait<T>(&mut self, awaited: impl Future<Output = T>) -> Option<T> {
        let began = Instant::now();
        let done = timeout(self.0, awaited).await;
        self.0 = self.0.saturating_sub(began.elapsed());
        done.ok()
    }

    /// Returns the remaining time.
    pub const fn left(&self) -> Duration {
        self.0
    }

    /// Runs a blocking step on a blocking thread. If the request times out or the client disconnects before a thread is
    /// free, the step never starts. So a request that got a 503 is not executed later, and a flood of requests leaves
    /// no work behind.
    ///
    /// # Errors
    /// `unavailable` on timeout, `internal` if the step panics.
    pub async fn block<T: Send + 'static>(
        &mut self,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        finished(self.wait(blocking(step)).await)
    }
}

/// Converts the result of a step: `None` is a timeout, `Err` a panic.
pub(crate) fn finished<T, E>(step: Option<Result<T, E>>) -> Result<T, Problem> {
    match step {
        Some(Ok(done)) => Ok(done),
        Some(Err(_)) => Err(Problem::internal("the handler panicked")),
        None => Err(Problem::unavailable("the stores did not answer in time")),
    }
}

/// Runs a blocking step on a blocking thread; never starts it if the returned future is dropped before.
///
/// # Errors
/// If the step panics.
pub async fn blocking<T: Send + 'static>(
    step: impl FnOnce() -> T + Send + 'static,
) -> Result<T, JoinError> {
    let mut step = Step(spawn_blocking(step));
    (&mut step.0).await
}

/// A step that is cancelled on drop.
struct Step<T>(JoinHandle<T>);

impl<T> Drop for Step<T> {
    fn drop(&mut self) {
        // Has no effect on a step that has started.
        self.0.abort();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;

    use actix_web::rt::System;
    use tokio::runtime::{Builder, Runtime};

    use super::*;
    use crate::problem::Code;

    #[actix_web::test]
    async fn a_hanging_step_blocks_its_thread_and_not_the_client() {
        let (release, held) = mpsc::channel::<()>();
        let mut request_timeout = RequestTimeout(Duration::from_millis(20));
        let late = request_timeout.block(move || held.recv().is_ok()).await;
        assert_eq!(late.unwrap_err().code(), Code::Unavailable);
        assert_eq!(request_timeout.0, Duration::ZERO);
        drop(release);
    }

    /// A runtime with one blocking thread, like each worker of the server.
    fn with_one_thread() -> Runtime {
        Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(1)
            .build()
            .unwrap()
    }

    #[test]
    fn an_abandoned_step_never_starts() {
        System::with_tokio_rt(with_one_thread).block_on(async {
            let (release, held) = mpsc::channel::<()>();
            let busy = spawn_blocking(move || held.recv().is_err());
            let is_begun = Arc::new(AtomicBool::new(false));
            let begun = Arc::clone(&is_begun);
            let mut request_timeout = RequestTimeout(Duration::from_millis(20));
            let late = request_timeout.block(move || begun.store(true, Ordering::SeqCst));
            assert_eq!(late.await.unwrap_err().code(), Code::Unavailable);

            drop(release);
            assert!(busy.await.unwrap());
            // The only thread runs this step after all earlier ones.
            RequestTimeout::default().block(|| ()).await.unwrap();
            assert!(!is_begun.load(Ordering::SeqCst));
        });
    }

    #[actix_web::test]
    async fn a_step_within_the_timeout_returns_its_result() {
        assert_eq!(RequestTimeout::default().block(|| 7).await.unwrap(), 7);
    }
}
