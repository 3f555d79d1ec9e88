//! Backoff of webhooks whose host is busy.
//!
//! Handing back a claim costs two writes. So if a host is busy, only the webhook that has backed off longest is claimed
//! when the host's waiting slot is free. The other webhooks of the host are not claimed until their backoff ends; the
//! backoff grows with the number of webhooks.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use domain::id::{OrgId, WebhookId};

/// Backoff for each webhook that backs off: no matter how many do, about four a second are retried after their backoff
/// …
const FOR_EACH: Duration = Duration::from_millis(250);
/// … up to this maximum.
const MOST: Duration = Duration::from_secs(20);

/// The webhooks of a process that back off.
#[derive(Default)]
pub(super) struct WebhookBackoff {
    webhooks: HashMap<WebhookId, Entry>,
    /// Incremented by every backoff.
    begun: u64,
    /// Webhooks that may be claimed despite their backoff, since the last call of [`WebhookBackoff::at`].
    tried: Vec<WebhookId>,
}

struct Entry {
    org: OrgId,
    host: String,
    /// The position among all.
    number: u64,
    until: Instant,
}

impl WebhookBackoff {
    /// Makes a webhook back off after the others of its host.
    pub(super) fn begin(&mut self, webhook: &WebhookId, org: &OrgId, host: &str, now: Instant) {
        let many = u32::try_from(self.webhooks.len()).unwrap_or(u32::MAX);
        let most = FOR_EACH.saturating_mul(many.saturating_add(1)).min(MOST);
        self.begun += 1;
        let entry = Entry {
            org: org.clone(),
            host: host.to_owned(),
            number: self.begun,
            until: now + most,
        };
        self.webhooks.insert(webhook.clone(), entry);
    }

    /// Ends the backoff of a webhook.
    pub(super) fn end(&mut self, webhook: &WebhookId) {
        self.webhooks.remove(webhook);
    }

    /// Returns the webhooks that must not be claimed: all that back off, except the first claimable one at each host.
    pub(super) fn at(
        &mut self,
        now: Instant,
        may_be_tried: impl Fn(&WebhookId, &OrgId, &str) -> bool,
    ) -> Vec<WebhookId> {
        self.webhooks.retain(|_, entry| entry.until > now);
        let mut first: HashMap<&str, (u64, &WebhookId)> = HashMap::new();
        for (webhook, entry) in &self.webhooks {
            if may_be_tried(webhook, &entry.org, &entry.host) {
                let this = (entry.number, webhook);
                let first = first.entry(&entry.host).or_insert(this);
                *first = this.min(*first);
            }
        }
        self.tried = first.into_values().map(|(_, id)| id.clone()).collect();
        let others = self.webhooks.keys().filter(|id| !self.tried.contains(id));
        others.cloned().collect()
    }

    /// Ends the backoff of the claimable ones, which have no due delivery. Returns whether there were any.
    pub(super) fn end_tried(&mut self) -> bool {
        for webhook in &self.tried {
            self.webhooks.remove(webhook);
        }
        !std::mem::take(&mut self.tried).is_empty()
    }

    /// Returns when the first backoff ends.
    pub(super) fn first_end(&self) -> Option<Instant> {
        self.webhooks.values().map(|entry| entry.until).min()
    }
}

#[cfg(test)]
mod tests {
    use testkit::SequentialIds;

    use super::*;

    /// Webhooks that back off at hosts, in this order.
    fn backoff<const N: usize>(hosts: [&str; N], now: Instant) -> (WebhookBackoff, [WebhookId; N]) {
        let ids = SequentialIds::default();
        let (mut backoff, org) = (WebhookBackoff::default(), OrgId::make(&ids));
        let webhooks = hosts.map(|host| {
            let webhook = WebhookId::make(&ids);
            backoff.begin(&webhook, &org, host, now);
            webhook
        });
        (backoff, webhooks)
    }

    fn sorted(mut webhooks: Vec<WebhookId>) -> Vec<WebhookId> {
        webhooks.sort();
        webhooks
    }

    #[test]
    fn the_first_webhook_of_each_host_is_tried_and_the_next_if_nothing_is_due() {
        let now = Instant::now();
        let (mut backoff, [a, b, c, d]) = backoff(["x", "x", "y", "x"], now);
        assert_eq!(sorted(backoff.at(now, |_, _, _| true)), [b, d.clone()]);
        assert!(backoff.end_tried());
        assert_eq!(backoff.at(now, |_, _, _| true), [d]);
        assert!(backoff.end_tried());
        // Their backoff has ended.
        assert!(backoff.at(now, |_, _, _| true).is_empty());
        assert!(backoff.end_tried());
        assert!(!backoff.end_tried());
        assert!(backoff.first_end().is_none(), "{a} {c}");
    }

    #[test]
    fn no_webhook_is_claimed_while_a_delivery_waits_for_its_host() {
        let now = Instant::now();
        let (mut backoff, [a, b, c]) = backoff(["x", "x", "y"], now);
        assert_eq!(
            sorted(backoff.at(now, |_, _, host| host != "x")),
            [a.clone(), b.clone()]
        );
        assert_eq!(
            sorted(backoff.at(now, |webhook, _, _| *webhook != a)),
            std::slice::from_ref(&a)
        );
        backoff.end(&a);
        assert!(!backoff.at(now, |_, _, _| true).contains(&b));
        assert!(!backoff.at(now, |_, _, _| true).contains(&c));
    }

    #[test]
    fn the_backoff_grows_with_the_number_of_webhooks_up_to_a_maximum() {
        let now = Instant::now();
        let (mut backoff, _) = backoff(["x"; 200], now);
        assert_eq!(backoff.first_end(), Some(now + FOR_EACH));
        for (later, left) in [(1, 196), (10, 160), (19, 124)] {
            let at = now + Duration::from_secs(later);
            assert_eq!(backoff.at(at, |_, _, _| false).len(), left);
        }
        assert!(backoff.at(now + MOST, |_, _, _| false).is_empty());
    }
}
