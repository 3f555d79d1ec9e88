//! Jobs that are claimed in the order in which they become due.

use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::id::{OrgId, SiteId};
use domain::plan::PlanLimits;
use domain::ports::{JobClaim, JobKind, LeaseStatus, Stores};
use domain::schedule::{Frequency, ScheduleChange, Timetable};
use testkit::sample;

use crate::contract::world::{Fixture, at, at_once, worker};

const LEASE: TimeDelta = TimeDelta::seconds(30);

/// Claims a retention sweep. Each organization has one, due when the organization was created, at noon.
fn claim(stores: &dyn Stores, name: &str, second: i64) -> Option<JobClaim> {
    let claimed = stores.claim_job(JobKind::Retention, &worker(name), LEASE, at(second));
    claimed.unwrap()
}

pub(crate) fn an_organization_is_swept_at_once_and_has_one_job(stores: &dyn Stores) {
    assert_eq!(stores.has_due_jobs(at(0)), Ok(false));
    let (world, first) = Fixture::with_org(stores);
    let second = world.org();
    assert_eq!(stores.has_due_jobs(at(-1)), Ok(false));
    assert_eq!(stores.has_due_jobs(at(0)), Ok(true));
    let expected = |org: &OrgId| JobClaim {
        kind: JobKind::Retention,
        subject: org.to_string(),
        org_id: org.clone(),
        worker: worker("a"),
        epoch: 1,
        due_at: at(0),
        attempt: 1,
    };
    // Due at the same time, in the order of their ids.
    assert_eq!(claim(stores, "a", -1), None);
    assert_eq!(claim(stores, "a", 0), Some(expected(&first)));
    assert_eq!(claim(stores, "a", 0), Some(expected(&second)));
    assert_eq!(claim(stores, "a", 0), None);
    assert_eq!(stores.has_due_jobs(at(0)), Ok(false));
}

pub(crate) fn of_claims_at_once_each_gets_another_job(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let mut orgs = vec![org.to_string()];
    orgs.extend((0..3).map(|_| world.org().to_string()));
    let mut got: Vec<_> = at_once(8, |number| claim(stores, &format!("w{number}"), 2))
        .into_iter()
        .flatten()
        .collect();
    // PostgreSQL skips one that another transaction is claiming.
    got.extend(std::iter::from_fn(|| claim(stores, "last", 3)));
    let mut claimed: Vec<_> = got.into_iter().map(|claim| claim.subject).collect();
    claimed.sort();
    orgs.sort();
    assert_eq!(claimed, orgs);
}

pub(crate) fn a_claim_ends_with_its_lease_and_counts(stores: &dyn Stores) {
    let (_world, _org) = Fixture::with_org(stores);
    let first = claim(stores, "a", 0).unwrap();
    assert_eq!(claim(stores, "b", 29), None);
    assert_eq!(stores.has_due_jobs(at(29)), Ok(false));
    assert_eq!(stores.has_due_jobs(at(30)), Ok(true));
    let second = claim(stores, "b", 30).unwrap();
    assert_eq!((first.epoch, first.attempt), (1, 1));
    assert_eq!((second.epoch, second.attempt), (2, 2));
    assert_eq!(stores.end_job(&first), Ok(LeaseStatus::Lost));
    // Late, but no other worker took over.
    assert_eq!(stores.end_job(&second), Ok(LeaseStatus::Held));
    assert_eq!(stores.end_job(&second), Ok(LeaseStatus::Lost));
    assert_eq!(claim(stores, "a", 1_000), None);
}

pub(crate) fn a_renewed_lease_goes_on(stores: &dyn Stores) {
    let (_world, _org) = Fixture::with_org(stores);
    let held = claim(stores, "a", 0).unwrap();
    assert_eq!(
        stores.renew_job(&held, LEASE, at(20)),
        Ok(LeaseStatus::Held)
    );
    assert_eq!(claim(stores, "b", 49), None);
    assert!(claim(stores, "b", 50).is_some());
    assert_eq!(
        stores.renew_job(&held, LEASE, at(51)),
        Ok(LeaseStatus::Lost)
    );
}

pub(crate) fn a_failed_job_backs_off(stores: &dyn Stores) {
    let (_world, _org) = Fixture::with_org(stores);
    let mut now = 0;
    for (attempt, wait) in (1..).zip([1, 2, 4, 8, 16, 32, 60, 60]) {
        let held = claim(stores, "a", now).unwrap();
        assert_eq!(held.attempt, attempt);
        assert_eq!(stores.retry_job(&held, at(now)), Ok(LeaseStatus::Held));
        assert_eq!(claim(stores, "a", now + wait - 1), None);
        now += wait;
    }
}

