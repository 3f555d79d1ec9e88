//! The webhook dispatcher: sends events to webhooks.
//!
//! One thread claims deliveries, fairly across organizations. Each delivery is sent by its own task, so a slow receiver
//! delays only its own deliveries ([`Concurrency`]). Every request waits for a permit of its host, with limits like
//! those of audits ([`Hosts`]).

mod backoff;
mod concurrency;
mod hosts;
mod outcome;
mod sign;

use std::sync::Arc;
use std::time::{Duration, Instant};

use audit_engine::egress::{GuardedFetcher, Post, Posted};
use audit_engine::gather::FetchError;
use chrono::{DateTime, TimeDelta, Utc};
use domain::ports::{DeliveryClaim, JobKind, LeaseStatus, StoreError, WorkerId};
use domain::report::Variant;
use domain::webhook::{DeliveryAttempt, Reply, RetryDelays};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::{LEASE, WorkerContext};
use crate::signal::{Signal, Waited};
use crate::worker_pool::{Next, WorkerPool};
use concurrency::{ActiveDelivery, Concurrency};
pub(crate) use hosts::Hosts;
use hosts::TryPermit;

/// Response timeout of a receiver. Standard Webhooks recommends 15 to 30 s.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a delivery waits for a permit of its host before it is handed back.
const HOST_TIMEOUT: Duration = Duration::from_secs(10);
// The lease is longer than the wait for a host plus any attempt.
const _: () = assert!(
    RESPONSE_TIMEOUT.as_secs() + HOST_TIMEOUT.as_secs() < LEASE.num_seconds().unsigned_abs(),
    "a delivery may be claimed by others while it is sent"
);
/// Poll interval, and pause after a failure of the database.
const POLL: Duration = Duration::from_secs(1);
/// How often a waiting thread checks whether the process is stopping.
const STOP_POLL: Duration = Duration::from_millis(100);
/// Outcomes stored concurrently; more would only wait for each other.
const WRITERS: usize = 4;

/// Sends events to webhooks. Any number of processes may run it concurrently.
pub(crate) struct WebhookDispatcher {
    /// Shared state of the workers.
    pub(crate) context: WorkerContext,
    /// The HTTP client; it sends only to allowed targets.
    pub(crate) fetcher: GuardedFetcher,
    /// The runtime that sends.
    pub(crate) runtime: Handle,
    /// The rate limits of hosts.
    pub(crate) hosts: Hosts,
    /// Retry delays of failed deliveries.
    pub(crate) delays: RetryDelays,
    /// The variant of the API, which shapes the payload.
    pub(crate) variant: Variant,
}

/// A running dispatcher.
struct Dispatching {
    dispatcher: WebhookDispatcher,
    concurrency: Arc<Concurrency>,
    writers: Semaphore,
}

/// Waits on drop for all active deliveries.
struct WaitForAll(Arc<Concurrency>);

impl Drop for WaitForAll {
    fn drop(&mut self) {
        self.0.wait_for_all();
    }
}

impl WebhookDispatcher {
    /// Starts the thread that claims deliveries.
    pub(crate) fn spawn(self, pool: &mut WorkerPool) -> std::io::Result<()> {
        let name = JobKind::Delivery.as_str();
        let worker = self.context.worker(name);
        let dispatching = Arc::new(Dispatching {
            dispatcher: self,
            concurrency: Arc::default(),
            writers: Semaphore::new(WRITERS),
        });
        let under_way = WaitForAll(Arc::clone(&dispatching.concurrency));
        pool.spawn(name, move || {
            let _waits_at_the_end = &under_way;
            dispatching.step(&worker)
        })
    }

    fn signal(&self) -> &Signal {
        &self.context.signal
    }

    /// Sends one attempt; `None` if the process stops.
    async fn send(
        &self,
        claim: &DeliveryClaim,
        now: DateTime<Utc>,
    ) -> Option<Result<Posted, FetchError>> {
        let body = api::event_body(&claim.event, self.variant);
        let headers = sign::headers(&claim.secret, &claim.event.id, now, &body);
        let sending = self.fetcher.post(Post {
            url: claim.url.clone(),
            headers,
            body: body.into(),
            patience: RESPONSE_TIMEOUT,
        });
        self.unless_stopped(sending).await
    }

