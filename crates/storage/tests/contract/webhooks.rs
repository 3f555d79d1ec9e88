//! Webhooks, their events and their deliveries.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use domain::action::{ActionPatch, ActionStatus};
use domain::audit_log::Actor;
use domain::event::{Event, EventFacts, EventKind};
use domain::id::{DeliveryId, EventId, OrgId, WebhookId};
use domain::ports::{
    CreateWebhookError, DeliveryClaim, DeliveryFairness, LeaseStatus, NewWebhook, QueueRules,
    Stores,
};
use domain::run::RunError;
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryCursor, DeliveryStatus, MAX_WEBHOOKS, Verdict, Webhook,
    WebhookPatch, WebhookSecret, WebhookState,
};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, blocked, worker};

const BY: Actor = Actor::CommandLine;
const LEASE: TimeDelta = TimeDelta::seconds(30);
const URL: &str = "https://hooks.example.com/in?token=hunter2";

pub(crate) fn new_webhook(world: &Fixture<'_>, org: &OrgId, events: &[EventKind]) -> NewWebhook {
    NewWebhook {
        webhook: Webhook {
            id: WebhookId::make(&world.ids),
            org_id: org.clone(),
            url: URL.to_owned(),
            events: events.iter().copied().collect(),
            state: WebhookState::Enabled,
            created_at: at(0),
            updated_at: at(0),
        },
        secret: WebhookSecret::make(&world.ids),
    }
}

/// A webhook that subscribes to these events.
pub(crate) fn hook(world: &Fixture<'_>, org: &OrgId, events: &[EventKind]) -> NewWebhook {
    let new = new_webhook(world, org, events);
    assert_eq!(world.stores.create_webhook(org, &new, &BY), Ok(()));
    new
}

fn listed(stores: &dyn Stores, hook: &NewWebhook) -> Vec<Delivery> {
    let (org, id) = (&hook.webhook.org_id, &hook.webhook.id);
    let page = stores
        .deliveries(org, id, &EventKind::ALL, None, 100)
        .unwrap()
        .unwrap();
    assert_eq!(page.next, None);
    page.deliveries
}

fn kinds(events: &[Event]) -> Vec<EventKind> {
    events.iter().map(Event::kind).collect()
}

fn claim(stores: &dyn Stores, second: i64) -> Option<DeliveryClaim> {
    let claimed = stores.claim_delivery(
        &worker("w"),
        LEASE,
        &DeliveryFairness::default(),
        at(second),
    );
    claimed.unwrap()
}

fn attempt(second: i64, status_code: Option<u16>) -> DeliveryAttempt {
    DeliveryAttempt {
        at: at(second),
        duration_ms: 12,
        status_code,
        error: status_code
            .is_none()
            .then(|| "hooks.example.com refused".to_owned()),
    }
}

fn finish(
    stores: &dyn Stores,
    claim: &DeliveryClaim,
    verdict: Verdict,
    second: i64,
) -> LeaseStatus {
    let done = stores.finish_delivery(claim, &attempt(second, Some(500)), verdict, at(second));
    done.unwrap()
}

/// Sends a test event.
fn test(stores: &dyn Stores, world: &Fixture<'_>, hook: &NewWebhook, second: i64) -> Delivery {
    let event = EventId::make(&world.ids);
    let (org, id) = (&hook.webhook.org_id, &hook.webhook.id);
    let sent = stores
        .test_webhook(org, id, &event, at(second), &BY)
        .unwrap();
    let sent = sent.unwrap();
    assert_eq!((&sent.event_id, sent.event), (&event, EventKind::Test));
    sent
}

pub(crate) fn a_webhook_comes_back_without_its_secret(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(
        &world,
        &org,
        &[EventKind::RunFailed, EventKind::RunCompleted],
    );
    let other = hook(&world, &org, &[EventKind::ScheduleSkipped]);
    hook(&world, &world.org(), &[EventKind::RunFailed]);
    let all = [made.webhook.clone(), other.webhook.clone()];
    assert_eq!(stores.webhooks(&org).unwrap(), all);
    let id = &made.webhook.id;
    assert_eq!(stores.webhook(&org, id), Ok(Some(made.webhook.clone())));
    // The URL may contain a token.
    let lines =
        [made, other].map(|made| (made.webhook.id.to_string(), "hooks.example.com".to_owned()));
    assert_eq!(world.logged(&org, "webhook.created"), lines);
}

