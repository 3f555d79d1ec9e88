//! The pictures of runs.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::ports::ObjectStore;

/// Where pictures are stored, and how long they are kept.
#[derive(Clone)]
pub(crate) struct PictureStore {
    /// The store.
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// How long.
    pub(crate) keep: TimeDelta,
}
