//! Wakes the workers of this process when there is work.

use std::time::{Duration, Instant};

use domain::ports::{QueueRules, StoreError};
use storage::{Database, WakeUps};

use super::WorkerContext;
use crate::signal::Waited;
use crate::worker_pool::Next;

/// How often the queue is polled. On PostgreSQL the server notifies of work at once; polling finds what it
/// does not notify of: jobs that become due, leases that have run out, hosts that are free again,
/// notifications that were lost with a connection.
const POLL: Duration = Duration::from_secs(1);
/// How long one wait for a notification takes, so that a stop is noticed.
const LISTEN: Duration = Duration::from_millis(100);

/// Wakes the workers of this process when there is work for them. One thread polls, so that workers
/// without work ask nothing of the database.
pub(crate) struct QueueListener {
    /// The workers.
    pub(crate) context: WorkerContext,
    /// Where work is queued.
    pub(crate) database: Database,
    /// The rules of the queue of runs, where this process audits.
    pub(crate) rules: Option<Box<dyn Fn() -> QueueRules + Send>>,
    /// The connection with `LISTEN`, once there is one.
    pub(crate) wake_ups: Option<WakeUps>,
}

impl QueueListener {
    /// Waits for work, and wakes the workers where there is any.
    pub(crate) fn step(&mut self) -> Result<Next, StoreError> {
        if self.wake_ups.is_none() && !self.database.is_sqlite() {
            self.wake_ups = self.listen();
        }
        match self.wait() {
            Waited::Stopped => {}
            Waited::Called => self.context.signal.call(),
            Waited::TimedOut => {
                // A database that is away is polled again; others say so in the log.
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

    /// Waits until it is time to poll.
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