pub(crate) fn an_organization_has_so_many_webhooks_at_most(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for _ in 1..MAX_WEBHOOKS {
        hook(&world, &org, &[EventKind::RunFailed]);
    }
    let news = [(); 4].map(|()| new_webhook(&world, &org, &[EventKind::RunFailed]));
    let made = at_once(4, |number| stores.create_webhook(&org, &news[number], &BY));
    assert_eq!(made.iter().filter(|made| made.is_ok()).count(), 1);
    let refused = made.into_iter().find(Result::is_err);
    assert_eq!(
        refused,
        Some(Err(CreateWebhookError::TooMany(MAX_WEBHOOKS)))
    );
    hook(&world, &world.org(), &[EventKind::RunFailed]);
}

pub(crate) fn a_webhook_is_changed_and_removed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]).webhook;
    let patch = |patch: &WebhookPatch, second| {
        let changed = stores.patch_webhook(&org, &made.id, patch, at(second), &BY);
        changed.unwrap().unwrap()
    };
    let everything = WebhookPatch {
        url: Some("https://b.example/".to_owned()),
        events: Some(BTreeSet::from([EventKind::ActionUpdated])),
        enabled: Some(false),
    };
    let changed = patch(&everything, 1);
    assert_eq!(changed.url, "https://b.example/");
    assert_eq!(changed.events, BTreeSet::from([EventKind::ActionUpdated]));
    assert_eq!(
        (changed.state, changed.updated_at),
        (WebhookState::TurnedOff, at(1))
    );
    assert_eq!(stores.webhook(&org, &made.id), Ok(Some(changed.clone())));
    assert_eq!(patch(&everything, 2), changed);
    let on = WebhookPatch {
        enabled: Some(true),
        ..WebhookPatch::default()
    };
    assert_eq!(patch(&on, 3).state, WebhookState::Enabled);
    let id = made.id.to_string();
    let lines = ["url, events, enabled", "enabled"].map(|line| (id.clone(), line.to_owned()));
    assert_eq!(world.logged(&org, "webhook.changed"), lines);
    assert!(stores.delete_webhook(&org, &made.id, at(4), &BY).unwrap());
    assert!(!stores.delete_webhook(&org, &made.id, at(5), &BY).unwrap());
    assert_eq!(stores.webhook(&org, &made.id), Ok(None));
    assert_eq!(
        world.logged(&org, "webhook.deleted"),
        [(id, "b.example".to_owned())]
    );
}

pub(crate) fn a_foreign_webhook_is_not_found(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let foreign = hook(&world, &world.org(), &[EventKind::RunFailed]);
    test(stores, &world, &foreign, 0);
    let owner = &foreign.webhook.org_id;
    for id in [foreign.webhook.id.clone(), WebhookId::make(&world.ids)] {
        let off = WebhookPatch {
            enabled: Some(false),
            ..WebhookPatch::default()
        };
        let event = EventId::make(&world.ids);
        assert_eq!(stores.webhook(&org, &id), Ok(None));
        assert_eq!(stores.patch_webhook(&org, &id, &off, at(1), &BY), Ok(None));
        assert_eq!(stores.delete_webhook(&org, &id, at(1), &BY), Ok(false));
        assert_eq!(stores.test_webhook(&org, &id, &event, at(1), &BY), Ok(None));
        assert_eq!(
            stores.deliveries(&org, &id, &EventKind::ALL, None, 9),
            Ok(None)
        );
    }
    assert_eq!(stores.webhooks(&org), Ok(Vec::new()));
    assert_eq!(stores.events(&org), Ok(Vec::new()));
    assert_eq!(stores.webhooks(owner), Ok(vec![foreign.webhook.clone()]));
    assert_eq!(listed(stores, &foreign).len(), 1);
}

