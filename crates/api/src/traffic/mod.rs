//! What the calls of one process share.

mod in_flight;
mod limiter;
mod pace;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use domain::id::{KeyId, OrgId};
use domain::idempotency::IdempotencyKey;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::ApiState;
use in_flight::{InFlight, UnderWay};
use limiter::Limiter;

pub(crate) use limiter::{Exceeded, Standing};

/// Streams of events at once, and those of one key.
const MAX_STREAMS: usize = 256;
const MAX_STREAMS_OF_A_KEY: usize = 32;

/// What the calls of one process share: how often each key called, which calls that are to happen once
/// are under way, and how many streams there are. Clones share it; another process has its own.
#[derive(Clone, Default)]
pub struct Traffic(Arc<Shared>);

struct Shared {
    limiter: OnceLock<Limiter>,
    in_flight: Arc<InFlight>,
    places: Arc<Semaphore>,
    places_of_keys: Arc<Mutex<HashMap<KeyId, usize>>>,
    stopping: watch::Sender<bool>,
}

impl Default for Shared {
    fn default() -> Self {
        Self {
            limiter: OnceLock::new(),
            in_flight: Arc::default(),
            places: Arc::new(Semaphore::new(MAX_STREAMS)),
            places_of_keys: Arc::default(),
            stopping: watch::Sender::new(false),
        }
    }
}

/// A place for a stream; it is free again when this is dropped.
pub(crate) struct Place {
    _permit: OwnedSemaphorePermit,
    key: KeyId,
    of_keys: Arc<Mutex<HashMap<KeyId, usize>>>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.of_keys.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(of_key) = taken.get_mut(&self.key) {
            *of_key = of_key.saturating_sub(1);
            if *of_key == 0 {
                taken.remove(&self.key);
            }
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

    /// A place for a stream of a key, as long as it is held; none where all are taken, or all of the key.
    pub(crate) fn place(&self, key: &KeyId) -> Option<Place> {
        let permit = Arc::clone(&self.0.places).try_acquire_owned().ok()?;
        let of_keys = Arc::clone(&self.0.places_of_keys);
        let mut taken = of_keys.lock().unwrap_or_else(PoisonError::into_inner);
        let of_key = taken.entry(key.clone()).or_default();
        if *of_key >= MAX_STREAMS_OF_A_KEY {
            return None;
        }
        *of_key += 1;
        drop(taken);
        Some(Place {
            _permit: permit,
            key: key.clone(),
            of_keys,
        })
    }
}
