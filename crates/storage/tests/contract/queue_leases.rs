//! How long a lease is valid, and what happens after it.

use chrono::TimeDelta;
use domain::id::RunId;
use domain::ports::{Claim, LeaseStatus, QueueRules, ReportDetail, Stores};
use domain::run::{Run, RunError, RunPhase, RunProgress, RunState};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, blocked, causes, occurrences, worker};

const HALF_WAY: RunProgress = RunProgress {
    phase: RunPhase::Crawling,
    pages_discovered: 20,
    pages_fetched: 11,
    pages_audited: 10,
    pages_rendered: 9,
    pages_measured: None,
    seconds_left: None,
    percent: 50,
};

fn beat(stores: &dyn Stores, claim: &Claim, second: i64) -> LeaseStatus {
    let held = stores.heartbeat(claim, &HALF_WAY, &RULES, at(second));
    held.unwrap()
}

pub(crate) fn a_lease_that_has_run_out_is_retaken(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    let second = world.claim(at(31));
    let expected = Claim {
        epoch: 2,
        alone: true,
        deadline_at: at(31) + RULES.deadline,
        ..first.clone()
    };
    assert_eq!(second, expected);
    assert_eq!(beat(stores, &first, 32), LeaseStatus::Lost);
    assert_eq!(beat(stores, &second, 32), LeaseStatus::Held);
}

pub(crate) fn a_heartbeat_renews_the_lease(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    for second in [10, 20, 30, 40, 50] {
        assert_eq!(beat(stores, &claim, second), LeaseStatus::Held);
    }
    assert_eq!(world.try_claim(at(79)), None);
    assert_eq!(world.claim(at(80)).epoch, 2);
}

pub(crate) fn a_lease_is_valid_until_its_last_moment(stores: &dyn Stores) {
    let (world, _, _) = Fixture::with_claim(stores);
    let almost = at(30) - TimeDelta::milliseconds(1);
    assert_eq!(world.try_claim(almost), None);
    assert_eq!(world.claim(at(30)).epoch, 2);
}

pub(crate) fn a_late_heartbeat_holds_while_nobody_took_over(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    assert_eq!(beat(stores, &claim, 100), LeaseStatus::Held);
    assert_eq!(world.try_claim(at(129)), None);
}

/// Every write under the claim is rejected as lost, and changes nothing.
fn assert_lost(world: &Fixture<'_>, claim: &Claim) {
    let stores = world.stores;
    let before = stores.run(&claim.org_id, &claim.run_id).unwrap();
    let usage = world.usage(&claim.org_id, at(0));
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let batch = occurrences(&completed.reports);
    assert_eq!(beat(stores, claim, 40), LeaseStatus::Lost);
    let lost = [
        stores.write_causes(claim, &causes(&completed.reports)),
        stores.write_occurrences(claim, &batch[..30]),
        stores.complete(claim, &completed, &world.ids, at(40)),
        stores.fail(claim, &RunError::internal(), at(40)),
        stores.hand_back(claim, domain::ports::HandBack::Stopped, at(40)),
    ];
    assert_eq!(lost, [(); 5].map(|()| Ok(LeaseStatus::Lost)));
    let after = stores.run(&claim.org_id, &claim.run_id).unwrap();
    assert_eq!(after, before);
    assert_eq!(world.usage(&claim.org_id, at(0)), usage);
    for variant in [
        domain::report::Variant::Current,
        domain::report::Variant::Legacy,
    ] {
        let report = stores.report(
            &claim.org_id,
            &completed.report_id,
            variant,
            ReportDetail::Inline,
        );
        assert_eq!(report.unwrap(), None);
    }
}

pub(crate) fn a_stale_epoch_changes_nothing(stores: &dyn Stores) {
    let (world, org, stale) = Fixture::with_claim(stores);
    let current = world.claim(at(30));
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let written = causes(&completed.reports);
    assert_eq!(
        stores.write_causes(&current, &written).unwrap(),
        LeaseStatus::Held
    );
    let all = occurrences(&completed.reports);
    assert_eq!(
        stores.write_occurrences(&current, &all).unwrap(),
        LeaseStatus::Held
    );
    assert_lost(&world, &stale);
    // The lease and the occurrences are those of the worker that took over.
    assert_eq!(world.try_claim(at(59)), None);
    let held = stores
        .complete(&current, &completed, &world.ids, at(59))
        .unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let report = stores.report(
        &org,
        &completed.report_id,
        domain::report::Variant::Current,
        ReportDetail::Inline,
    );
    let issues = report.unwrap().unwrap().report.issues;
    let mut causes = issues.iter().flat_map(|issue| &issue.causes);
    assert!(causes.all(|cause| !cause.occurrences.is_empty()));
    // A write with a future epoch is rejected too.
    world.start(&org, "https://example.com/");
    let claim = world.claim(at(60));
    assert_lost(&world, &Claim { epoch: 2, ..claim });
}

