//! The thread that removes what is kept no longer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use domain::plan::SharedPlans;
use domain::ports::{Clock, StoreError, Stores};
use domain::retention::Retention;
use domain::usecase::{House, Tidied};

use super::{Signal, Waited};
use crate::metrics;

/// Between two steps, so that others come to write: a step takes some milliseconds.
const REST: Duration = Duration::from_millis(20);
/// How often the bytes that organizations store are compared with their plans at least: one row is read
/// for each organization whose plan has a limit.
const QUOTAS_EVERY: Duration = Duration::from_secs(60);

/// Removes what is kept no longer.
pub(crate) struct Housekeeper {
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// The plans.
    pub(crate) plans: SharedPlans,
    /// How long things are kept where nothing nearer says so.
    pub(crate) retention: Retention,
    /// Between two looks.
    pub(crate) every: Duration,
    /// Tells it to stop.
    pub(crate) signal: Arc<Signal>,
}

impl Housekeeper {
    /// Starts the thread. It looks at once, and then again and again.
    pub(crate) fn start(self) -> std::io::Result<JoinHandle<()>> {
        let thread = std::thread::Builder::new().name("housekeeping".to_owned());
        thread.spawn(move || {
            let mut last_sweep = None;
            while !self.signal.is_stopped() {
                let is_due = last_sweep.is_none_or(|last: Instant| last.elapsed() >= self.every);
                if is_due {
                    last_sweep = Some(Instant::now());
                }
                match catch_unwind(AssertUnwindSafe(|| self.sweep(is_due))) {
                    Ok(Ok(tidied)) => tell(&tidied),
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "what is kept no longer could not be removed");
                    }
                    Err(_) => tracing::error!("keeping house panicked"),
                }
                let rest = QUOTAS_EVERY.min(self.every);
                if self.signal.wait_for_stop(rest) == Waited::Stopped {
                    return;
                }
            }
        })
    }

    /// Enforces the quotas, after everything that is past its time was removed where that is due.
    fn sweep(&self, is_due: bool) -> Result<Tidied, StoreError> {
        let plans = self.plans.current();
        let house = House {
            stores: &*self.stores,
            clock: &*self.clock,
            plans: &plans,
            retention: self.retention,
        };
        let mut goes_on = || self.signal.wait_for_stop(REST) != Waited::Stopped;
        let mut tidied = match is_due {
            true => house.tidy(&mut goes_on)?,
            false => Tidied::default(),
        };
        tidied.runs += house.enforce_quotas(&mut goes_on)?;
        Ok(tidied)
    }
}

fn tell(tidied: &Tidied) {
    metrics::tidied(tidied);
    if *tidied != Tidied::default() {
        tracing::info!(
            runs = tidied.runs,
            audit_lines = tidied.audit_lines,
            answers = tidied.answers,
            "what is kept no longer was removed"
        );
    }
}
