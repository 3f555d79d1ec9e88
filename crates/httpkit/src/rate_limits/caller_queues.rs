//! Per-caller queues of blocking steps.
//!
//! At most a few threads work for one caller, so that others find a free thread. A thread that has finished a step
//! takes the next one from the same queue: waking another thread for each step would cost more than most steps take.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use actix_web::rt::task::spawn_blocking;
use tokio::sync::oneshot;

use super::Caller;

/// Steps that a thread executes in a row for one caller. Then the steps of other callers that wait for a thread go first.
const STEPS_IN_A_ROW: usize = 16;

/// The queues of all callers. A caller without a step has no entry.
pub(super) struct CallerQueues {
    threads_each: usize,
    queues: Mutex<Queues>,
}

#[derive(Default)]
struct Queues {
    of: HashMap<Caller, Queue>,
    /// The number of the next step. Numbers are unique across all queues.
    next: u64,
}

#[derive(Default)]
struct Queue {
    /// Threads that execute steps of the caller.
    threads: usize,
    /// Steps by number, the oldest first. Bounded by the caller's calls and streams: each waits for one step, and removes
    /// it when it ends.
    waiting: BTreeMap<u64, Step>,
}

/// Executes a step and sends its result to the [`QueuedStep`].
type Step = Box<dyn FnOnce() + Send>;

/// The step panicked, or the server stopped before it was done.
#[derive(Debug)]
pub struct StepLost;

impl CallerQueues {
    /// Queues with at most `threads_each` threads for one caller.
    pub(super) fn new(threads_each: usize) -> Arc<Self> {
        Arc::new(Self {
            threads_each,
            queues: Mutex::default(),
        })
    }

    /// Queues a step of a caller. A thread that may block executes it, unless the [`QueuedStep`] is dropped before.
    pub(super) fn submit<T: Send + 'static>(
        self: &Arc<Self>,
        caller: &Caller,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> QueuedStep<T> {
        let (answer, done) = oneshot::channel();
        let step: Step = Box::new(move || {
            if !answer.is_closed()
                && let Ok(done) = catch_unwind(AssertUnwindSafe(step))
            {
                let _ = answer.send(done);
            }
        });
        let (number, to_begin) = self.add(caller, step);
        if let Some(step) = to_begin {
            let worker = Worker {
                queues: Arc::clone(self),
                caller: caller.clone(),
                is_counted: true,
            };
            spawn_blocking(move || worker.work(step));
        }
        QueuedStep {
            done,
            queues: Arc::clone(self),
            caller: caller.clone(),
            number,
        }
    }

    /// Numbers a step. Returns the step itself if another thread may start for it, and queues it otherwise.
    fn add(&self, caller: &Caller, step: Step) -> (u64, Option<Step>) {
        let mut queues = self.lock();
        let number = queues.next;
        queues.next = number.wrapping_add(1);
        let queue = queues.of.entry(caller.clone()).or_default();
        if queue.threads < self.threads_each {
            queue.threads += 1;
            return (number, Some(step));
        }
        queue.waiting.insert(number, step);
        (number, None)
    }

    /// Takes the oldest step of a caller. If there is none, the calling thread no longer counts.
    fn next(&self, caller: &Caller) -> Option<Step> {
        let mut queues = self.lock();
        let queue = queues.of.get_mut(caller)?;
        let step = queue.waiting.pop_first().map(|(_, step)| step);
        if step.is_none() {
            drop(queues.count_out(caller));
        }
        step
    }

    /// Removes a step from its queue. Returns `None` if a thread has taken it.
    fn remove(&self, caller: &Caller, number: u64) -> Option<Step> {
        let mut queues = self.lock();
        let queue = queues.of.get_mut(caller)?;
        queue.waiting.remove(&number)
    }

    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queues {
    /// Counts one thread less. The last one removes the queue, and returns it with the steps that still wait.
    fn count_out(&mut self, caller: &Caller) -> Option<Queue> {
        let queue = self.of.get_mut(caller)?;
        queue.threads = queue.threads.saturating_sub(1);
        if queue.threads > 0 {
            return None;
        }
        self.of.remove(caller)
    }
}

/// A thread that executes steps of one caller.
struct Worker {
    queues: Arc<CallerQueues>,
    caller: Caller,
    /// Whether it is counted among the threads of the caller.
    is_counted: bool,
}

impl Worker {
    fn work(mut self, first: Step) {
        let mut next = first;
        for _ in 0..STEPS_IN_A_ROW {
            next();
            let Some(step) = self.queues.next(&self.caller) else {
                self.is_counted = false;
                return;
            };
            next = step;
        }
        spawn_blocking(move || self.work(next));
    }
}

impl Drop for Worker {
    /// When the server stops, the runtime drops threads that have not started.
    fn drop(&mut self) {
        if self.is_counted {
            let lost = self.queues.lock().count_out(&self.caller);
            // Dropped after the lock is released. Each call that waits for one of these steps gets `StepLost`.
            drop(lost);
        }
    }
}

/// A step that is queued, begun or done. Dropping it cancels the step, unless that has begun.
pub(super) struct QueuedStep<T> {
    done: oneshot::Receiver<T>,
    queues: Arc<CallerQueues>,
    caller: Caller,
    number: u64,
}

impl<T> QueuedStep<T> {
    /// Cancels the step. Returns whether it was still in its queue.
    pub(super) fn cancel(&self) -> bool {
        let step = self.queues.remove(&self.caller, self.number);
        // What the step holds is dropped here, after the lock is released.
        step.is_some()
    }
}

impl<T> Future for QueuedStep<T> {
    type Output = Result<T, StepLost>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let done = Pin::new(&mut self.done).poll(context);
        done.map(|done| done.map_err(|_| StepLost))
    }
}