    /// Waits for a future; `None` if the process stops before.
    async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(future);
        let mut beats = tokio::time::interval(STOP_POLL);
        loop {
            tokio::select! {
                done = &mut future => return Some(done),
                _ = beats.tick() => {
                    if self.signal().is_stopped() {
                        return None;
                    }
                }
            }
        }
    }

    /// Stores the outcome of an attempt. If the database is unavailable, it retries until the lease expires; then
    /// the event is sent again, which receivers detect by its id.
    fn finish(
        &self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        reply: Reply,
    ) -> Result<(), StoreError> {
        let begun = Instant::now();
        let patience = LEASE.to_std().unwrap_or_default();
        loop {
            let now = self.context.clock.now();
            let verdict = self
                .delays
                .verdict(&claim.id, claim.attempts + 1, reply, now);
            match self
                .context
                .stores
                .finish_delivery(claim, attempt, verdict, now)
            {
                Ok(held) => {
                    tracing::info!(
                        webhook.id = %claim.webhook_id,
                        event.id = %claim.event.id,
                        delivery.attempt = claim.attempts + 1,
                        http.status = attempt.status_code,
                        error = attempt.error.as_deref(),
                        lost = held == LeaseStatus::Lost,
                        verdict = ?verdict,
                        "event sent"
                    );
                    return Ok(());
                }
                Err(StoreError::Unavailable(_)) if begun.elapsed() < patience => {
                    if self.signal().wait_for_stop(POLL) == Waited::Stopped {
                        return Ok(());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Dispatching {
    /// Claims one delivery, or waits until there may be one. A delivery whose claim panics is claimed again after
    /// its lease expires.
    fn step(self: &Arc<Self>, worker: &WorkerId) -> Result<Next, StoreError> {
        let seen = self.concurrency.seen();
        if !self.claim_next(worker)? {
            let is_stopped = || self.dispatcher.signal().is_stopped();
            self.concurrency.wait(seen, POLL, is_stopped);
        }
        Ok(Next::Continue)
    }

    /// Claims the next delivery in fair order and sends it. Returns `false` if there is none, or no room for one.
    fn claim_next(self: &Arc<Self>, id: &WorkerId) -> Result<bool, StoreError> {
        let Some(fairness) = self.concurrency.fairness() else {
            return Ok(false);
        };
        let (stores, now) = (
            &self.dispatcher.context.stores,
            self.dispatcher.context.clock.now(),
        );
        let Some(claim) = stores.claim_delivery(id, LEASE, &fairness, now)? else {
            return Ok(self.concurrency.record_nothing_due());
        };
        self.concurrency.record_claim(&claim);
        if !claim.event.kind().is_in(self.dispatcher.variant) {
            let _held = stores.cancel_delivery(&claim, now)?;
            return Ok(true);
        }
        match self.dispatcher.hosts.try_permit(&claim.url) {
            TryPermit::Granted(host) => {
                let slot = Concurrency::begin(&self.concurrency, &claim);
                let dispatching = Arc::clone(self);
                let sending = async move { dispatching.deliver(claim, host, slot).await };
                self.dispatcher.runtime.spawn(sending);
            }
            TryPermit::Busy(host) => {
                match Concurrency::take_waiting_slot(&self.concurrency, &claim, host.key()) {
                    Some(waiting_slot) => {
                        let dispatching = Arc::clone(self);
                        let waiting = async move {
                            dispatching
                                .wait_and_deliver(claim, host, waiting_slot)
                                .await;
                        };
                        self.dispatcher.runtime.spawn(waiting);
                    }
                    None => {
                        self.concurrency.back_off(&claim, host.key());
                        // Immediately, because the waiting slot for the host may be free in another process.
                        self.give_back(&claim, None)?;
                    }
                }
            }
        }
        Ok(true)
    }

    /// Waits for a permit of the host, without using a delivery slot, and then sends.
    async fn wait_and_deliver(
        self: Arc<Self>,
        claim: DeliveryClaim,
        host: hosts::Host,
        waiting_slot: concurrency::WaitingSlot,
    ) {
        let permit = self
            .dispatcher
            .unless_stopped(host.wait(HOST_TIMEOUT))
            .await;
        match permit.flatten() {
            Some(host) => {
                let slot = Concurrency::begin(&self.concurrency, &claim);
                drop(waiting_slot);
                self.deliver(claim, host, slot).await;
            }
            None => {
                let after = (!self.dispatcher.signal().is_stopped()).then_some(POLL);
                self.blocking(move |dispatching| dispatching.give_back(&claim, after))
                    .await;
                drop(waiting_slot);
            }
        }
    }

    async fn deliver(
        self: Arc<Self>,
        claim: DeliveryClaim,
        host: hosts::HostPermit,
        slot: ActiveDelivery,
    ) {
        let (now, begun) = (self.dispatcher.context.clock.now(), Instant::now());
        let sent = self.dispatcher.send(&claim, now).await;
        let took = begun.elapsed();
        if let Some(sent) = &sent {
            host.adapt_rate(sent);
        }
        drop(host);
        self.blocking(move |dispatching| match sent {
            Some(sent) => {
                let (attempt, reply) =
                    outcome::classify(&sent, now, took, dispatching.dispatcher.context.clock.now());
                dispatching.dispatcher.finish(&claim, &attempt, reply)
            }
            // The process is stopping: the attempt was interrupted and does not count.
            None => dispatching.give_back(&claim, None),
        })
        .await;
        drop(slot);
    }

    fn give_back(&self, claim: &DeliveryClaim, after: Option<Duration>) -> Result<(), StoreError> {
        let not_before = after.and_then(|after| {
            let after = TimeDelta::from_std(after).ok()?;
            Some(self.dispatcher.context.clock.now() + after)
        });
        let stores = &self.dispatcher.context.stores;
        let _held = stores.hand_back_delivery(claim, not_before)?;
        Ok(())
    }

    /// Runs a database operation on a blocking thread.
    async fn blocking(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<(), StoreError> + Send + 'static,
    ) {
        // The semaphore is never closed.
        let _turn = self.writers.acquire().await;
        let dispatching = Arc::clone(self);
        let done = self
            .dispatcher
            .runtime
            .spawn_blocking(move || work(&dispatching));
        // An outcome that is not stored leads to another attempt after the lease expires.
        match done.await.unwrap_or_else(|_| Err(panicked())) {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "delivery outcome not stored"),
        }
    }
}

fn panicked() -> StoreError {
    StoreError::Failed("event delivery panicked".to_owned())
}

#[cfg(test)]
mod tests;
