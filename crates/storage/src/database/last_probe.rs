//! What a probe of the database found.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use domain::ports::NotReady;

/// What the last probe found, and when.
#[derive(Debug, Default)]
pub(crate) struct LastProbe(Mutex<Option<Finding>>);

/// When a probe ended, and with what.
pub(crate) type Finding = (Instant, Result<(), NotReady>);

impl LastProbe {
    pub(crate) fn record(&self, finding: Finding) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(finding);
    }

    pub(crate) fn finding(&self) -> Option<Finding> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
