use audit_engine::egress::{EgressOptions, HostLimits, Limiter, host_key, post_key};
use domain::action::{
    ActionItem, ActionPatch, ActionStatus, BriefStatus, Description, Priority, Title,
};
use domain::audit_log::Actor;
use domain::event::EventKind;
use domain::id::{ActionId, EventId, OrgId, WebhookId};
use domain::ports::{ActionStore, Clock, JobStore, NewWebhook, OrgStore, WebhookStore};
use domain::target::AllowTargets;
use domain::webhook::{Delivery, DeliveryStatus, Webhook, WebhookSecret, WebhookState};
use storage::Database;
use testkit::{LoopbackServer, SequentialIds, TestResponse, sample};

use super::hosts::TryPermit;
use super::*;
use crate::sources::SystemClock;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(60);
/// Maximum delay of an event compared with an idle service, including the poll interval of a second.
const SOON: Duration = Duration::from_secs(2);

/// A dispatcher that runs until this is dropped.
struct Fixture {
    stores: Database,
    ids: SequentialIds,
    limiter: Arc<Limiter>,
    connections: Option<usize>,
    signal: Arc<Signal>,
    pool: Option<WorkerPool>,
    runtime: tokio::runtime::Runtime,
}

impl Fixture {
    fn new() -> Self {
        let stores = Database::for_test();
        stores.count_delivery_claims().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap();
        Self {
            stores,
            ids: SequentialIds::default(),
            limiter: Arc::default(),
            connections: None,
            signal: Arc::default(),
            pool: None,
            runtime,
        }
    }

    fn start(&mut self, variant: Variant) {
        let allow: AllowTargets = ["127.0.0.1".parse().unwrap()].into_iter().collect();
        let egress = EgressOptions::new(allow.clone(), "Assay-Webhooks/1".to_owned());
        let dispatcher = WebhookDispatcher {
            context: WorkerContext {
                process: "p".to_owned(),
                stores: Arc::new(self.stores.clone()),
                clock: Arc::new(SystemClock),
                ids: Arc::new(SequentialIds::default()),
                signal: Arc::clone(&self.signal),
            },
            fetcher: GuardedFetcher::new(egress).unwrap(),
            runtime: self.runtime.handle().clone(),
            hosts: Hosts {
                limiter: Arc::clone(&self.limiter),
                allow,
                connections: self.connections,
                max_rate: None,
            },
            delays: RetryDelays::default(),
            variant,
        };
        let mut pool = WorkerPool::new(Arc::clone(&self.signal));
        dispatcher.spawn(&mut pool).unwrap();
        self.pool = Some(pool);
    }

    fn org(&self) -> OrgId {
        let org = sample::new_org(&self.ids);
        self.stores.create_org(&org, &Actor::System).unwrap();
        org.id
    }

    fn hook(&self, org: &OrgId, receiver: &LoopbackServer, events: &[EventKind]) -> WebhookId {
        let now = SystemClock.now();
        let new = NewWebhook {
            webhook: Webhook {
                id: WebhookId::make(&self.ids),
                org_id: org.clone(),
                url: receiver.url("/in").to_string(),
                events: events.iter().copied().collect(),
                state: WebhookState::Enabled,
                created_at: now,
                updated_at: now,
            },
            secret: WebhookSecret::make(&self.ids),
        };
        let made = self.stores.create_webhook(org, &new, &Actor::System);
        assert_eq!(made, Ok(()));
        new.webhook.id
    }

    /// Queues test events.
    fn test(&self, org: &OrgId, webhook: &WebhookId, count: usize) {
        for _ in 0..count {
            let (event, now) = (EventId::make(&self.ids), SystemClock.now());
            let by = Actor::System;
            let sent = self.stores.test_webhook(org, webhook, &event, now, &by);
            assert!(sent.unwrap().is_some());
        }
    }

    fn deliveries(&self, org: &OrgId, webhook: &WebhookId) -> Vec<Delivery> {
        let page = self
            .stores
            .deliveries(org, webhook, &EventKind::ALL, None, 999);
        page.unwrap().unwrap().deliveries
    }

    /// Waits until all deliveries of a webhook match.
    fn all(&self, org: &OrgId, webhook: &WebhookId, is_wanted: impl Fn(&Delivery) -> bool) {
        until(|| self.deliveries(org, webhook).iter().all(&is_wanted));
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        self.signal.stop();
        if let Some(pool) = self.pool.take() {
            pool.join(LONG);
        }
    }
}