pub(crate) fn a_completed_run_publishes_one_event(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let wants = hook(&world, &org, &[EventKind::RunCompleted]);
    let other = hook(&world, &org, &[EventKind::RunFailed]);
    let foreign = hook(&world, &world.org(), &[EventKind::RunCompleted]);
    let run = world.start(&org, "https://example.com/a?b");
    let claim = world.claim(at(1));
    let completed = world.complete(&claim, &sample::audit_result(), at(2));
    let events = stores.events(&org).unwrap();
    assert_eq!(kinds(&events), [EventKind::RunCompleted]);
    assert_eq!(events[0].id, EventId::of_the_end_of(&run.run_id));
    assert_eq!(events[0].at, at(2));
    let EventFacts::RunCompleted {
        run: named,
        report_id,
        scores,
    } = &events[0].facts
    else {
        panic!("{events:?}");
    };
    assert_eq!((&named.id, &named.site_id), (&run.run_id, &run.site_id));
    assert_eq!(named.url, "https://example.com/a?b");
    assert_eq!(*report_id, completed.report_id);
    assert_eq!(*scores, completed.reports.scores());
    // Late, and lost.
    let late = stores.complete(
        &claim,
        &sample::completed_run(&world.ids, &sample::audit_result()),
        &world.ids,
        at(3),
    );
    assert_eq!(late, Ok(LeaseStatus::Lost));
    assert_eq!(stores.events(&org).unwrap().len(), 1);
    assert_eq!(listed(stores, &wants).len(), 1);
    assert_eq!(listed(stores, &other), []);
    assert_eq!(listed(stores, &foreign), []);
}

pub(crate) fn a_failed_run_publishes_its_error(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let error_of = |event: &Event| match &event.facts {
        EventFacts::RunFailed { error, .. } => error.clone(),
        other => panic!("{other:?}"),
    };
    // By its worker, by the reaper past its deadline, and by the reaper without attempts left.
    world.start(&org, "https://a.example/");
    let failing = world.claim(at(0));
    assert_eq!(
        stores.fail(&failing, &blocked(), at(1)),
        Ok(LeaseStatus::Held)
    );
    let rules = QueueRules {
        max_attempts: 1,
        ..QueueRules::DEFAULT
    };
    world.start_at(&org, "https://b.example/", at(2));
    world.fault(&world.claim(at(2)), at(3));
    assert_eq!(stores.reap(&rules, at(100)).unwrap().given_up, 1);
    let events = stores.events(&org).unwrap();
    let errors: Vec<_> = events.iter().map(error_of).collect();
    assert_eq!(errors, [blocked(), RunError::internal()]);
    // A cancelled run is not a failure.
    let run = world.start_at(&org, "https://c.example/", at(200));
    assert!(
        stores
            .cancel_run(&org, &run.run_id, at(201))
            .unwrap()
            .is_some()
    );
    assert_eq!(stores.events(&org).unwrap().len(), 2);
}

pub(crate) fn item_changes_by_people_and_audits_publish_events(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let audit = |second: i64, result| {
        world.start_at(&org, "https://example.com/", at(second));
        let claim = world.claim(at(second));
        world.complete(&claim, &result, at(second + 1));
        claim.run_id
    };
    audit(0, sample::audit_result());
    let item = world.items(&org).remove(0);
    let done = ActionPatch {
        status: Some(ActionStatus::Done),
        ..ActionPatch::default()
    };
    let patched = stores
        .patch_action(&org, &item.id, &done, at(10), &BY)
        .unwrap();
    // This changes nothing, so it publishes nothing.
    stores
        .patch_action(&org, &item.id, &done, at(11), &BY)
        .unwrap();
    let run = audit(20, sample::audit_result());
    let events = stores.events(&org).unwrap();
    let (kind, regression) = (EventKind::ActionUpdated, EventKind::IssueRegressed);
    let end = EventKind::RunCompleted;
    let mut told = kinds(&events);
    // Events of the same time have no order.
    told[2..].sort();
    let mut expected = vec![end, kind];
    let mut last = vec![regression, kind, end];
    last.sort();
    expected.extend(last);
    assert_eq!(told, expected);
    assert_eq!(events[1].facts, EventFacts::of_patch(&patched, &["status"]));
    let found = events
        .iter()
        .find(|event| event.kind() == regression)
        .unwrap();
    let EventFacts::IssueRegressed {
        action_id,
        run_id,
        check_id,
        ..
    } = &found.facts
    else {
        panic!("{found:?}");
    };
    let check = &item.audit.as_ref().unwrap().check_id;
    assert_eq!((action_id, run_id, check_id), (&item.id, &run, check));
    let by_audit = events[2..]
        .iter()
        .find(|event| event.kind() == kind)
        .unwrap();
    let EventFacts::ActionUpdated { status, run_id, .. } = &by_audit.facts else {
        panic!("{by_audit:?}");
    };
    assert_eq!((*status, run_id.as_ref()), (ActionStatus::Open, Some(&run)));
}

