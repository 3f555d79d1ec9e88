//! The result of the last health probe of the database.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use domain::ports::NotReady;

/// The result and time of the last probe.
#[derive(Debug, Default)]
pub(crate) struct LastProbe(Mutex<Option<Finding>>);

/// When a probe ended, and its result.
pub(crate) type Finding = (Instant, Result<(), NotReady>);

impl LastProbe {
    pub(crate) fn record(&self, finding: Finding) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(finding);
    }

    pub(crate) fn finding(&self) -> Option<Finding> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
