//! The thread that looks out for work which other processes queued.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use storage::{Database, WakeUps};

use super::{Shop, Waited};

/// How often it looks by itself. On PostgreSQL the server tells of work at once; looking finds what was
/// not told: leases that have run out, hosts that are free again, words that were lost with a connection.
const POLL: Duration = Duration::from_secs(1);
/// How long it listens before it looks whether to stop.
const LISTEN: Duration = Duration::from_millis(100);

/// Calls the workers of this process where there is work for them. One thread looks, so that workers
/// without work ask nothing of the database.
pub(crate) struct Lookout {
    /// The workers.
    pub(crate) shop: Arc<Shop>,
    /// Where work is queued.
    pub(crate) database: Database,
}

impl Lookout {
    /// Starts the thread.
    pub(crate) fn start(self) -> std::io::Result<JoinHandle<()>> {
        let thread = std::thread::Builder::new().name("lookout".to_owned());
        thread.spawn(move || self.work())
    }

    fn work(&self) {
        let mut wake_ups = None;
        while !self.shop.signal.is_stopped() {
            if wake_ups.is_none() && !self.database.is_sqlite() {
                wake_ups = self.listen();
            }
            if self.wait(&mut wake_ups) == Waited::Called || self.has_work() {
                self.shop.signal.call();
            }
        }
    }

    fn listen(&self) -> Option<WakeUps> {
        self.database.wake_ups().unwrap_or_else(|error| {
            tracing::debug!(%error, "the database tells of no work yet");
            None
        })
    }

    /// Waits until it is time to look.
    fn wait(&self, wake_ups: &mut Option<WakeUps>) -> Waited {
        let signal = &self.shop.signal;
        let Some(listening) = wake_ups else {
            return signal.wait_for_stop(POLL);
        };
        let began = Instant::now();
        while began.elapsed() < POLL && !signal.is_stopped() {
            match listening.wait(LISTEN) {
                Ok(true) => return Waited::Called,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(%error, "the database tells of work no longer; it is looked for");
                    *wake_ups = None;
                    return signal.wait_for_stop(POLL);
                }
            }
        }
        Waited::TimedOut
    }

    fn has_work(&self) -> bool {
        let shop = &self.shop;
        let asks = shop.worker("lookout");
        let looked = shop.stores.has_work(&asks, &shop.rules(), shop.clock.now());
        looked.unwrap_or_else(|error| {
            tracing::debug!(%error, "the queue could not be looked at");
            false
        })
    }
}