pub(crate) fn a_test_event_is_sent_to_one_webhook_regardless_of_its_subscriptions(
    stores: &dyn Stores,
) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    let other = hook(&world, &org, &[EventKind::RunFailed]);
    let off = WebhookPatch {
        enabled: Some(false),
        ..WebhookPatch::default()
    };
    stores
        .patch_webhook(&org, &made.webhook.id, &off, at(0), &BY)
        .unwrap();
    let sent = test(stores, &world, &made, 1);
    assert_eq!(
        (sent.status, sent.next_attempt_at),
        (DeliveryStatus::Pending, Some(at(1)))
    );
    assert_eq!(listed(stores, &made), std::slice::from_ref(&sent));
    assert_eq!(listed(stores, &other), []);
    let claimed = claim(stores, 1).unwrap();
    assert_eq!((&claimed.id, claimed.url.as_str()), (&sent.id, URL));
    assert_eq!(claimed.secret, made.secret);
    let facts = EventFacts::Test {
        webhook_id: made.webhook.id.clone(),
    };
    assert_eq!(claimed.event.facts, facts);
    let line = (made.webhook.id.to_string(), sent.event_id.to_string());
    assert_eq!(world.logged(&org, "webhook.tested"), [line]);
}

pub(crate) fn deliveries_are_claimed_the_longest_due_first_and_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let [a, b] = [(); 2].map(|()| hook(&world, &org, &[EventKind::RunFailed]));
    let second = test(stores, &world, &a, 2);
    let first = test(stores, &world, &b, 1);
    let third = test(stores, &world, &a, 3);
    assert_eq!(claim(stores, 0), None);
    // A busy organization or webhook is skipped.
    let busy = DeliveryFairness {
        busy_webhooks: vec![b.webhook.id],
        ..DeliveryFairness::default()
    };
    let claimed = stores
        .claim_delivery(&worker("w"), LEASE, &busy, at(9))
        .unwrap();
    assert_eq!(claimed.unwrap().id, second.id);
    assert_eq!(claim(stores, 9).unwrap().id, first.id);
    assert_eq!(claim(stores, 9).unwrap().id, third.id);
    assert_eq!(claim(stores, 9), None);
    // Until the leases have expired.
    assert_eq!(claim(stores, 38), None);
    assert!(claim(stores, 39).is_some());
}

pub(crate) fn delivery_claims_are_fair_across_organizations(stores: &dyn Stores) {
    let world = Fixture::new(stores);
    let mut orgs = [(); 3].map(|()| world.org());
    orgs.sort();
    let hooks = orgs
        .each_ref()
        .map(|org| hook(&world, org, &[EventKind::RunFailed]));
    // The first one has many deliveries, due long before those of the others; the last one has none yet.
    for second in 1..=6 {
        test(stores, &world, &hooks[0], second);
    }
    test(stores, &world, &hooks[1], 50);
    test(stores, &world, &hooks[1], 51);
    let mut turns = DeliveryFairness::default();
    let mut next = |busy_orgs: &[OrgId]| {
        turns.busy_orgs = busy_orgs.to_vec();
        let claimed = stores.claim_delivery(&worker("w"), LEASE, &turns, at(60));
        let claim = claimed.unwrap()?;
        turns.last = Some(claim.event.org_id.clone());
        Some((claim.event.org_id, claim.event.at))
    };
    let [a, b, c] = &orgs;
    assert_eq!(next(&[]), Some((a.clone(), at(1))));
    assert_eq!(next(&[]), Some((b.clone(), at(50))));
    // After the last organization comes the first one again.
    assert_eq!(next(&[]), Some((a.clone(), at(2))));
    test(stores, &world, &hooks[2], 55);
    assert_eq!(next(&[]), Some((b.clone(), at(51))));
    assert_eq!(next(&[]), Some((c.clone(), at(55))));
    // A busy organization is skipped.
    assert_eq!(next(std::slice::from_ref(a)), None);
    assert_eq!(next(&[]), Some((a.clone(), at(3))));
}

