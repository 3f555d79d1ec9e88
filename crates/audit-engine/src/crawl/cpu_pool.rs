//! The CPU pool: the threads that parse and judge pages.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A thread for each core, shared by all audits of the process.
///
/// Threads of their own and not those of the runtime, which come and go: what one thread of many
/// allocates and another frees stays with the process for long, a hundred MiB and more for a large site.
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
        // Whoever waits for the answer learns of a panic by getting none.
        drop(catch_unwind(AssertUnwindSafe(job)));
    }
}

/// How many pages are judged at one time.
pub(super) fn count() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Runs the work on a core, behind what waits there already. None where it panicked.
pub(super) async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    // The clock of a runtime with one thread may be paused, as in tests: it stands still only while the
    // runtime's own blocking threads are at work.
    let flavor = tokio::runtime::Handle::current().runtime_flavor();
    if CPU_POOL.threads == 0 || flavor == tokio::runtime::RuntimeFlavor::CurrentThread {
        return tokio::task::spawn_blocking(work).await.ok();
    }
    let (answer, answered) = oneshot::channel();
    let job: Job = Box::new(move || {
        // Nobody waits any more when the audit was given up.
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
    async fn work_that_panics_costs_neither_its_thread_nor_other_work() {
        for _ in 0..2 * count() {
            assert_eq!(run(|| -> u32 { panic!("on purpose") }).await, None);
        }
        assert_eq!(run(|| 1).await, Some(1));
    }
}
