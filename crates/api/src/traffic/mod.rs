//! What the calls of one process share.

mod address;
mod admission;
mod exports;
mod in_flight;
mod known;
mod lanes;
mod limiter;
mod pace;
mod permits;
mod streams;

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use domain::id::{KeyId, OrgId};
use domain::idempotency::IdempotencyKey;
use tokio::sync::watch;

use crate::ApiState;
use crate::limits::CallerLimits;
use crate::pages::PageCache;
use crate::server::Connections;
use in_flight::{InFlight, UnderWay};
use known::KnownKeys;
use limiter::Limiter;
use streams::Streams;

pub(crate) use address::{is_trusted, network};
pub(crate) use admission::{KeyCounted, Refusal};
pub(crate) use exports::{AbandonOnDrop, Abandoned, Exports};
pub(crate) use known::KnownKey;
pub(crate) use lanes::Lane;
pub(crate) use limiter::{Exceeded, Standing};
pub(crate) use permits::{HeldPermits, KeyedPermit, KeyedPermits};
pub(crate) use streams::StreamPermit;

/// Threads on which calls of one organization, or of one address without a known key, are executed at once: one for
/// each processor core, within these bounds. The others wait, so that the threads that are left answer other callers;
/// all connections of a caller may be those of one listener, which has eight threads at least.
const MIN_TURNS: usize = 2;
const MAX_TURNS: usize = 4;

/// What the calls of one process share: how often each key called, which calls that are to happen once
/// are under way, and what each caller uses. Clones share it; another process has its own.
#[derive(Clone)]
pub struct Traffic(Arc<Shared>);

struct Shared {
    limits: CallerLimits,
    key_rate: OnceLock<Limiter<KeyId>>,
    address_rate: OnceLock<Limiter<IpAddr>>,
    known_keys: KnownKeys,
    in_flight: Arc<InFlight>,
    turns: Arc<KeyedPermits<Caller>>,
    admission: admission::Counters,
    reports: lanes::Reports,
    exports: Exports,
    streams: Streams,
    connections: Connections,
    pages: PageCache,
    stopping: watch::Sender<bool>,
}

/// Who calls, as far as turns on the threads go.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Caller {
    /// An organization, by a key that was valid lately.
    Organization(OrgId),
    /// A client address, without a known key.
    Address(IpAddr),
}

/// A turn on the threads that execute calls; the next in line has it when this is dropped.
pub(crate) struct Turn(Option<KeyedPermit<Caller>>);

impl Default for Traffic {
    fn default() -> Self {
        Self::new(CallerLimits::default())
    }
}

impl Traffic {
    /// Nothing under way, with these limits.
    #[must_use]
    pub fn new(limits: CallerLimits) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        Self(Arc::new(Shared {
            key_rate: OnceLock::new(),
            address_rate: OnceLock::new(),
            known_keys: KnownKeys::default(),
            in_flight: Arc::default(),
            turns: KeyedPermits::new(cores.clamp(MIN_TURNS, MAX_TURNS)),
            admission: admission::Counters::new(&limits),
            reports: lanes::Reports::new(limits.reports),
            exports: Exports::new(limits.exports, cores),
            streams: Streams::new(limits.streams),
            connections: Connections::new(&limits),
            pages: PageCache::default(),
            stopping: watch::Sender::new(false),
            limits,
        }))
    }

    /// The limits of callers.
    #[must_use]
    pub fn limits(&self) -> &CallerLimits {
        &self.0.limits
    }

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
        let limiter = self.0.key_rate.get_or_init(|| {
            let clock = Arc::clone(&state.clock);
            Limiter::new(limit, clock)
        });
        limiter.count(key).map(Some)
    }

    /// Counts a call of an address without a known key.
    fn count_address(&self, state: &ApiState, address: &IpAddr) -> Result<(), Exceeded> {
        if state.settings.rate_limit.is_none() {
            return Ok(());
        }
        let limiter = self.0.address_rate.get_or_init(|| {
            let clock = Arc::clone(&state.clock);
            Limiter::new(self.0.limits.anonymous_rate, clock)
        });
        limiter.count(address).map(|_| ())
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

    /// The keys that were valid lately.
    pub(crate) fn known_keys(&self) -> &KnownKeys {
        &self.0.known_keys
    }

    /// Waits for a caller's turn on the threads.
    pub(crate) async fn turn(&self, caller: &Caller) -> Turn {
        Turn(self.0.turns.acquire(caller).await)
    }

    /// Where exports, comparisons and PDFs are built.
    pub(crate) fn exports(&self) -> &Exports {
        &self.0.exports
    }

    /// Whole reports that are read or sent.
    pub(crate) fn reports(&self) -> &lanes::Reports {
        &self.0.reports
    }

    /// A permit for a stream of events of a key, as long as it is held; none where a limit is reached.
    pub(crate) fn stream(&self, org: &OrgId, key: &KeyId) -> Option<StreamPermit> {
        self.0.streams.try_acquire(org, key)
    }

    /// Open connections.
    pub(crate) fn connections(&self) -> &Connections {
        &self.0.connections
    }

    /// Pages and documents that are the same for everybody.
    pub(crate) fn pages(&self) -> &PageCache {
        &self.0.pages
    }
}

impl Turn {
    /// Runs a step, and ends the turn.
    pub(crate) fn run<T>(self, step: impl FnOnce() -> T) -> T {
        let done = step();
        drop(self.0);
        done
    }
}