pub(crate) fn of_claims_at_once_each_gets_another_delivery(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    let mut sent: Vec<_> = (0..6).map(|_| test(stores, &world, &made, 1).id).collect();
    let claimed = at_once(6, |_| claim(stores, 1));
    let mut got: Vec<_> = claimed.into_iter().flatten().collect();
    // PostgreSQL skips one that another transaction is claiming.
    got.extend(std::iter::from_fn(|| claim(stores, 2)));
    let mut got: Vec<_> = got.into_iter().map(|claim| claim.id).collect();
    got.sort();
    sent.sort();
    assert_eq!(got, sent);
}

pub(crate) fn an_attempt_that_fails_is_made_again_at_its_time(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    let sent = test(stores, &world, &made, 1);
    let first = claim(stores, 1).unwrap();
    assert_eq!((first.attempts, first.epoch), (0, 1));
    let failed = attempt(1, None);
    let held = stores.finish_delivery(&first, &failed, Verdict::Again(at(100)), at(2));
    assert_eq!(held, Ok(LeaseStatus::Held));
    assert_eq!(
        finish(stores, &first, Verdict::Delivered, 3),
        LeaseStatus::Lost
    );
    assert_eq!(claim(stores, 99), None);
    let second = claim(stores, 100).unwrap();
    assert_eq!((second.attempts, &second.event), (1, &first.event));
    let done = attempt(100, Some(204));
    let held = stores.finish_delivery(&second, &done, Verdict::Delivered, at(101));
    assert_eq!(held, Ok(LeaseStatus::Held));
    let expected = Delivery {
        status: DeliveryStatus::Delivered,
        attempts: vec![failed, done],
        next_attempt_at: None,
        finished_at: Some(at(101)),
        ..sent
    };
    assert_eq!(listed(stores, &made), [expected]);
    assert_eq!(claim(stores, 10_000), None);
}

pub(crate) fn a_delivery_is_given_up_after_its_last_attempt(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    test(stores, &world, &made, 1);
    let claimed = claim(stores, 1).unwrap();
    assert_eq!(
        finish(stores, &claimed, Verdict::GivenUp, 2),
        LeaseStatus::Held
    );
    let delivery = listed(stores, &made).remove(0);
    assert_eq!(
        (delivery.status, delivery.finished_at),
        (DeliveryStatus::Failed, Some(at(2)))
    );
    let webhook = stores.webhook(&org, &made.webhook.id).unwrap().unwrap();
    assert_eq!(webhook.state, WebhookState::Enabled);
}