fn until(is_so: impl Fn() -> bool) {
    let end = Instant::now() + LONG;
    while !is_so() {
        assert!(Instant::now() < end, "timed out");
        // Sleeps, so that the awaited work gets the processor.
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

fn receiver() -> LoopbackServer {
    LoopbackServer::start(|_| TestResponse::status(204)).unwrap()
}

fn delivered(delivery: &Delivery) -> bool {
    delivery.status == DeliveryStatus::Delivered && delivery.attempts.len() == 1
}

#[test]
fn a_silent_receiver_blocks_no_other_organization() {
    let mut world = Fixture::new();
    let silent = LoopbackServer::start(|_| TestResponse::hang()).unwrap();
    let answers = receiver();
    let (hung, other) = (world.org(), world.org());
    let hooks = [(); 6].map(|()| world.hook(&hung, &silent, &[EventKind::RunFailed]));
    for hook in &hooks {
        world.test(&hung, hook, 20);
    }
    let hook = world.hook(&other, &answers, &[EventKind::RunFailed]);
    world.start(Variant::Current);
    // The first organization uses all slots that it may use.
    until(|| silent.hits("/in") >= 4);
    for _ in 0..3 {
        let begun = Instant::now();
        world.test(&other, &hook, 1);
        world.all(&other, &hook, delivered);
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    }
    assert_eq!(silent.hits("/in"), 4);
}

#[test]
fn deliveries_are_fair_across_organizations() {
    let mut world = Fixture::new();
    let receiver = receiver();
    let (much, little) = (world.org(), world.org());
    let busy = world.hook(&much, &receiver, &[EventKind::RunFailed]);
    world.test(&much, &busy, 300);
    let hook = world.hook(&little, &receiver, &[EventKind::RunFailed]);
    world.test(&little, &hook, 1);
    world.start(Variant::Current);
    world.all(&little, &hook, delivered);
    let left = world.deliveries(&much, &busy);
    let left = left.iter().filter(|one| !delivered(one)).count();
    assert!(left > 200, "{left}");
}

#[test]
fn rate_limits_of_a_host_are_shared_by_all_organizations() {
    let mut world = Fixture::new();
    let receiver = receiver();
    let orgs = [(); 4].map(|()| world.org());
    let hooks = orgs
        .each_ref()
        .map(|org| world.hook(org, &receiver, &[EventKind::RunFailed]));
    for (org, hook) in orgs.iter().zip(&hooks) {
        world.test(org, hook, 10);
    }
    // The limits of an external host: 10 requests a second.
    let limits = HostLimits::POLITE.for_posts();
    let _strangers = world.limiter.lease(&post_key(&receiver.url("/")), limits);
    let begun = Instant::now();
    world.start(Variant::Current);
    for (org, hook) in orgs.iter().zip(&hooks) {
        world.all(org, hook, delivered);
    }
    assert_eq!(receiver.hits("/in"), 40);
    let least = limits.interval * 39;
    assert!(begun.elapsed() >= least, "{:?}", begun.elapsed());
    assert!(receiver.most_connections_at_once() <= limits.connections);
}

#[test]
fn a_crawl_delay_holds_up_no_event() {
    let mut world = Fixture::new();
    let receiver = receiver();
    let org = world.org();
    let hook = world.hook(&org, &receiver, &[EventKind::RunFailed]);
    // An audit of the host holds its only slot while it waits for the crawl delay.
    let key = host_key(&receiver.url("/"));
    let limits = HostLimits::POLITE.with_crawl_delay(10.0);
    let _run = world.limiter.lease(&key, limits);
    let _asking = world.limiter.try_acquire(&key).unwrap();
    world.start(Variant::Current);
    let begun = Instant::now();
    world.test(&org, &hook, 5);
    world.all(&org, &hook, delivered);
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn a_rejecting_receiver_slows_neither_audits_nor_the_operators_own_hosts() {
    for status in [429, 503] {
        let mut world = Fixture::new();
        let refuses = LoopbackServer::start(move |_| TestResponse::status(status)).unwrap();
        let org = world.org();
        let hook = world.hook(&org, &refuses, &[EventKind::RunFailed]);
        world.test(&org, &hook, 20);
        world.start(Variant::Current);
        world.all(&org, &hook, |one| one.attempts.len() == 1);
        let (audits, posts) = (host_key(&refuses.url("/")), post_key(&refuses.url("/")));
        for key in [&audits, &posts] {
            let _lease = world.limiter.lease(key, HostLimits::OWN);
            let permits = (0..HostLimits::OWN.connections).map(|_| world.limiter.try_acquire(key));
            let permits: Vec<_> = permits.collect();
            assert!(permits.iter().all(Result::is_ok), "{key}");
        }
        let _lease = world.limiter.lease(&audits, HostLimits::POLITE);
        let permit = world.limiter.try_acquire(&audits).unwrap();
        assert_eq!(permit.refused(Duration::ZERO, None, Duration::ZERO), 1);
    }
}

#[test]
fn the_operators_own_hosts_have_no_rate_limit() {
    let hosts = Hosts {
        limiter: Arc::default(),
        allow: ["127.0.0.1:8080".parse().unwrap()].into_iter().collect(),
        connections: None,
        max_rate: None,
    };
    let is_granted = |url| matches!(hosts.try_permit(url), TryPermit::Granted(_));
    let at_once = |url| {
        // The limiter remembers a host as long as somebody sends to it.
        let _first = hosts.try_permit(url);
        (0..200).filter(|_| is_granted(url)).count()
    };
    assert_eq!(at_once("http://127.0.0.1:8080/hook"), 200);
    assert!(at_once("https://example.com/hook") < 200);
}

#[test]
fn deliveries_to_a_busy_host_are_handed_back_and_use_no_slot() {
    let mut world = Fixture::new();
    let (busy, free) = (receiver(), receiver());
    let org = world.org();
    let hooks = [(); 8].map(|()| world.hook(&org, &busy, &[EventKind::RunFailed]));
    let other = world.hook(&org, &free, &[EventKind::RunFailed]);
    // The host's permits are all in use.
    let key = post_key(&busy.url("/"));
    let strict = HostLimits {
        connections: 1,
        ..HostLimits::OWN
    };
    let lease = world.limiter.lease(&key, strict);
    let permit = world.limiter.try_acquire(&key).unwrap();
    for hook in &hooks {
        world.test(&org, hook, 5);
    }
    world.start(Variant::Current);
    // One for each webhook.
    until(|| world.stores.delivery_claims().unwrap() >= 8);
    let sent = Instant::now();
    world.test(&org, &other, 1);
    world.all(&org, &other, delivered);
    assert!(sent.elapsed() < SOON, "{:?}", sent.elapsed());
    assert_eq!(busy.hits("/in"), 0);
    drop(permit);
    drop(lease);
    for hook in &hooks {
        world.all(&org, hook, delivered);
    }
}

#[test]
fn webhooks_of_a_busy_host_back_off() {
    let mut world = Fixture::new();
    // A tenth of a second for each request, one at a time.
    let answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
    let pause = Duration::from_millis(2);
    let slow = LoopbackServer::start(move |_| TestResponse::raw_drip(answer, pause)).unwrap();
    world.connections = Some(1);
    let orgs = [(); 2].map(|()| world.org());
    let hooks = orgs
        .each_ref()
        .map(|org| [(); 20].map(|()| world.hook(org, &slow, &[EventKind::RunFailed])));
    for (org, hooks) in orgs.iter().zip(&hooks) {
        for hook in hooks {
            world.test(org, hook, 1);
        }
    }
    world.start(Variant::Current);
    for (org, hooks) in orgs.iter().zip(&hooks) {
        for hook in hooks {
            world.all(org, hook, delivered);
        }
    }
    // Each webhook once to find the host busy, once to be sent, and few more because the backoff is long.
    let claims = world.stores.delivery_claims().unwrap();
    assert!(claims <= 40 * 3, "{claims}");
}

#[test]
fn a_stop_hands_back_all_active_deliveries() {
    let mut world = Fixture::new();
    let silent = LoopbackServer::start(|_| TestResponse::hang()).unwrap();
    let org = world.org();
    let hook = world.hook(&org, &silent, &[EventKind::RunFailed]);
    world.test(&org, &hook, 3);
    world.start(Variant::Current);
    until(|| silent.hits("/in") == 2);
    let begun = Instant::now();
    world.signal.stop();
    world.pool.take().unwrap().join(LONG);
    assert!(begun.elapsed() < Duration::from_secs(5));
    let waiting = world.deliveries(&org, &hook);
    assert!(waiting.iter().all(|one| one.attempts.is_empty()));
    // No delivery has a lease.
    assert_eq!(world.stores.release_jobs(), Ok(0));
}

#[test]
fn the_older_variant_sends_nothing_of_action_items() {
    let mut world = Fixture::new();
    let receiver = receiver();
    let org = world.org();
    let hook = world.hook(
        &org,
        &receiver,
        &[EventKind::RunFailed, EventKind::ActionUpdated],
    );
    let now = SystemClock.now();
    let item = ActionItem {
        id: ActionId::make(&world.ids),
        org_id: org.clone(),
        title: Title::parse("Write alternatives").unwrap(),
        description: Description::default(),
        status: ActionStatus::Open,
        priority: Priority::Medium,
        assignee: None,
        due_date: None,
        site_id: None,
        audit: None,
        comment_count: 0,
        brief_status: BriefStatus::None,
        created_at: now,
        updated_at: now,
        resolved_at: None,
        verified_at: None,
    };
    let made = world.stores.create_action(&org, &item, &Actor::System);
    assert_eq!(made, Ok(()));
    let done = ActionPatch {
        status: Some(ActionStatus::Done),
        ..ActionPatch::default()
    };
    let patched = world
        .stores
        .patch_action(&org, &item.id, &done, now, &Actor::System);
    assert!(patched.is_ok());
    world.test(&org, &hook, 1);
    world.start(Variant::Legacy);
    world.all(&org, &hook, |one| one.status != DeliveryStatus::Pending);
    for one in world.deliveries(&org, &hook) {
        let (status, attempts) = match one.event {
            EventKind::ActionUpdated => (DeliveryStatus::Cancelled, 0),
            _ => (DeliveryStatus::Delivered, 1),
        };
        assert_eq!((one.status, one.attempts.len()), (status, attempts));
    }
    let bodies: Vec<_> = receiver
        .requests()
        .into_iter()
        .map(|one| one.body)
        .collect();
    assert_eq!(bodies.len(), 1);
    assert!(String::from_utf8_lossy(&bodies[0]).contains("\"test\""));
}