pub(crate) fn an_ended_run_takes_no_writes(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    world.complete(&claim, &sample::audit_result(), at(5));
    assert_lost(&world, &claim);
    world.start(&org, "https://example.com/");
    let claim = world.claim(at(0));
    assert_eq!(
        stores.fail(&claim, &blocked(), at(5)).unwrap(),
        LeaseStatus::Held
    );
    assert_lost(&world, &claim);
    assert_eq!(world.try_claim(at(1_000)), None);
}

pub(crate) fn a_claim_on_an_unknown_run_is_lost(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    let run_id = RunId::make(&world.ids);
    assert_lost(&world, &Claim { run_id, ..claim });
}

pub(crate) fn a_run_handed_back_is_claimed_at_once(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    assert_eq!(beat(stores, &first, 1), LeaseStatus::Held);
    let before = world.run(&first);
    assert_eq!(
        stores
            .hand_back(&first, domain::ports::HandBack::Stopped, at(2))
            .unwrap(),
        LeaseStatus::Held
    );
    // It stays running.
    let handed_back: Run = world.run(&first);
    assert_eq!(handed_back, before);
    let next = stores
        .claim(&worker("w1-2"), &RULES, at(2))
        .unwrap()
        .unwrap();
    assert_eq!((next.epoch, next.attempt), (2, 1));
    assert_eq!(beat(stores, &first, 3), LeaseStatus::Lost);
    let running = RunState::Running { started_at: at(0) };
    assert_eq!(world.state(&next), running);
}

pub(crate) fn handing_back_costs_no_attempt(stores: &dyn Stores) {
    let (world, org, mut claim) = Fixture::with_claim(stores);
    for epoch in 2..10 {
        assert_eq!(
            stores
                .hand_back(&claim, domain::ports::HandBack::Stopped, at(0))
                .unwrap(),
            LeaseStatus::Held
        );
        assert_eq!(stores.reap(&RULES, at(0)).unwrap().given_up, 0);
        claim = world.claim(at(0));
        assert_eq!((claim.epoch, claim.attempt), (epoch, 1));
    }
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn a_run_handed_back_keeps_its_place(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://b.example/", at(1));
    let claim = world.claim(at(10));
    assert_eq!(
        stores
            .hand_back(&claim, domain::ports::HandBack::Stopped, at(11))
            .unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(world.claim(at(12)).run_id, first.run_id);
}

pub(crate) fn a_claim_that_was_given_back_is_lost(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    assert_eq!(
        stores
            .hand_back(&claim, domain::ports::HandBack::Stopped, at(1))
            .unwrap(),
        LeaseStatus::Held
    );
    assert_lost(&world, &claim);
    // The attempt was not handed back twice either.
    let claim = world.claim(at(40));
    assert_eq!(claim.attempt, 1);
    assert_eq!(stores.release_all(at(40)).unwrap(), 1);
    assert_lost(&world, &claim);
    assert_eq!(world.claim(at(40)).attempt, 1);
}

pub(crate) fn releasing_gives_back_the_runs_of_all_workers(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    assert_eq!(stores.release_all(at(0)).unwrap(), 0);
    for _ in 0..3 {
        world.start(&org, "https://example.com/");
    }
    let held = [
        world.claim(at(1)),
        stores
            .claim(&worker("w1-2"), &RULES, at(1))
            .unwrap()
            .unwrap(),
    ];
    assert_eq!(stores.release_all(at(2)).unwrap(), 2);
    assert_eq!(stores.release_all(at(2)).unwrap(), 0);
    let running = RunState::Running { started_at: at(1) };
    assert_eq!(world.state(&held[0]), running);
    let mut retaken = [(); 3].map(|()| {
        let claim = world.claim(at(2));
        assert_eq!(
            stores.fail(&claim, &blocked(), at(2)).unwrap(),
            LeaseStatus::Held
        );
        claim
    });
    retaken.sort_by(|one, other| one.run_id.cmp(&other.run_id));
    assert_eq!(retaken[0].run_id, held[0].run_id);
    assert_eq!(retaken[1].run_id, held[1].run_id);
    assert_eq!(retaken[2].epoch, 1);
    for claim in &held {
        assert_eq!(beat(stores, claim, 3), LeaseStatus::Lost);
    }
}

pub(crate) fn attempts_are_counted_and_end(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    assert_eq!(first.attempt, 1);
    world.fault(&first, at(1));
    for attempt in [2, 3] {
        let claim = world.claim(at(2));
        assert_eq!((claim.attempt, claim.alone), (attempt, false));
        world.fault(&claim, at(3));
    }
    assert_eq!(world.try_claim(at(300)), None);
    // As many as the rules allow.
    let patient = QueueRules {
        max_attempts: 4,
        ..RULES
    };
    let claim = stores.claim(&worker("w1"), &patient, at(300)).unwrap();
    assert_eq!(claim.unwrap().attempt, 4);
}