pub(crate) fn a_job_that_was_postponed_is_due_then(stores: &dyn Stores) {
    let (_world, _org) = Fixture::with_org(stores);
    let failed = claim(stores, "a", 0).unwrap();
    assert_eq!(stores.retry_job(&failed, at(0)), Ok(LeaseStatus::Held));
    let held = claim(stores, "a", 1).unwrap();
    assert_eq!(held.attempt, 2);
    assert_eq!(stores.postpone_job(&held, at(100)), Ok(LeaseStatus::Held));
    assert_eq!(stores.postpone_job(&held, at(50)), Ok(LeaseStatus::Lost));
    assert_eq!(claim(stores, "a", 99), None);
    let next = claim(stores, "a", 100).unwrap();
    assert_eq!((next.epoch, next.attempt), (3, 1));
}

pub(crate) fn a_claim_that_is_lost_changes_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let held = claim(stores, "a", 0).unwrap();
    let forged = [
        JobClaim {
            epoch: 2,
            ..held.clone()
        },
        JobClaim {
            worker: worker("b"),
            ..held.clone()
        },
        JobClaim {
            kind: JobKind::Schedule,
            ..held.clone()
        },
        JobClaim {
            org_id: world.org(),
            ..held.clone()
        },
        JobClaim {
            subject: world.org().to_string(),
            ..held.clone()
        },
    ];
    for claim in &forged {
        assert_eq!(stores.renew_job(claim, LEASE, at(1)), Ok(LeaseStatus::Lost));
        assert_eq!(stores.postpone_job(claim, at(1)), Ok(LeaseStatus::Lost));
        assert_eq!(stores.retry_job(claim, at(1)), Ok(LeaseStatus::Lost));
        assert_eq!(stores.end_job(claim), Ok(LeaseStatus::Lost));
    }
    assert_eq!(stores.release_jobs(), Ok(1));
    assert_eq!(stores.release_jobs(), Ok(0));
    assert_eq!(stores.end_job(&held), Ok(LeaseStatus::Lost));
    // Its worker died, which counts as a failed attempt.
    let again = claim(stores, "b", 1).unwrap();
    assert_eq!((again.subject, again.attempt), (org.to_string(), 2));
}

pub(crate) fn a_job_is_expedited_even_while_leased(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let expedite = |second| {
        let (kind, subject) = (JobKind::Retention, org.as_str());
        stores.expedite_job(kind, subject, at(second)).unwrap();
    };
    let held = claim(stores, "a", 0).unwrap();
    expedite(1);
    assert_eq!(claim(stores, "b", 2), None, "one works on it");
    // It is due again immediately, and then at the time to which it was postponed.
    assert_eq!(stores.postpone_job(&held, at(100)), Ok(LeaseStatus::Held));
    let held = claim(stores, "b", 2).unwrap();
    assert_eq!((held.due_at, held.attempt), (at(1), 1));
    expedite(3);
    assert_eq!(stores.retry_job(&held, at(100)), Ok(LeaseStatus::Held));
    let held = claim(stores, "b", 3).unwrap();
    assert_eq!(stores.postpone_job(&held, at(100)), Ok(LeaseStatus::Held));
    expedite(200);
    assert_eq!(claim(stores, "a", 99), None, "it is never due later");
    expedite(50);
    assert_eq!(claim(stores, "a", 49), None);
    let held = claim(stores, "a", 50).unwrap();
    // Another plan may have shorter retention periods.
    assert_eq!(stores.postpone_job(&held, at(1_000)), Ok(LeaseStatus::Held));
    let by = Actor::CommandLine;
    assert_eq!(stores.set_plan(&org, "small", at(60), &by), Ok(true));
    assert!(claim(stores, "a", 60).is_some());
    drop(world);
}

pub(crate) fn times_too_far_ahead_are_repaired(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    for (ahead, second) in [(true, 9_000), (false, 100)] {
        let held = claim(stores, "a", 0).unwrap();
        assert_eq!(held.org_id == org, ahead);
        assert_eq!(
            stores.postpone_job(&held, at(second)),
            Ok(LeaseStatus::Held)
        );
    }
    let repair = || {
        let repaired = stores.repair_job_times(JobKind::Retention, at(500), at(50));
        repaired.unwrap()
    };
    assert_eq!((repair(), repair()), (1, 0));
    assert_eq!(stores.repair_job_times(JobKind::Brief, at(0), at(0)), Ok(0));
    let held = claim(stores, "a", 50).unwrap();
    assert_eq!(held.org_id, org);
    assert_eq!(stores.end_job(&held), Ok(LeaseStatus::Held));
    assert_eq!(claim(stores, "a", 99), None);
    assert_eq!(claim(stores, "a", 100).unwrap().org_id, other);
}