pub(crate) fn a_receiver_that_is_gone_disables_its_webhook(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    let waiting = test(stores, &world, &made, 2);
    let sent = test(stores, &world, &made, 1);
    let claimed = claim(stores, 2).unwrap();
    assert_eq!(claimed.id, sent.id);
    assert_eq!(
        finish(stores, &claimed, Verdict::Gone, 3),
        LeaseStatus::Held
    );
    let webhook = stores.webhook(&org, &made.webhook.id).unwrap().unwrap();
    assert_eq!(
        (webhook.state, webhook.updated_at),
        (WebhookState::Gone, at(3))
    );
    let ended: Vec<_> = listed(stores, &made)
        .into_iter()
        .map(|delivery| (delivery.id, delivery.status))
        .collect();
    let (failed, cancelled) = (DeliveryStatus::Failed, DeliveryStatus::Cancelled);
    assert_eq!(ended, [(waiting.id, cancelled), (sent.id, failed)]);
    assert_eq!(claim(stores, 1_000), None);
    let line = (
        webhook.id.to_string(),
        "the receiver returned 410".to_owned(),
    );
    assert_eq!(world.logged(&org, "webhook.disabled"), [line]);
    // Nothing is queued for it until a person enables it again.
    let run = |second| {
        world.start_at(&org, "https://example.com/", at(second));
        let claim = world.claim(at(second));
        assert_eq!(
            stores.fail(&claim, &blocked(), at(second + 1)),
            Ok(LeaseStatus::Held)
        );
    };
    run(10);
    assert_eq!(listed(stores, &made).len(), 2);
    let on = WebhookPatch {
        enabled: Some(true),
        ..WebhookPatch::default()
    };
    stores
        .patch_webhook(&org, &webhook.id, &on, at(20), &BY)
        .unwrap();
    run(30);
    assert_eq!(listed(stores, &made).len(), 3);
}

pub(crate) fn disabling_a_webhook_cancels_its_pending_and_active_deliveries(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    test(stores, &world, &made, 1);
    test(stores, &world, &made, 2);
    let claimed = claim(stores, 2).unwrap();
    let off = WebhookPatch {
        enabled: Some(false),
        ..WebhookPatch::default()
    };
    stores
        .patch_webhook(&org, &made.webhook.id, &off, at(3), &BY)
        .unwrap();
    let all = listed(stores, &made);
    assert!(
        all.iter()
            .all(|delivery| delivery.status == DeliveryStatus::Cancelled)
    );
    assert_eq!(
        finish(stores, &claimed, Verdict::Delivered, 4),
        LeaseStatus::Lost
    );
    assert_eq!(
        stores.hand_back_delivery(&claimed, None),
        Ok(LeaseStatus::Lost)
    );
}

pub(crate) fn an_unattempted_delivery_is_handed_back(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    test(stores, &world, &made, 1);
    let first = claim(stores, 1).unwrap();
    assert_eq!(
        stores.hand_back_delivery(&first, None),
        Ok(LeaseStatus::Held)
    );
    assert_eq!(
        stores.hand_back_delivery(&first, None),
        Ok(LeaseStatus::Lost)
    );
    let second = claim(stores, 1).unwrap();
    assert_eq!((second.attempts, second.epoch), (0, 2));
    assert_eq!(
        finish(stores, &first, Verdict::Delivered, 2),
        LeaseStatus::Lost
    );
    assert_eq!(stores.release_jobs(), Ok(1));
    assert_eq!(stores.release_jobs(), Ok(0));
    assert_eq!(
        finish(stores, &second, Verdict::Delivered, 2),
        LeaseStatus::Lost
    );
    assert!(claim(stores, 1).is_some());
}

pub(crate) fn a_handed_back_delivery_waits_and_costs_no_attempt(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    test(stores, &world, &made, 1);
    let first = claim(stores, 1).unwrap();
    let later = Some(at(10));
    assert_eq!(
        stores.hand_back_delivery(&first, later),
        Ok(LeaseStatus::Held)
    );
    assert_eq!(
        stores.hand_back_delivery(&first, later),
        Ok(LeaseStatus::Lost)
    );
    let shown = listed(stores, &made).remove(0);
    assert_eq!((shown.next_attempt_at, shown.attempts), (later, Vec::new()));
    assert_eq!(claim(stores, 9), None);
    assert_eq!(claim(stores, 10).map(|claim| claim.attempts), Some(0));
}

pub(crate) fn a_forbidden_delivery_is_cancelled_without_an_attempt(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    test(stores, &world, &made, 1);
    let claimed = claim(stores, 1).unwrap();
    assert_eq!(
        stores.cancel_delivery(&claimed, at(2)),
        Ok(LeaseStatus::Held)
    );
    assert_eq!(
        stores.cancel_delivery(&claimed, at(3)),
        Ok(LeaseStatus::Lost)
    );
    let shown = listed(stores, &made).remove(0);
    let end = (shown.status, shown.finished_at, shown.attempts.len());
    assert_eq!(end, (DeliveryStatus::Cancelled, Some(at(2)), 0));
    assert_eq!(claim(stores, 99), None);
}

