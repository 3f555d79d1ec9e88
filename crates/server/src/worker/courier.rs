//! What sends events to webhooks.
//!
//! One thread claims deliveries, organizations in turns, and each is sent by a task of its own, so that a
//! receiver that is slow holds nobody up but itself ([`Slots`]). Every request takes a turn at its host, by limits
//! like those of audits ([`Hosts`]).

mod hosts;
mod outcome;
mod resting;
mod sign;
mod slots;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use audit_engine::egress::{GuardedFetcher, Post, Posted};
use audit_engine::gather::FetchError;
use chrono::{DateTime, TimeDelta, Utc};
use domain::ports::{Clock, DeliveryClaim, Held, StoreError, Stores, WorkerId};
use domain::report::Variant;
use domain::webhook::{DeliveryAttempt, Reply, RetryDelays};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use super::{CautiousClock, Signal, Waited};
pub(crate) use hosts::Hosts;
use hosts::Turn;
use slots::{Slots, UnderWay};

/// How long a receiver may take. Standard Webhooks has 15 to 30 s.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a delivery waits for its turn at a host before it is given back.
const IN_LINE: Duration = Duration::from_secs(10);
/// How long a delivery belongs to who sends it; longer than the wait for its turn and any attempt.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// How long to wait before looking again by oneself, and after a failure of the database.
const POLL: Duration = Duration::from_secs(1);
/// How often who waits looks whether it is time to stop.
const BEAT: Duration = Duration::from_millis(100);
/// Ends of attempts that are stored at once: more would only wait for each other.
const WRITERS: usize = 4;
/// How long events are kept, how often the older ones are removed, and how many at once.
const KEPT: TimeDelta = TimeDelta::days(30);
const FORGET: Duration = Duration::from_secs(3_600);
const FORGET_AT_ONCE: u32 = 1_000;

/// What is needed to send events. Any number of processes may do it at once.
pub(crate) struct Courier {
    /// Where everything is kept.
    pub(crate) stores: Arc<dyn Stores>,
    /// The time.
    pub(crate) clock: Arc<dyn Clock>,
    /// The time for what cannot be undone.
    pub(crate) cautious: Arc<CautiousClock>,
    /// Sends to what the gates allow, and to nothing else.
    pub(crate) fetcher: GuardedFetcher,
    /// Where it does so.
    pub(crate) runtime: Handle,
    /// How fast hosts may be asked.
    pub(crate) hosts: Hosts,
    /// When what fails is tried again.
    pub(crate) delays: RetryDelays,
    /// The variant of the interface, which shapes what is sent.
    pub(crate) variant: Variant,
    /// Tells the threads to stop.
    pub(crate) signal: Arc<Signal>,
}

/// A courier at work.
struct Office {
    courier: Courier,
    slots: Arc<Slots>,
    writers: Semaphore,
}

impl Courier {
    /// Starts the threads; `process` names them among all processes.
    pub(crate) fn start(self, process: &str) -> std::io::Result<Vec<JoinHandle<()>>> {
        let id = WorkerId(format!("{process}-courier"));
        let office = Arc::new(Office {
            courier: self,
            slots: Arc::default(),
            writers: Semaphore::new(WRITERS),
        });
        let old = Arc::clone(&office);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        Ok(vec![
            thread("courier").spawn(move || office.work(&id))?,
            thread("old-events").spawn(move || old.courier.forget())?,
        ])
    }

    /// Removes old events, every hour and at the beginning.
    fn forget(&self) {
        loop {
            let before = self.cautious.now() - KEPT;
            match self.stores.forget_events(before, FORGET_AT_ONCE) {
                Ok(removed)
                    if removed == u64::from(FORGET_AT_ONCE) && !self.signal.is_stopped() =>
                {
                    continue;
                }
                Ok(_) => {}
                Err(error) => tracing::warn!(%error, "old events could not be removed"),
            }
            if self.signal.wait_for_stop(FORGET) == Waited::Stopped {
                return;
            }
        }
    }

