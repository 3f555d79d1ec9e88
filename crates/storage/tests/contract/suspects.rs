//! Suspects: runs that were running when a process died, and the cost of a crash.

use domain::FailureCode;
use domain::ports::{Claim, HandBack, LeaseStatus, QueueRules, Stores};
use domain::run::{INTERRUPTIONS, RunError, RunStatus};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, blocked, worker};

fn claimed_by(stores: &dyn Stores, name: &str, second: i64) -> Option<Claim> {
    let name = worker(name);
    let has_work = stores.has_work(&name, &RULES, at(second)).unwrap();
    let claim = stores.claim(&name, &RULES, at(second)).unwrap();
    assert_eq!(has_work, claim.is_some());
    claim
}

fn hand_back(stores: &dyn Stores, claim: &Claim, why: HandBack, second: i64) {
    let held = stores.hand_back(claim, why, at(second)).unwrap();
    assert_eq!(held, LeaseStatus::Held);
}

pub(crate) fn the_runs_of_a_process_that_died_are_tried_again_one_at_a_time(stores: &dyn Stores) {
    let (world, guilty) = Fixture::with_org(stores);
    let innocent = world.org();
    world.start_at(&guilty, "https://a.example/", at(0));
    world.start_at(&innocent, "https://b.example/", at(1));
    world.start_at(&innocent, "https://c.example/", at(2));
    let first = claimed_by(stores, "old-1", 3).unwrap();
    let second = claimed_by(stores, "old-2", 3).unwrap();
    assert!(!first.alone && !second.alone);
    assert_eq!(stores.release_all(at(4)).unwrap(), 2);

    let alone = claimed_by(stores, "new-1", 5).unwrap();
    assert_eq!(
        (&alone.run_id, alone.alone, alone.attempt, alone.crashes),
        (&first.run_id, true, 1, 0)
    );
    // Nothing runs beside it: neither the other suspect nor a queued run.
    assert_eq!(claimed_by(stores, "new-2", 5), None);
    world.complete(&alone, &sample::clean_audit_result(), at(6));
    let next = claimed_by(stores, "new-2", 6).unwrap();
    assert_eq!((&next.run_id, next.alone), (&second.run_id, true));
    assert_eq!(claimed_by(stores, "new-1", 6), None);
    world.complete(&next, &sample::clean_audit_result(), at(7));
    // The third one was never running.
    assert!(!claimed_by(stores, "new-1", 7).unwrap().alone);
}

pub(crate) fn a_run_whose_lease_ran_out_is_tried_again_alone(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://b.example/", at(1));
    let lost = claimed_by(stores, "dead-1", 2).unwrap();
    let alone = claimed_by(stores, "alive-1", 32).unwrap();
    assert_eq!((&alone.run_id, alone.alone), (&lost.run_id, true));
    assert_eq!(claimed_by(stores, "alive-2", 33), None);
    // It stays a suspect when its worker is stopped.
    hand_back(stores, &alone, HandBack::Stopped, 34);
    assert!(claimed_by(stores, "alive-2", 34).unwrap().alone);
}

pub(crate) fn other_processes_go_on_while_a_suspect_runs(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for host in ["a", "b", "c", "d"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(0));
    }
    let dead = [1, 2].map(|second| claimed_by(stores, "dead-1", second).unwrap());
    // The leases of the dead process have expired.
    let suspect = claimed_by(stores, "here-1", 40).unwrap();
    assert!(suspect.alone && dead.iter().any(|claim| claim.run_id == suspect.run_id));
    // The other suspect waits, even if a process has nothing else to do.
    let other = claimed_by(stores, "there-1", 41).unwrap();
    let more = claimed_by(stores, "there-2", 41).unwrap();
    assert!(!other.alone && !more.alone);
    assert_eq!(claimed_by(stores, "there-3", 41), None);
}

pub(crate) fn one_process_drains_for_a_suspect(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for host in ["a", "b", "c", "d", "e"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(0));
    }
    let lost = claimed_by(stores, "x-1", 1).unwrap();
    let busy = claimed_by(stores, "p-1", 20).unwrap();
    claimed_by(stores, "q-1", 20).unwrap();
    // From second 31 on the first run has no live lease.
    assert_eq!(claimed_by(stores, "p-2", 32), None);
    let goes_on = claimed_by(stores, "q-2", 32).unwrap();
    assert!(!goes_on.alone);
    assert_eq!(
        stores.fail(&busy, &blocked(), at(33)).unwrap(),
        LeaseStatus::Held
    );
    let suspect = claimed_by(stores, "p-2", 34).unwrap();
    assert_eq!((&suspect.run_id, suspect.alone), (&lost.run_id, true));
}

