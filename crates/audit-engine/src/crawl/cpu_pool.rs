//! The CPU pool: the threads that parse and evaluate pages.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// One thread for each core, shared by all audits of the process.
///
/// The pool has dedicated threads because threads of the runtime come and go: memory that one of many threads
/// allocates and another frees stays with the process for a long time, a hundred MiB and more for a large site.
static CPU_POOL: LazyLock<CpuPool> = LazyLock::new(CpuPool::start);

struct CpuPool {
    jobs: Sender<Job>,
    threads: usize,
}

impl CpuPool {
    fn start() -> Self {
        let (jobs, waiting) = channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let threads = (0..count())
            .filter(|_| {
                let waiting = Arc::clone(&waiting);
                thread::Builder::new()
                    .name("assay-pages".to_owned())
                    .spawn(move || work(&waiting))
                    .is_ok()
            })
            .count();
        Self { jobs, threads }
    }
}

fn work(waiting: &Mutex<Receiver<Job>>) {
    loop {
        let job = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(job) = job else { return };
        // After a panic the sender is dropped, so the receiver learns of it.
        drop(catch_unwind(AssertUnwindSafe(job)));
    }
}

/// How many pages are evaluated at the same time.
pub(super) fn count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs the work on a core after all queued work. Returns none if it panicked.
pub(super) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // The clock of a single-threaded runtime may be paused, as in tests. It stays paused only while the
    // runtime's own blocking threads are working.
    let flavor = tokio::runtime::Handle::current().runtime_flavor();
    if CPU_POOL.threads == 0 || flavor == tokio::runtime::RuntimeFlavor::CurrentThread {
        return tokio::task::spawn_blocking(work).await.ok();
    }
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move || {
        // The receiver is closed if the audit was cancelled.
        if !answer.is_closed() {
            drop(answer.send(work()));
        }
    });
    CPU_POOL.jobs.send(job).ok()?;
    answered.await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_panic_affects_neither_the_thread_nor_other_work() {
        for _ in 0..2 * count() {
            assert_eq!(run(|| -> u32 { panic!("on purpose") }).await, None);
        }
        assert_eq!(run(|| 1).await, Some(1));
    }
}