    /// One attempt; none where it is time to stop.
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
            patience: PATIENCE,
        });
        self.unless_stopped(sending).await
    }

    /// What a future comes to; none where it is time to stop before.
    async fn unless_stopped<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(future);
        let mut beats = tokio::time::interval(BEAT);
        loop {
            tokio::select! {
                done = &mut future => return Some(done),
                _ = beats.tick() => {
                    if self.signal.is_stopped() {
                        return None;
                    }
                }
            }
        }
    }

    /// Writes down how an attempt ended. A database that is away is asked again for as long as the lease; then
    /// the event is sent again, which receivers tell by its id.
    fn finish(
        &self,
        claim: &DeliveryClaim,
        attempt: &DeliveryAttempt,
        reply: Reply,
    ) -> Result<(), StoreError> {
        let begun = Instant::now();
        let patience = LEASE.to_std().unwrap_or_default();
        loop {
            let now = self.clock.now();
            let verdict = self.delays.judge(&claim.id, claim.attempts + 1, reply, now);
            match self.stores.finish_delivery(claim, attempt, verdict, now) {
                Ok(held) => {
                    tracing::info!(
                        webhook.id = %claim.webhook_id,
                        event.id = %claim.event.id,
                        delivery.attempt = claim.attempts + 1,
                        http.status = attempt.status_code,
                        error = attempt.error.as_deref(),
                        lost = held == Held::Lost,
                        verdict = ?verdict,
                        "event sent"
                    );
                    return Ok(());
                }
                Err(StoreError::Unavailable(_)) if begun.elapsed() < patience => {
                    if self.signal.wait_for_stop(POLL) == Waited::Stopped {
                        return Ok(());
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Office {
    /// Claims until told to stop, and waits then for what is under way.
    fn work(self: &Arc<Self>, id: &WorkerId) {
        let is_stopped = || self.courier.signal.is_stopped();
        while !is_stopped() {
            let seen = self.slots.seen();
            // A delivery whose claim panicked is taken up again when its lease has run out.
            let turn = catch_unwind(AssertUnwindSafe(|| self.claim_next(id)));
            match turn.unwrap_or_else(|_| Err(panicked())) {
                Ok(true) => {}
                Ok(false) => self.slots.wait(seen, POLL, is_stopped),
                Err(error) => {
                    tracing::warn!(%error, "no delivery could be claimed or given back");
                    self.courier.signal.wait_for_stop(POLL);
                }
            }
        }
        self.slots.wait_for_all();
    }

    /// Claims the delivery whose turn it is, and has it sent; false where there is none, or no room for one.
    fn claim_next(self: &Arc<Self>, id: &WorkerId) -> Result<bool, StoreError> {
        let Some(turns) = self.slots.turns() else {
            return Ok(false);
        };
        let (stores, now) = (&self.courier.stores, self.courier.clock.now());
        let Some(claim) = stores.claim_delivery(id, LEASE, &turns, now)? else {
            return Ok(self.slots.had_nothing());
        };
        self.slots.had_turn(&claim);
        if !claim.event.kind().is_in(self.courier.variant) {
            let _held = stores.cancel_delivery(&claim, now)?;
            return Ok(true);
        }
        match self.courier.hosts.turn(&claim.url) {
            Turn::Now(host) => {
                let slot = Slots::begin(&self.slots, &claim);
                let office = Arc::clone(self);
                let sending = async move { office.deliver(claim, host, slot).await };
                self.courier.runtime.spawn(sending);
            }
            Turn::Later(host) => match Slots::stand_in_line(&self.slots, &claim, host.key()) {
                Some(place) => {
                    let office = Arc::clone(self);
                    let waiting = async move { office.wait_and_deliver(claim, host, place).await };
                    self.courier.runtime.spawn(waiting);
                }
                None => {
                    self.slots.rest(&claim, host.key());
                    // At once: another process may find its own line free.
                    self.give_back(&claim, None)?;
                }
            },
        }
        Ok(true)
    }

    /// Waits for the turn at the host, which no slot is taken for, and sends then.
    async fn wait_and_deliver(
        self: Arc<Self>,
        claim: DeliveryClaim,
        host: hosts::Host,
        place: slots::Place,
    ) {
        let turn = self.courier.unless_stopped(host.wait(IN_LINE)).await;
        match turn.flatten() {
            Some(host) => {
                let slot = Slots::begin(&self.slots, &claim);
                drop(place);
                self.deliver(claim, host, slot).await;
            }
            None => {
                let after = (!self.courier.signal.is_stopped()).then_some(POLL);
                self.blocking(move |office| office.give_back(&claim, after))
                    .await;
                drop(place);
            }
        }
    }

    async fn deliver(
        self: Arc<Self>,
        claim: DeliveryClaim,
        host: hosts::Permitted,
        slot: UnderWay,
    ) {
        let (now, begun) = (self.courier.clock.now(), Instant::now());
        let sent = self.courier.send(&claim, now).await;
        let took = begun.elapsed();
        if let Some(sent) = &sent {
            host.learn(sent);
        }
        drop(host);
        self.blocking(move |office| match sent {
            Some(sent) => {
                let (attempt, reply) = outcome::of(&sent, now, took, office.courier.clock.now());
                office.courier.finish(&claim, &attempt, reply)
            }
            // Nobody waits for an attempt that a stop cut off, and it does not count.
            None => office.give_back(&claim, None),
        })
        .await;
        drop(slot);
    }

    fn give_back(&self, claim: &DeliveryClaim, after: Option<Duration>) -> Result<(), StoreError> {
        let not_before = after.and_then(|after| {
            let after = TimeDelta::from_std(after).ok()?;
            Some(self.courier.clock.now() + after)
        });
        let stores = &self.courier.stores;
        let _held = stores.hand_back_delivery(claim, not_before)?;
        Ok(())
    }

    /// Does something with the database where it may block.
    async fn blocking(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<(), StoreError> + Send + 'static,
    ) {
        // It is never closed.
        let _turn = self.writers.acquire().await;
        let office = Arc::clone(self);
        let done = self.courier.runtime.spawn_blocking(move || work(&office));
        // What is not stored is sent again when its lease has run out.
        match done.await.unwrap_or_else(|_| Err(panicked())) {
            Ok(()) => {}
            Err(error) => tracing::warn!(%error, "no delivery could be stored"),
        }
    }
}

fn panicked() -> StoreError {
    StoreError::Failed("what sends events panicked".to_owned())
}

#[cfg(test)]
mod tests;