pub(crate) fn a_process_without_runs_takes_a_suspect_at_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for host in ["a", "b", "c"] {
        world.start_at(&org, &format!("https://{host}.example/"), at(0));
    }
    let lost = claimed_by(stores, "x-1", 1).unwrap();
    claimed_by(stores, "p-1", 20).unwrap();
    let suspect = claimed_by(stores, "idle-1", 32).unwrap();
    assert_eq!((&suspect.run_id, suspect.alone), (&lost.run_id, true));
    assert!(!claimed_by(stores, "p-2", 32).unwrap().alone);
}

pub(crate) fn a_dead_process_costs_no_attempt(stores: &dyn Stores) {
    let (world, org, mut claim) = Fixture::with_claim(stores);
    // Within the hour.
    for round in 1..=100 {
        assert_eq!(stores.release_all(at(round)).unwrap(), 1);
        assert_eq!(stores.reap(&RULES, at(round)).unwrap().given_up, 0);
        claim = world.claim(at(round));
        assert_eq!((claim.attempt, claim.crashes, claim.alone), (1, 0, true));
    }
    world.complete(&claim, &sample::clean_audit_result(), at(101));
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn a_run_that_is_interrupted_for_an_hour_is_given_up(stores: &dyn Stores) {
    let (world, org, _) = Fixture::with_claim(stores);
    for round in 1..=i64::from(INTERRUPTIONS) {
        assert_eq!(stores.release_all(at(round)).unwrap(), 1);
        world.claim(at(round));
    }
    assert_eq!(stores.release_all(at(3_599)).unwrap(), 1);
    assert_eq!(stores.reap(&RULES, at(3_599)).unwrap().given_up, 0);
    let asked = stores.has_work(&worker("w1"), &RULES, at(3_600)).unwrap();
    assert!(!asked);
    assert_eq!(stores.reap(&RULES, at(3_600)).unwrap().given_up, 1);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 0);
}

pub(crate) fn suspects_interrupted_least_come_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let first = world.start_at(&org, "https://a.example/", at(0)).run_id;
    let second = world.start_at(&org, "https://b.example/", at(1)).run_id;
    claimed_by(stores, "old-1", 2).unwrap();
    claimed_by(stores, "old-1", 2).unwrap();
    let mut tried = Vec::new();
    for round in 3..7 {
        stores.release_all(at(round)).unwrap();
        tried.push(claimed_by(stores, "new-1", round).unwrap().run_id);
    }
    assert_eq!(tried, [&first, &second, &first, &second].map(Clone::clone));
}

pub(crate) fn a_crash_is_charged_to_the_run(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    hand_back(stores, &claim, HandBack::Crashed, 1);
    let again = world.claim(at(2));
    assert_eq!(
        (again.crashes, again.attempt, again.alone, again.epoch),
        (1, 1, false, 2)
    );
    let error = RunError::resource_limit();
    assert_eq!(
        stores.fail(&again, &error, at(3)).unwrap(),
        LeaseStatus::Held
    );
    let state = world.state(&again);
    assert_eq!(state.status(), RunStatus::Failed);
    assert_eq!(state.error().unwrap().code, FailureCode::ResourceLimit);
    // It counts against the plan.
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn a_run_whose_process_was_killed_is_tried_again_alone(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    hand_back(stores, &claim, HandBack::Suspected, 1);
    let again = world.claim(at(2));
    assert_eq!((again.crashes, again.attempt, again.alone), (0, 1, true));
    hand_back(stores, &again, HandBack::Crashed, 3);
    let last = world.claim(at(4));
    assert_eq!((last.crashes, last.attempt, last.alone), (1, 1, true));
}

pub(crate) fn an_isolated_run_has_its_host_to_itself(stores: &dyn Stores) {
    let isolated = QueueRules {
        isolated_runs: true,
        ..RULES
    };
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://a.example/two", at(1));
    world.start_at(&org, "https://b.example/", at(2));
    let claim = |name: &str| stores.claim(&worker(name), &isolated, at(3)).unwrap();
    let first = claim("here-1").unwrap();
    let other = claim("here-2").unwrap();
    assert_eq!(other.url, "https://b.example/");
    assert_eq!(claim("here-3"), None);
    assert_eq!(
        stores.fail(&first, &blocked(), at(4)).unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(claim("here-3").unwrap().url, "https://a.example/two");
}

pub(crate) fn a_suspect_waits_while_its_organization_has_as_many_runs_as_it_may(
    stores: &dyn Stores,
) {
    let rules = QueueRules {
        runs_per_organization: Some(1),
        ..RULES
    };
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://b.example/", at(1));
    let claim = |name: &str, second| stores.claim(&worker(name), &rules, at(second)).unwrap();
    let lost = claim("x-1", 2).unwrap();
    hand_back(stores, &lost, HandBack::Suspected, 3);
    let alone = claim("p-1", 4).unwrap();
    assert_eq!((&alone.run_id, alone.alone), (&lost.run_id, true));
    assert_eq!(claim("q-1", 5), None);
    assert_eq!(
        stores.fail(&alone, &blocked(), at(6)).unwrap(),
        LeaseStatus::Held
    );
    assert!(claim("q-1", 7).is_some());
}
