//! Limits and state shared by all requests of one process.

mod address;
mod caller_queues;
mod calls;
mod connections;
mod exports;
mod in_flight;
mod known;
mod limiter;
mod pace;
mod permits;
mod reports;
mod streams;

use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use domain::id::{KeyId, OrgId};
use domain::idempotency::IdempotencyKey;
use domain::ports::Clock;
use tokio::sync::watch;

use crate::limits::{CallerLimits, RateLimit};
use crate::problem::{Limit, Problem};
use crate::request_timeout::{RequestTimeout, finished};
use caller_queues::CallerQueues;
use in_flight::{InFlight, InProgress};
use known::KnownKeys;
use streams::Streams;

pub use address::client_address;
pub use caller_queues::StepLost;
pub use calls::KeyCounted;
pub use connections::{ConnectionPermit, Connections};
pub use exports::{AbandonOnDrop, Abandoned, Exports};
pub use known::KnownKey;
pub use limiter::{Exceeded, KeyedLimiter, RateLimitStatus};
pub use permits::HeldPermits;
pub use streams::{StreamHolder, StreamPermit};

/// Blocking threads for requests of one organization, or of one address without a known key: one for each processor
/// core, within these bounds. Further requests wait, so that the remaining threads serve other callers. All
/// connections of a caller may be on one listener, which has at least eight threads.
const MIN_THREADS: usize = 2;
const MAX_THREADS: usize = 4;

/// `Retry-After` in seconds for a request that waited too long in its queue.
const RETRY_SECONDS: u64 = 2;

/// The limits and state shared by all requests of one process: rate limits, idempotent requests in progress, and what
/// each caller uses. Clones share it; another process has its own.
#[derive(Clone)]
pub struct RateLimits(Arc<Shared>);

struct Shared {
    limits: CallerLimits,
    key_rate: OnceLock<KeyedLimiter<KeyId>>,
    address_rate: OnceLock<KeyedLimiter<IpAddr>>,
    known_keys: KnownKeys,
    in_flight: Arc<InFlight>,
    caller_queues: Arc<CallerQueues>,
    calls: calls::Counters,
    reports: reports::Reports,
    exports: Exports,
    streams: Streams,
    connections: Connections,
    is_draining: AtomicBool,
    stopping: watch::Sender<bool>,
}

/// The caller, as far as blocking threads are shared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Caller {
    /// An organization, by a recently valid key.
    Organization(OrgId),
    /// A client address, without a known key.
    Address(IpAddr),
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::new(CallerLimits::default())
    }
}

impl RateLimits {
    /// Creates the state with these limits.
    #[must_use]
    pub fn new(limits: CallerLimits) -> Self {
        let cores = available_parallelism().map_or(1, NonZeroUsize::get);
        Self(Arc::new(Shared {
            key_rate: OnceLock::new(),
            address_rate: OnceLock::new(),
            known_keys: KnownKeys::default(),
            in_flight: Arc::default(),
            caller_queues: CallerQueues::new(cores.clamp(MIN_THREADS, MAX_THREADS)),
            calls: calls::Counters::new(&limits),
            reports: reports::Reports::new(limits.reports),
            exports: Exports::new(limits.exports, cores),
            streams: Streams::new(limits.streams),
            connections: Connections::new(&limits),
            is_draining: AtomicBool::new(false),
            stopping: watch::Sender::new(false),
            limits,
        }))
    }

    /// The limits of callers.
    #[must_use]
    pub fn limits(&self) -> &CallerLimits {
        &self.0.limits
    }

    /// Makes the process report that it is not ready, so that a load balancer sends requests elsewhere. Requests are
    /// still answered.
    pub fn drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
    }

    /// Whether [`Self::drain`] was called.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.0.is_draining.load(Ordering::Relaxed)
    }

    /// Ends all event streams, present and future, so that they do not delay shutdown.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    /// Becomes true when the server stops.
    pub fn stopping(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    /// Counts a request of a key, and returns its rate limit status; `None` if there is no rate limit.
    pub fn count(
        &self,
        limit: Option<RateLimit>,
        clock: &Arc<dyn Clock>,
        key: &KeyId,
    ) -> Result<Option<RateLimitStatus>, Exceeded> {
        let Some(limit) = limit else {
            return Ok(None);
        };
        let limiter = self
            .0
            .key_rate
            .get_or_init(|| KeyedLimiter::new(limit, Arc::clone(clock)));
        limiter.count(key).map(Some)
    }

    /// Counts a request of an address without a known key.
    pub fn count_address(&self, clock: &Arc<dyn Clock>, address: &IpAddr) -> Result<(), Exceeded> {
        let limit = self.0.limits.anonymous_rate;
        let limiter = self
            .0
            .address_rate
            .get_or_init(|| KeyedLimiter::new(limit, Arc::clone(clock)));
        limiter.count(address).map(|_| ())
    }

    /// Begins an idempotent request; `None` while the same request is in progress.
    pub fn begin(
        &self,
        org: &OrgId,
        operation: &'static str,
        key: &IdempotencyKey,
    ) -> Option<InProgress> {
        InFlight::begin(&self.0.in_flight, (org.clone(), operation, key.clone()))
    }

    /// The recently valid keys.
    pub fn known_keys(&self) -> &KnownKeys {
        &self.0.known_keys
    }

    /// Runs a blocking step in the caller's queue. A few steps of one caller run at once and the others wait, so that
    /// other callers find a free thread.
    ///
    /// # Errors
    /// `rate_limited` if the step waits too long in its queue, `unavailable` if it exceeds the remaining time,
    /// `internal` if it panics.
    pub async fn block_in_queue<T: Send + 'static>(
        &self,
        request_timeout: &mut RequestTimeout,
        caller: &Caller,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let mut queued = self.0.caller_queues.submit(caller, step);
        let done = request_timeout.wait(&mut queued).await;
        if done.is_none() && queued.cancel() {
            return Err(Problem::rate_limited(
                Limit::Calls,
                "Too many other requests of this caller are queued before this one.",
                RETRY_SECONDS,
            ));
        }
        finished(done)
    }

    /// Runs a blocking step in the caller's queue, without a timeout.
    ///
    /// # Errors
    /// If it panics, or the server stops before it is done.
    pub async fn run_in_queue<T: Send + 'static>(
        &self,
        caller: &Caller,
        step: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StepLost> {
        self.0.caller_queues.submit(caller, step).await
    }

    /// Permits for concurrent calls.
    pub fn calls(&self) -> &calls::Counters {
        &self.0.calls
    }

    /// Permits and threads for exports, comparisons and PDFs.
    pub fn exports(&self) -> &Exports {
        &self.0.exports
    }

    /// Permits for full reports.
    pub fn reports(&self) -> &reports::Reports {
        &self.0.reports
    }

    /// A permit for a stream of events of a key or a session, as long as it is held; none where a limit is reached.
    pub fn stream(&self, org: &OrgId, holder: &StreamHolder) -> Option<StreamPermit> {
        self.0.streams.try_acquire(org, holder)
    }

    /// Permits for connections.
    pub fn connections(&self) -> &Connections {
        &self.0.connections
    }
}