pub(crate) fn deliveries_are_listed_by_what_they_are_of(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    world.start(&org, "https://a.example/");
    let failing = world.claim(at(1));
    assert_eq!(
        stores.fail(&failing, &blocked(), at(2)),
        Ok(LeaseStatus::Held)
    );
    test(stores, &world, &made, 3);
    let of = |kinds: &[EventKind]| {
        let page = stores.deliveries(&org, &made.webhook.id, kinds, None, 1);
        let page = page.unwrap().unwrap();
        let kinds = page.deliveries.iter().map(|delivery| delivery.event);
        (kinds.collect::<Vec<_>>(), page.next.is_some())
    };
    let (failed, tested) = (EventKind::RunFailed, EventKind::Test);
    assert_eq!(of(&[failed]), (vec![failed], false));
    assert_eq!(of(&[tested, failed]), (vec![tested], true));
    assert_eq!(of(&[EventKind::ActionUpdated]), (Vec::new(), false));
}

pub(crate) fn deliveries_come_newest_first_page_by_page(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    for second in [3, 1, 2, 2, 2] {
        test(stores, &world, &made, second);
    }
    let all = listed(stores, &made);
    let mut sorted = all.clone();
    sorted.sort_by_key(|delivery| std::cmp::Reverse(DeliveryCursor::after(delivery)));
    assert_eq!(all, sorted);
    let (mut paged, mut after) = (Vec::new(), None);
    loop {
        let page = stores.deliveries(&org, &made.webhook.id, &EventKind::ALL, after.as_ref(), 2);
        let page = page.unwrap().unwrap();
        paged.extend(page.deliveries);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(paged, all);
}

pub(crate) fn old_events_are_removed_unless_a_delivery_is_pending(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let made = hook(&world, &org, &[EventKind::RunFailed]);
    let waiting = test(stores, &world, &made, 1);
    let first = claim(stores, 1).unwrap();
    let delivered = test(stores, &world, &made, 2);
    let second = claim(stores, 2).unwrap();
    assert_eq!(second.id, delivered.id);
    assert_eq!(
        finish(stores, &second, Verdict::Delivered, 3),
        LeaseStatus::Held
    );
    let new = test(stores, &world, &made, 100);
    let other = world.org();
    let removed = |org, rows| {
        let removed = stores.remove_events(org, at(50), rows).unwrap();
        (removed.count, removed.is_all)
    };
    assert_eq!(removed(&other, 10), (0, true));
    assert_eq!(removed(&org, 10), (1, true));
    assert_eq!(removed(&org, 10), (0, true));
    let left: Vec<_> = listed(stores, &made)
        .into_iter()
        .map(|known| known.id)
        .collect();
    assert_eq!(left, [new.id, waiting.id]);
    assert_eq!(stores.events(&org).unwrap().len(), 2);
    assert_eq!(
        finish(stores, &first, Verdict::Delivered, 51),
        LeaseStatus::Held
    );
    assert_eq!(removed(&org, 10), (1, true));
}

pub(crate) fn far_future_due_times_of_a_wrong_clock_are_repaired(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let hook = hook(&world, &org, &[EventKind::RunCompleted]);
    let test = |second: i64| {
        let (id, event) = (&hook.webhook.id, EventId::make(&world.ids));
        let made = stores.test_webhook(&org, id, &event, at(second), &BY);
        made.unwrap().unwrap()
    };
    let (usual, ahead) = (test(100), test(9_000));
    let forward = || stores.bring_deliveries_forward(at(500), at(50)).unwrap();
    assert_eq!((forward(), forward()), (1, 0));
    let due = |id: &DeliveryId| {
        let mut all = listed(stores, &hook).into_iter();
        all.find(|one| one.id == *id).unwrap().next_attempt_at
    };
    assert_eq!(
        (due(&usual.id), due(&ahead.id)),
        (Some(at(100)), Some(at(50)))
    );
    assert_eq!(claim(stores, 60).unwrap().id, ahead.id);
    assert_eq!(claim(stores, 60), None);
}