pub(crate) fn a_job_is_removed_with_its_subject(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let new = sample::new_run(&world.ids, "https://example.com/").new_site;
    let made = stores.create_site(&org, &new, PlanLimits::default(), at(0), &by);
    assert_eq!(made, Ok(()));
    let timetable = Timetable::new(Frequency::Daily, "UTC").unwrap();
    let set = |enabled, next| {
        let timetable = timetable.clone();
        let change = ScheduleChange { enabled, timetable };
        let set = stores.set_schedule(&org, &new.id, &change, next, at(0), &by);
        assert!(set.unwrap().is_some());
    };
    let due = |second| {
        let claimed = stores.claim_job(JobKind::Schedule, &worker("a"), LEASE, at(second));
        let claim = claimed.unwrap()?;
        assert_eq!(SiteId::parse(&claim.subject), Some(new.id.clone()));
        Some(claim)
    };
    set(true, Some(at(10)));
    let held = due(10).unwrap();
    // Setting the schedule again takes the job from the worker that holds it.
    set(true, Some(at(20)));
    assert_eq!(stores.end_job(&held), Ok(LeaseStatus::Lost));
    assert_eq!(due(19), None);
    let held = due(20).unwrap();
    set(false, None);
    assert_eq!(stores.postpone_job(&held, at(21)), Ok(LeaseStatus::Lost));
    assert_eq!(due(1_000), None);
    set(true, Some(at(30)));
    assert_eq!(stores.delete_site(&org, &new.id, at(31), &by), Ok(true));
    assert_eq!(due(1_000), None);
}

pub(crate) fn a_schedule_whose_job_is_due_too_late_is_repaired(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let by = Actor::CommandLine;
    let timetable = Timetable::new(Frequency::Daily, "UTC").unwrap();
    let mut sites = Vec::new();
    for (host, next) in [("a", 10), ("b", 9_000)] {
        let url = format!("https://{host}.example/");
        let new = sample::new_run(&world.ids, &url).new_site;
        let made = stores.create_site(&org, &new, PlanLimits::default(), at(0), &by);
        assert_eq!(made, Ok(()));
        let change = ScheduleChange {
            enabled: true,
            timetable: timetable.clone(),
        };
        let set = stores.set_schedule(&org, &new.id, &change, Some(at(next)), at(0), &by);
        assert!(set.unwrap().is_some());
        sites.push(new.id.to_string());
    }
    let due = |second| {
        let claimed = stores.claim_job(JobKind::Schedule, &worker("a"), LEASE, at(second));
        claimed.unwrap()
    };
    // A start that failed while the clock was far ahead.
    let held = due(10).unwrap();
    assert_eq!(stores.retry_job(&held, at(8_000)), Ok(LeaseStatus::Held));
    assert_eq!(due(100), None);
    let repaired = stores.repair_job_times(JobKind::Schedule, at(160), at(100));
    assert_eq!(repaired, Ok(1), "the other one is due when its schedule is");
    assert_eq!(due(100).map(|claim| claim.subject), sites.first().cloned());
    assert_eq!(due(100), None);
}

pub(crate) fn deliveries_have_jobs_as_long_as_they_wait(stores: &dyn Stores) {
    use domain::event::EventKind;
    use domain::id::{EventId, WebhookId};
    use domain::ports::{DeliveryFairness, NewWebhook};
    use domain::webhook::{Webhook, WebhookSecret, WebhookState};

    let (world, org) = Fixture::with_org(stores);
    let held = claim(stores, "a", 0).unwrap();
    assert_eq!(
        stores.postpone_job(&held, at(10_000)),
        Ok(LeaseStatus::Held)
    );
    let (by, id) = (Actor::CommandLine, WebhookId::make(&world.ids));
    let new = NewWebhook {
        webhook: Webhook {
            id: id.clone(),
            org_id: org.clone(),
            url: "https://hooks.example/".to_owned(),
            events: [EventKind::RunFailed].into(),
            state: WebhookState::Enabled,
            created_at: at(0),
            updated_at: at(0),
        },
        secret: WebhookSecret::make(&world.ids),
    };
    stores.create_webhook(&org, &new, &by).unwrap();
    let test = || {
        let event = EventId::make(&world.ids);
        let sent = stores.test_webhook(&org, &id, &event, at(1), &by);
        assert!(sent.unwrap().is_some());
    };
    let claim = || {
        let turns = DeliveryFairness::default();
        let claimed = stores.claim_delivery(&worker("a"), LEASE, &turns, at(2));
        claimed.unwrap()
    };
    // For any kind of claim: only the row matters.
    let waiting = || {
        let claim = || stores.claim_job(JobKind::Delivery, &worker("b"), LEASE, at(2));
        let count = std::iter::from_fn(|| claim().unwrap()).count();
        stores.release_jobs().unwrap();
        count
    };
    assert_eq!(waiting(), 0);
    test();
    test();
    assert_eq!(waiting(), 2);
    // They may have to wait for their receivers, so no worker is woken for them.
    assert_eq!(stores.has_due_jobs(at(2)), Ok(false));
    let cancelled = stores.cancel_delivery(&claim().unwrap(), at(3));
    assert_eq!(cancelled, Ok(LeaseStatus::Held));
    assert_eq!(waiting(), 1);
    assert_eq!(stores.delete_webhook(&org, &id, at(4), &by), Ok(true));
    assert_eq!(waiting(), 0);
    assert_eq!(claim(), None);
}
