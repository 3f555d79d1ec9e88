//! The pool of background threads of a process.

use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::metrics;
use crate::signal::{Signal, Waited};

/// Pause of a thread after a step that failed or panicked.
pub(crate) const PAUSE: Duration = Duration::from_secs(1);

/// What a thread does after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Run the next step immediately.
    Continue,
    /// Run the next step when there may be work, or after this time at the latest.
    WaitForWork(Duration),
    /// Run the next step after this time.
    Sleep(Duration),
}

/// The background threads of a process. Each repeats a step until the pool is stopped. A step that fails or panics is
/// logged and counted, and its thread continues after a pause.
pub(crate) struct WorkerPool {
    signal: Arc<Signal>,
    threads: Vec<JoinHandle<()>>,
}

impl WorkerPool {
    /// Creates an empty pool. Its threads wait for the signal, and end when it tells them to stop.
    pub(crate) const fn new(signal: Arc<Signal>) -> Self {
        Self {
            signal,
            threads: Vec::new(),
        }
    }

    /// Starts a thread that repeats a step. `task` names it in logs and metrics, so it must have low cardinality.
    pub(crate) fn spawn<E: Display>(
        &mut self,
        task: &'static str,
        mut step: impl FnMut() -> Result<Next, E> + Send + 'static,
    ) -> std::io::Result<()> {
        metrics::task_started(task);
        let signal = Arc::clone(&self.signal);
        let thread = std::thread::Builder::new().name(task.to_owned());
        let thread = thread.spawn(move || {
            while !signal.is_stopped() {
                // Subscribe before looking for work, so that a wake-up in between is not missed.
                let seen = signal.seen();
                let next = match catch_unwind(AssertUnwindSafe(&mut step)) {
                    Ok(Ok(next)) => next,
                    Ok(Err(error)) => {
                        tracing::warn!(task, %error, "background task failed");
                        metrics::task_failed(task);
                        Next::Sleep(PAUSE)
                    }
                    Err(panic) => {
                        let panic = message_of(&*panic);
                        tracing::error!(task, panic, "background task panicked");
                        metrics::task_panicked(task);
                        Next::Sleep(PAUSE)
                    }
                };
                let waited = match next {
                    Next::Continue => continue,
                    Next::WaitForWork(most) => signal.wait(seen, most),
                    Next::Sleep(most) => signal.wait_for_stop(most),
                };
                if waited == Waited::Stopped {
                    return;
                }
            }
        })?;
        self.threads.push(thread);
        Ok(())
    }

    /// Waits until all threads have ended after [`Signal::stop`], at most for `most`. Another process takes over
    /// what is still leased then, when the lease has expired.
    pub(crate) fn join(self, most: Duration) {
        let end = Instant::now() + most;
        while let Some(thread) = self.threads.iter().find(|thread| !thread.is_finished()) {
            if Instant::now() >= end {
                let task = thread.thread().name().unwrap_or_default();
                tracing::warn!(task, "background task did not stop in time");
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Returns the message of a panic.
pub(crate) fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn a_step_is_repeated_when_there_may_be_work_and_until_the_stop() {
        let signal = Arc::new(Signal::default());
        let mut pool = WorkerPool::new(Arc::clone(&signal));
        let (send, steps) = channel();
        pool.spawn("test", move || {
            send.send(()).map(|()| Next::WaitForWork(LONG))
        })
        .unwrap();
        for _ in 0..3 {
            steps.recv().unwrap();
            signal.call();
        }
        signal.stop();
        pool.join(LONG);
        // The wake-up call of the last step may have come before the stop.
        assert!(steps.iter().count() <= 1);
    }

    #[test]
    fn a_panic_ends_a_step_and_not_its_thread() {
        let signal = Arc::new(Signal::default());
        let mut pool = WorkerPool::new(Arc::clone(&signal));
        let (send, steps) = channel();
        let mut is_first = true;
        pool.spawn("test", move || {
            assert!(
                !std::mem::take(&mut is_first),
                "failure injected by the test"
            );
            send.send(()).map(|()| Next::Sleep(LONG))
        })
        .unwrap();
        steps.recv().unwrap();
        signal.stop();
        pool.join(LONG);
    }

    #[test]
    fn the_message_of_a_panic_is_extracted() {
        let panic = catch_unwind(|| panic!("number {}", 7)).unwrap_err();
        assert_eq!(message_of(&*panic), "number 7");
        let panic = catch_unwind(|| panic!("plain")).unwrap_err();
        assert_eq!(message_of(&*panic), "plain");
    }
}
