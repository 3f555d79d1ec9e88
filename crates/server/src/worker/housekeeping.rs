//! The thread that removes what is kept no longer.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use domain::plan::Plans;
use domain::ports::{Clock, StoreError, Stores};
use domain::retention::Retention;
use domain::usecase::{House, Tidied};

use super::{Signal, Waited};
use crate::metrics;

/// Between two steps, so that others come to write: a step takes some milliseconds.
const REST: Duration = Duration::from_millis(20);

/// Removes what is kept no longer.
pub(crate) struct Housekeeper {
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// The plans.
    pub(crate) plans: Plans,
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
            while !self.signal.is_stopped() {
                match catch_unwind(AssertUnwindSafe(|| self.tidy())) {
                    Ok(Ok(tidied)) => tell(&tidied),
                    Ok(Err(error)) => {
                        tracing::warn!(%error, "what is kept no longer could not be removed");
                    }
                    Err(_) => tracing::error!("keeping house panicked"),
                }
                if self.signal.wait_for_stop(self.every) == Waited::Stopped {
                    return;
                }
            }
        })
    }

    fn tidy(&self) -> Result<Tidied, StoreError> {
        let house = House {
            stores: &*self.stores,
            clock: &*self.clock,
            plans: &self.plans,
            retention: self.retention,
        };
        house.tidy(&mut || self.signal.wait_for_stop(REST) != Waited::Stopped)
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
