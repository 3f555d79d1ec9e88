//! Concurrency limits of deliveries.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use domain::id::{OrgId, WebhookId};
use domain::ports::{DeliveryClaim, DeliveryFairness};

use super::STOP_POLL;
use super::backoff::WebhookBackoff;

/// Maximum concurrent deliveries of a process. Each needs a socket until its receiver responds.
const ALL: usize = 256;
/// Maximum concurrent deliveries of one organization, while less than half of [`ALL`] are in use; after that it is one,
/// so that others find room even if many organizations have receivers that do not respond.
const OF_ONE_ORGANIZATION: usize = 4;
/// Maximum concurrent deliveries of one webhook.
const OF_ONE_WEBHOOK: usize = 2;
/// Maximum deliveries that wait for a permit of their host, one for each host. They do not count against [`ALL`].
const MAX_WAITING: usize = 64;

/// Active and waiting deliveries.
#[derive(Default)]
pub(super) struct Concurrency {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Incremented whenever a delivery ends.
    changes: u64,
    last: Option<OrgId>,
    orgs: HashMap<OrgId, usize>,
    webhooks: HashMap<WebhookId, usize>,
    /// Hosts that a delivery waits for.
    waiting_hosts: HashSet<String>,
    /// Webhooks whose deliveries wait for their hosts.
    waiting_webhooks: HashSet<WebhookId>,
    /// Webhooks whose hosts are busy.
    backoff: WebhookBackoff,
}

impl State {
    fn all(&self) -> usize {
        self.orgs.values().sum()
    }

    fn of_one_organization(&self) -> usize {
        if self.all() < ALL / 2 {
            OF_ONE_ORGANIZATION
        } else {
            1
        }
    }
}

impl Concurrency {
    /// Returns which organizations and webhooks may be claimed next; `None` if there is no room.
    pub(super) fn fairness(&self) -> Option<DeliveryFairness> {
        let mut state = self.lock();
        if state.all() >= ALL {
            return None;
        }
        let busy_orgs = full(&state.orgs, state.of_one_organization());
        let mut busy_webhooks = full(&state.webhooks, OF_ONE_WEBHOOK);
        busy_webhooks.extend(state.waiting_webhooks.iter().cloned());
        let State {
            waiting_hosts,
            backoff,
            ..
        } = &mut *state;
        let has_room = waiting_hosts.len() < MAX_WAITING;
        let may_be_tried = |webhook: &WebhookId, org: &OrgId, host: &str| {
            has_room
                && !waiting_hosts.contains(host)
                && !busy_orgs.contains(org)
                && !busy_webhooks.contains(webhook)
        };
        let backed_off = backoff.at(Instant::now(), may_be_tried);
        busy_webhooks.extend(backed_off);
        Some(DeliveryFairness {
            last: state.last.clone(),
            busy_orgs,
            busy_webhooks,
        })
    }

    /// Records that a delivery was claimed.
    pub(super) fn record_claim(&self, claim: &DeliveryClaim) {
        let mut state = self.lock();
        state.last = Some(claim.event.org_id.clone());
        state.backoff.end(&claim.webhook_id);
    }

    /// Records that nothing was claimable. Returns whether other webhooks may be claimed despite their backoff.
    pub(super) fn record_nothing_due(&self) -> bool {
        self.lock().backoff.end_tried()
    }

    /// Makes a webhook back off while other deliveries wait for its host.
    pub(super) fn back_off(&self, claim: &DeliveryClaim, host: &str) {
        let mut state = self.lock();
        let (webhook, org) = (&claim.webhook_id, &claim.event.org_id);
        state.backoff.begin(webhook, org, host, Instant::now());
    }

    /// Counts a delivery as active until the returned guard is dropped.
    pub(super) fn begin(limits: &Arc<Self>, claim: &DeliveryClaim) -> ActiveDelivery {
        let (org, webhook) = (claim.event.org_id.clone(), claim.webhook_id.clone());
        let mut state = limits.lock();
        *state.orgs.entry(org.clone()).or_default() += 1;
        *state.webhooks.entry(webhook.clone()).or_default() += 1;
        drop(state);
        ActiveDelivery {
            limits: Arc::clone(limits),
            org,
            webhook,
        }
    }

    /// Takes the waiting slot of a host, which also blocks other deliveries of the webhook. Returns `None` if another
    /// delivery of this process waits for the host, or too many deliveries wait.
    pub(super) fn take_waiting_slot(
        limits: &Arc<Self>,
        claim: &DeliveryClaim,
        host: &str,
    ) -> Option<WaitingSlot> {
        let mut state = limits.lock();
        if state.waiting_hosts.len() >= MAX_WAITING || !state.waiting_hosts.insert(host.to_owned())
        {
            return None;
        }
        state.waiting_webhooks.insert(claim.webhook_id.clone());
        drop(state);
        Some(WaitingSlot {
            limits: Arc::clone(limits),
            host: host.to_owned(),
            webhook: claim.webhook_id.clone(),
        })
    }

    /// Returns the number of changes, for [`Concurrency::wait`].
    pub(super) fn seen(&self) -> u64 {
        self.lock().changes
    }

    /// Waits until a delivery has ended since `seen`, a backoff ends, the process stops, or `most` has passed.
    pub(super) fn wait(&self, seen: u64, most: Duration, is_stopped: impl Fn() -> bool) {
        let mut state = self.lock();
        let end = Instant::now() + most;
        let first_end = state.backoff.first_end();
        let end = first_end.map_or(end, |first_end| first_end.min(end));
        while state.changes == seen && !is_stopped() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.pause(state, left);
        }
    }

    /// Waits until no delivery is active.
    pub(super) fn wait_for_all(&self) {
        let mut state = self.lock();
        while state.all() + state.waiting_hosts.len() > 0 {
            state = self.pause(state, STOP_POLL);
        }
    }

    fn pause<'a>(&self, state: MutexGuard<'a, State>, most: Duration) -> MutexGuard<'a, State> {
        let paused = self.changed.wait_timeout(state, most.min(STOP_POLL));
        paused.unwrap_or_else(PoisonError::into_inner).0
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.changes = state.changes.wrapping_add(1);
        drop(state);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An active delivery; it counts while this is held.
pub(super) struct ActiveDelivery {
    limits: Arc<Concurrency>,
    org: OrgId,
    webhook: WebhookId,
}

impl Drop for ActiveDelivery {
    fn drop(&mut self) {
        self.limits.change(|state| {
            less(&mut state.orgs, &self.org);
            less(&mut state.webhooks, &self.webhook);
        });
    }
}

/// The waiting slot of a host, while this is held.
pub(super) struct WaitingSlot {
    limits: Arc<Concurrency>,
    host: String,
    webhook: WebhookId,
}

impl Drop for WaitingSlot {
    fn drop(&mut self) {
        self.limits.change(|state| {
            state.waiting_hosts.remove(&self.host);
            state.waiting_webhooks.remove(&self.webhook);
        });
    }
}

fn full<K: Clone>(counts: &HashMap<K, usize>, most: usize) -> Vec<K> {
    let full = counts.iter().filter(|(_, count)| **count >= most);
    full.map(|(key, _)| key.clone()).collect()
}

fn less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, key: &K) {
    if let Some(count) = counts.get_mut(key) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            counts.remove(key);
        }
    }
}
