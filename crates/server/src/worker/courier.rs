//! The threads that send events to webhooks.

mod sign;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use audit_engine::egress::{GuardedFetcher, Post, Posted};
use audit_engine::gather::FetchError;
use chrono::{DateTime, TimeDelta, Utc};
use domain::id::WebhookId;
use domain::ports::{Clock, DeliveryClaim, Held, StoreError, Stores, WorkerId};
use domain::report::Variant;
use domain::webhook::{DeliveryAttempt, Reply, RetryDelays};
use tokio::runtime::Handle;

use super::{Signal, Waited};

/// Deliveries that a process sends at once, and those of one webhook: a receiver that is slow keeps the others
/// from nothing.
const THREADS: usize = 4;
const OF_ONE_WEBHOOK: usize = 2;
/// How long a receiver may take. Standard Webhooks has 15 to 30 s.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a delivery belongs to who sends it; longer than any attempt.
const LEASE: TimeDelta = TimeDelta::seconds(30);
/// How long to wait before looking again by oneself, and after a failure of the database.
const POLL: Duration = Duration::from_secs(1);
/// How often a thread that waits for a receiver looks whether it is time to stop.
const BEAT: Duration = Duration::from_millis(100);
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
    /// Sends to what the gates allow, and to nothing else.
    pub(crate) fetcher: GuardedFetcher,
    /// Where it does so.
    pub(crate) runtime: Handle,
    /// When what fails is tried again.
    pub(crate) delays: RetryDelays,
    /// The variant of the interface, which shapes what is sent.
    pub(crate) variant: Variant,
    /// Tells the threads to stop.
    pub(crate) signal: Arc<Signal>,
    /// The deliveries under way in this process, by their webhooks.
    pub(crate) under_way: Mutex<HashMap<WebhookId, usize>>,
}

impl Courier {
    /// Starts the threads; `process` names them among all processes.
    pub(crate) fn start(self, process: &str) -> std::io::Result<Vec<JoinHandle<()>>> {
        let courier = Arc::new(self);
        let mut threads = Vec::with_capacity(THREADS + 1);
        for number in 1..=THREADS {
            let id = WorkerId(format!("{process}-courier-{number}"));
            let courier = Arc::clone(&courier);
            let thread = std::thread::Builder::new().name(format!("courier-{number}"));
            threads.push(thread.spawn(move || courier.work(&id))?);
        }
        let thread = std::thread::Builder::new().name("old-events".to_owned());
        threads.push(thread.spawn(move || courier.forget())?);
        Ok(threads)
    }

    fn work(&self, id: &WorkerId) {
        loop {
            let seen = self.signal.seen();
            if self.signal.is_stopped() {
                return;
            }
            // A delivery whose thread panicked is taken up again when its lease has run out.
            let turn = catch_unwind(AssertUnwindSafe(|| self.send_next(id)));
            let waited = match turn.unwrap_or_else(|_| Err(panicked())) {
                Ok(true) => Waited::Called,
                Ok(false) => self.signal.wait(seen, POLL),
                Err(error) => {
                    tracing::warn!(%error, "no delivery could be claimed or stored");
                    self.signal.wait_for_stop(POLL)
                }
            };
            if waited == Waited::Stopped {
                return;
            }
        }
    }

    /// Sends the delivery that has been due longest; false where there is none.
    fn send_next(&self, id: &WorkerId) -> Result<bool, StoreError> {
        let busy = self.busy();
        let now = self.clock.now();
        let Some(claim) = self.stores.claim_delivery(id, LEASE, &busy, now)? else {
            return Ok(false);
        };
        let _under_way = UnderWay::begin(&self.under_way, &claim.webhook_id);
        let begun = Instant::now();
        let Some(sent) = self.send(&claim, now) else {
            // Nobody waits for an attempt that a stop cut off, and it does not count.
            let _held = self.stores.hand_back_delivery(&claim)?;
            return Ok(true);
        };
        let (attempt, reply) = told(&sent, now, begun.elapsed(), self.clock.now());
        self.finish(&claim, &attempt, reply)?;
        Ok(true)
    }

    /// One attempt; none where it is time to stop.
    fn send(
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
        self.runtime.block_on(async {
            tokio::pin!(sending);
            let mut beats = tokio::time::interval(BEAT);
            loop {
                tokio::select! {
                    sent = &mut sending => return Some(sent),
                    _ = beats.tick() => {
                        if self.signal.is_stopped() {
                            return None;
                        }
                    }
                }
            }
        })
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

    /// The webhooks that have as many deliveries under way as one may have.
    fn busy(&self) -> Vec<WebhookId> {
        let under_way = lock(&self.under_way);
        let busy = under_way
            .iter()
            .filter(|(_, count)| **count >= OF_ONE_WEBHOOK);
        busy.map(|(webhook, _)| webhook.clone()).collect()
    }

    /// Removes old events, every hour and at the beginning.
    fn forget(&self) {
        loop {
            match self
                .stores
                .forget_events(self.clock.now() - KEPT, FORGET_AT_ONCE)
            {
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
}

/// A delivery that is counted as long as this is held.
struct UnderWay<'a> {
    counts: &'a Mutex<HashMap<WebhookId, usize>>,
    webhook: WebhookId,
}

impl<'a> UnderWay<'a> {
    fn begin(counts: &'a Mutex<HashMap<WebhookId, usize>>, webhook: &WebhookId) -> Self {
        *lock(counts).entry(webhook.clone()).or_default() += 1;
        Self {
            counts,
            webhook: webhook.clone(),
        }
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        let mut counts = lock(self.counts);
        if let Some(count) = counts.get_mut(&self.webhook) {
            *count = count.saturating_sub(1);
        }
        counts.retain(|_, count| *count > 0);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the log of the delivery says of an attempt, and what is judged by.
fn told(
    sent: &Result<Posted, FetchError>,
    at: DateTime<Utc>,
    took: Duration,
    now: DateTime<Utc>,
) -> (DeliveryAttempt, Reply) {
    let posted = sent.as_ref().ok();
    let attempt = DeliveryAttempt {
        at,
        duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        status_code: posted.map(|posted| posted.status),
        error: sent.as_ref().err().map(ToString::to_string),
    };
    let asked = posted.and_then(|posted| posted.retry_after.as_deref());
    let reply = Reply {
        status: attempt.status_code,
        retry_after: asked.and_then(|text| retry_after(text, now)),
    };
    (attempt, reply)
}

/// A `Retry-After` header: seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: DateTime<Utc>) -> Option<TimeDelta> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(TimeDelta::seconds(seconds.into()));
    }
    let date = DateTime::parse_from_rfc2822(text).ok()?;
    Some((date.to_utc() - now).max(TimeDelta::zero()))
}

fn panicked() -> StoreError {
    StoreError::Failed("a thread that sends events panicked".to_owned())
}

#[cfg(test)]
mod tests;
