//! The queue listener: wakes the workers of this process when there is work.

use std::time::{Duration, Instant};

use domain::ports::{QueueRules, StoreError};
use storage::{Database, WakeUps};

use super::WorkerContext;
use crate::signal::Waited;
use crate::worker_pool::Next;

/// Poll interval of the queue. A PostgreSQL server notifies of new work immediately. Polling finds the rest: jobs that
/// become due, expired leases, hosts that are free again, and notifications lost with a connection.
const POLL: Duration = Duration::from_secs(1);
/// How long one wait for a notification takes, so that a stop is noticed.
const LISTEN: Duration = Duration::from_millis(100);

/// Wakes the workers of this process when there is work for them. Only this thread polls, so idle workers do not query
/// the database.
pub(crate) struct QueueListener {
    /// The workers.
    pub(crate) context: WorkerContext,
    /// The database with the queue.
    pub(crate) database: Database,
    /// The rules of the run queue, if this process audits.
    pub(crate) rules: Option<Box<dyn Fn() -> QueueRules + Send>>,
    /// The `LISTEN` connection, once there is one.
    pub(crate) wake_ups: Option<WakeUps>,
}

impl QueueListener {
    /// Waits for work, and wakes the workers if there is any.
    pub(crate) fn step(&mut self) -> Result<Next, StoreError> {
        if self.wake_ups.is_none() && !self.database.is_sqlite() {
            self.wake_ups = self.listen();
        }
        match self.wait() {
            Waited::Stopped => {}
            Waited::Called => self.context.signal.call(),
            Waited::TimedOut => {
                // An unavailable database is polled again; other tasks log the error.
                if self.has_work().unwrap_or_default() {
                    self.context.signal.call();
                }
            }
        }
        Ok(Next::Continue)
    }

    fn listen(&self) -> Option<WakeUps> {
        self.database.wake_ups().unwrap_or_else(|error| {
            tracing::debug!(%error, "no LISTEN connection; polling");
            None
        })
    }

    /// Waits until the next poll.
    fn wait(&mut self) -> Waited {
        let signal = &self.context.signal;
        let Some(listening) = &mut self.wake_ups else {
            return signal.wait_for_stop(POLL);
        };
        let began = Instant::now();
        while began.elapsed() < POLL && !signal.is_stopped() {
            match listening.wait(LISTEN) {
                Ok(true) => return Waited::Called,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "LISTEN connection lost; falling back to polling");
                    self.wake_ups = None;
                    return signal.wait_for_stop(POLL);
                }
            }
        }
        Waited::TimedOut
    }

    fn has_work(&self) -> Result<bool, StoreError> {
        let (stores, now) = (&self.context.stores, self.context.clock.now());
        if stores.has_due_jobs(now)? {
            return Ok(true);
        }
        match &self.rules {
            Some(rules) => stores.has_work(&self.context.worker("listener"), &rules(), now),
            None => Ok(false),
        }
    }
}
