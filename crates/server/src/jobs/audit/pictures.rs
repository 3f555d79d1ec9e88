//! The pictures of runs.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::ports::{AuditOrder, ObjectStore};
use serde::{Deserialize, Serialize};

/// Which runs have pictures, of those whose pages a browser shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum PicturedRuns {
    /// None.
    None,
    /// Those without request headers of their own: others may show what is meant for the holders of a password.
    WithoutHeaders,
    /// All.
    All,
}

impl PicturedRuns {
    /// Whether a run has pictures.
    pub(super) fn has(self, order: &AuditOrder) -> bool {
        match self {
            Self::None => false,
            Self::WithoutHeaders => order.options.headers.is_empty(),
            Self::All => true,
        }
    }
}

/// Where pictures are stored, and how long they are kept.
#[derive(Clone)]
pub(crate) struct PictureStore {
    /// The store.
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// How long.
    pub(crate) keep: TimeDelta,
}