impl<T> Drop for QueuedStep<T> {
    fn drop(&mut self) {
        self.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc;

    use actix_web::rt::System;
    use futures_util::FutureExt;
    use tokio::runtime::{Builder, Runtime};

    use super::*;

    fn caller(last: u8) -> Caller {
        Caller::Address(Ipv4Addr::new(192, 0, 2, last).into())
    }

    /// Runs `work` on a server with `threads` blocking threads.
    fn with_threads(threads: usize, work: impl Future<Output = ()>) {
        let runtime = move || -> Runtime {
            let mut builder = Builder::new_current_thread();
            builder.enable_all().max_blocking_threads(threads);
            builder.build().unwrap()
        };
        System::with_tokio_rt(runtime).block_on(work);
    }

    #[test]
    fn steps_of_a_caller_are_done_in_their_order_by_its_number_of_threads() {
        with_threads(8, async {
            let queues = CallerQueues::new(1);
            let order = Arc::new(Mutex::new(Vec::new()));
            let steps: Vec<_> = (0..100)
                .map(|number| {
                    let order = Arc::clone(&order);
                    queues.submit(&caller(1), move || order.lock().unwrap().push(number))
                })
                .collect();
            for step in steps {
                step.await.unwrap();
            }
            assert_eq!(*order.lock().unwrap(), (0..100).collect::<Vec<_>>());
        });
    }

    #[test]
    fn a_caller_whose_steps_do_not_end_holds_its_threads_and_no_others() {
        with_threads(3, async {
            let queues = CallerQueues::new(2);
            let (release, held) = mpsc::channel::<()>();
            let held = Arc::new(Mutex::new(held));
            let stuck: Vec<_> = (0..5)
                .map(|_| {
                    let held = Arc::clone(&held);
                    queues.submit(&caller(1), move || held.lock().unwrap().recv().is_err())
                })
                .collect();
            assert_eq!(queues.submit(&caller(2), || 7).await.unwrap(), 7);
            drop(release);
            for step in stuck {
                assert!(step.await.unwrap());
            }
        });
    }

    #[test]
    fn a_busy_thread_serves_another_caller_after_its_row_of_steps() {
        with_threads(1, async {
            let queues = CallerQueues::new(1);
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut steps = Vec::new();
            for number in 0..STEPS_IN_A_ROW * 3 {
                let order = Arc::clone(&order);
                steps.push(queues.submit(&caller(1), move || order.lock().unwrap().push(number)));
            }
            let seen = Arc::clone(&order);
            let done_before = queues.submit(&caller(2), move || seen.lock().unwrap().len());
            assert!(done_before.await.unwrap() <= STEPS_IN_A_ROW);
            for step in steps {
                step.await.unwrap();
            }
        });
    }

    #[test]
    fn an_abandoned_step_leaves_its_queue_and_never_starts() {
        with_threads(2, async {
            let queues = CallerQueues::new(1);
            let (release, held) = mpsc::channel::<()>();
            let first = queues.submit(&caller(1), move || held.recv().is_err());
            let kept = Arc::new(());
            let holds = Arc::clone(&kept);
            let second = queues.submit(&caller(1), move || drop(holds));
            let third = queues.submit(&caller(1), || 3);
            assert!(second.cancel());
            assert_eq!(Arc::strong_count(&kept), 1, "its resources are dropped");
            drop(second);
            drop(release);
            assert!(first.await.unwrap());
            assert_eq!(third.await.unwrap(), 3);
        });
    }

    #[test]
    fn a_step_that_panics_takes_no_other_with_it() {
        with_threads(2, async {
            let queues = CallerQueues::new(1);
            let lost = queues.submit(&caller(1), || assert_eq!(1, 2, "on purpose"));
            let next = queues.submit(&caller(1), || 3);
            assert!(lost.await.is_err());
            assert_eq!(next.await.unwrap(), 3);
        });
    }

    #[test]
    fn callers_without_steps_are_forgotten() {
        with_threads(2, async {
            let queues = CallerQueues::new(2);
            for last in 0..100 {
                queues.submit(&caller(last), || ()).await.unwrap();
            }
            // A thread stops counting after it has sent the last result.
            while !queues.lock().of.is_empty() {
                actix_web::rt::task::yield_now().await;
            }
        });
    }

    #[test]
    fn queued_steps_are_lost_when_the_server_stops() {
        let queues = CallerQueues::new(1);
        let (_, first) = queues.add(&caller(1), Box::new(|| ()));
        let waiting = queues.submit(&caller(1), || ());
        assert!(first.is_some());
        // As when the runtime stops before the thread starts.
        drop(Worker {
            queues: Arc::clone(&queues),
            caller: caller(1),
            is_counted: true,
        });
        assert!(waiting.now_or_never().unwrap().is_err());
        assert!(queues.lock().of.is_empty());
    }
}
