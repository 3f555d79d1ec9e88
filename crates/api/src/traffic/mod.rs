//! What the calls of one process share.

mod in_flight;
mod limiter;
mod pace;

use std::sync::{Arc, OnceLock};

use domain::id::{KeyId, OrgId};
use domain::idempotency::IdempotencyKey;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::ApiState;
use in_flight::{InFlight, UnderWay};
use limiter::Limiter;

pub(crate) use limiter::{Exceeded, Standing};

/// Streams of events at once.
const MAX_STREAMS: usize = 256;

/// What the calls of one process share: how often each key called, which calls that are to happen once
/// are under way, and how many streams there are. Clones share it; another process has its own.
#[derive(Clone, Default)]
pub struct Traffic(Arc<Shared>);

struct Shared {
    limiter: OnceLock<Limiter>,
    in_flight: Arc<InFlight>,
    places: Arc<Semaphore>,
    stopping: watch::Sender<bool>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            limiter: OnceLock::new(),
            in_flight: Arc::default(),
            places: Arc::new(Semaphore::new(MAX_STREAMS)),
            stopping: watch::Sender::new(false),
        }
    }
}

impl Traffic {
    /// Ends all streams of events, now and from now on, so that a server that stops is not kept by them.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// Becomes true when the server stops.
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    /// Counts a call of a key, and answers where the key stands; none where nothing is counted.
    pub(crate) fn count(
        &self,
        state: &ApiState,
        key: &KeyId,
    ) -> Result<Option<Standing>, Exceeded> {
        let Some(limit) = state.settings.rate_limit else {
            return Ok(None);
        };
        let limiter = self.0.limiter.get_or_init(|| {
            let clock = Arc::clone(&state.clock);
            Limiter::new(limit, clock)
        });
        limiter.count(key).map(Some)
    }

    /// Begins a call that is to happen once; none while the same is under way.
    pub(crate) fn begin(
        &self,
        org: &OrgId,
        operation: &'static str,
        key: &IdempotencyKey,
    ) -> Option<UnderWay> {
        InFlight::begin(&self.0.in_flight, (org.clone(), operation, key.clone()))
    }

    /// A place for a stream, as long as it is held; none where all are taken.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).try_acquire_owned().ok()
    }
}
