//! How runs end.

use chrono::TimeDelta;
use domain::FailureCode;
use domain::ports::{Claim, LeaseStatus, QueueRules, Reaped, ReportDetail, StoreError, Stores};
use domain::report::Variant;
use domain::run::{RunError, RunState, RunStatus};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, at_once, blocked, occurrences};

/// A lease as long as the deadline, so that a single worker can pass the deadline.
const LONG_LEASE: QueueRules = QueueRules {
    lease: TimeDelta::minutes(20),
    ..RULES
};

fn claim_for_long(world: &Fixture<'_>, second: i64) -> Claim {
    let name = crate::contract::world::worker("w1");
    let claim = world.stores.claim(&name, &LONG_LEASE, at(second)).unwrap();
    claim.unwrap()
}

fn reap(stores: &dyn Stores, second: i64) -> (u64, u64) {
    let Reaped {
        past_deadline,
        given_up,
    } = stores.reap(&RULES, at(second)).unwrap();
    (past_deadline, given_up)
}

pub(crate) fn completing_is_seen_everywhere(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let completed = world.complete(&claim, &sample::audit_result(), at(5));
    let run = world.run(&claim);
    assert_eq!(run.progress, completed.progress);
    assert_eq!(run.state.status(), RunStatus::Completed);
    assert_eq!(run.report_id(), Some(&completed.report_id));
    let site = stores.sites(&org, Variant::Current).unwrap().remove(0);
    assert_eq!(site.latest_run, Some(run));
    assert_eq!(site.latest_scores, Some(completed.reports.scores()));
    assert_eq!(world.try_claim(at(10_000)), None);
    assert_eq!(reap(stores, 10_000), (0, 0));
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
}

pub(crate) fn completing_twice_is_lost(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let first = world.complete(&claim, &sample::audit_result(), at(5));
    let again = sample::completed_run(&world.ids, &sample::audit_result());
    for completed in [&first, &again] {
        let held = stores
            .complete(&claim, completed, &world.ids, at(6))
            .unwrap();
        assert_eq!(held, LeaseStatus::Lost);
    }
    assert_eq!(world.run(&claim).report_id(), Some(&first.report_id));
    let report = stores.report(
        &org,
        &again.report_id,
        Variant::Current,
        ReportDetail::Inline,
    );
    assert_eq!(report.unwrap(), None);
}

pub(crate) fn a_report_id_is_used_once(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let first = world.complete(&claim, &sample::audit_result(), at(5));
    world.start(&org, "https://example.com/");
    let claim = world.claim(at(6));
    let before = world.run(&claim);
    let again = stores.complete(&claim, &first, &world.ids, at(7));
    assert!(matches!(again, Err(StoreError::Failed(_))), "{again:?}");
    // The run is unchanged, and can be completed.
    assert_eq!(world.run(&claim), before);
    world.complete(&claim, &sample::clean_audit_result(), at(8));
}

pub(crate) fn failing_says_why(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let before = world.run(&claim);
    assert_eq!(
        stores.fail(&claim, &blocked(), at(5)).unwrap(),
        LeaseStatus::Held
    );
    let run = world.run(&claim);
    let expected = RunState::Failed {
        started_at: at(0),
        finished_at: at(5),
        error: blocked(),
    };
    assert_eq!(run.state, expected);
    assert_eq!(run.progress, before.progress);
    assert_eq!(
        stores.sites(&org, Variant::Current).unwrap()[0].latest_scores,
        None
    );
    assert_eq!(world.try_claim(at(10_000)), None);
    assert_eq!(reap(stores, 10_000), (0, 0));
}

pub(crate) fn failing_removes_the_occurrences(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    let completed = sample::completed_run(&world.ids, &sample::audit_result());
    let all = occurrences(&completed.reports);
    let held = stores.write_occurrences(&claim, &all[..100]).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    assert_eq!(
        stores.fail(&claim, &blocked(), at(5)).unwrap(),
        LeaseStatus::Held
    );
    let held = stores.write_occurrences(&claim, &all[..100]).unwrap();
    assert_eq!(held, LeaseStatus::Lost);
}

pub(crate) fn every_failure_comes_back(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for code in FailureCode::ALL {
        world.start(&org, "https://example.com/");
        let claim = world.claim(at(0));
        let message = format!("It ended with {code}.");
        let error = RunError { code, message };
        assert_eq!(
            stores.fail(&claim, &error, at(1)).unwrap(),
            LeaseStatus::Held
        );
        assert_eq!(world.state(&claim).error(), Some(&error));
    }
    // All except the run that failed with an internal error.
    let counted = u64::try_from(FailureCode::ALL.len()).unwrap() - 1;
    assert_eq!(world.usage(&org, at(0)).monthly_runs, counted);
}

pub(crate) fn a_run_past_its_deadline_is_reaped(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start(&org, "https://example.com/");
    let claim = claim_for_long(&world, 0);
    assert_eq!(reap(stores, 600), (0, 0));
    assert_eq!(reap(stores, 601), (1, 0));
    let expected = RunState::Failed {
        started_at: at(0),
        finished_at: at(601),
        error: RunError::past_deadline(),
    };
    assert_eq!(world.state(&claim), expected);
    // The site took that long, so the run counts.
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 1);
    let progress = world.run(&claim).progress;
    let held = stores.heartbeat(&claim, &progress, &LONG_LEASE, at(602));
    assert_eq!(held.unwrap(), LeaseStatus::Lost);
}

pub(crate) fn a_deadline_is_that_of_the_attempt(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    let second = claim_for_long(&world, 500);
    assert_eq!(second.run_id, first.run_id);
    // The first attempt's deadline is at 600, the second's at 1,100.
    assert_eq!(reap(stores, 1_100), (0, 0));
    assert_eq!(reap(stores, 1_101), (1, 0));
}

pub(crate) fn a_run_past_its_deadline_without_a_lease_is_claimed_again(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    assert_eq!(reap(stores, 700), (0, 0));
    let second = world.claim(at(700));
    assert_eq!((&second.run_id, second.epoch), (&first.run_id, 2));
    assert_eq!(
        stores
            .hand_back(&second, domain::ports::HandBack::Stopped, at(701))
            .unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(reap(stores, 2_000), (0, 0));
    assert_eq!(world.claim(at(2_000)).epoch, 3);
}

pub(crate) fn a_run_is_given_up_after_three_internal_failures(stores: &dyn Stores) {
    let (world, org, first) = Fixture::with_claim(stores);
    world.fault(&first, at(100));
    world.fault(&world.claim(at(100)), at(200));
    let last = world.claim(at(200));
    assert_eq!(last.attempt, 3);
    world.fault(&last, at(230));
    assert_eq!(reap(stores, 230), (0, 1));
    let expected = RunState::Failed {
        started_at: at(0),
        finished_at: at(230),
        error: RunError::internal(),
    };
    assert_eq!(world.state(&last), expected);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 0);
    assert_eq!(world.try_claim(at(1_000)), None);
}

pub(crate) fn reaping_again_changes_nothing(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://b.example/", at(1));
    let late = claim_for_long(&world, 500);
    let faulty = [510, 540, 570].map(|second| {
        let claim = world.claim(at(second));
        world.fault(&claim, at(second));
        claim
    });
    let killed = faulty[2].clone();
    assert_ne!(late.run_id, killed.run_id);
    assert_eq!(reap(stores, 1_101), (1, 1));
    let (late_state, killed_state) = (world.state(&late), world.state(&killed));
    let usage = world.usage(&org, at(0));
    assert_eq!(usage.monthly_runs, 1);
    assert_eq!(reap(stores, 1_101), (0, 0));
    assert_eq!(reap(stores, 9_999), (0, 0));
    assert_eq!(world.state(&late), late_state);
    assert_eq!(world.state(&killed), killed_state);
    assert_eq!(world.usage(&org, at(0)), usage);
}

pub(crate) fn reaping_leaves_the_others_alone(stores: &dyn Stores) {
    let (world, org, claim) = Fixture::with_claim(stores);
    let queued = world.start(&org, "https://a.example/");
    let (ended, _) = {
        let claim = world.claim(at(1));
        let completed = world.complete(&claim, &sample::clean_audit_result(), at(2));
        (claim, completed)
    };
    assert_eq!(ended.run_id, queued.run_id);
    let waiting = world.start(&org, "https://b.example/");
    let before = [&claim, &ended].map(|claim| world.run(claim));
    assert_eq!(reap(stores, 29), (0, 0));
    assert_eq!([&claim, &ended].map(|claim| world.run(claim)), before);
    let waiting = stores.run(&org, &waiting.run_id).unwrap().unwrap();
    assert_eq!(waiting.state, RunState::Queued);
    // A queued run never fails because of its waiting time.
    assert_eq!(reap(stores, 100_000), (0, 0));
    let waiting = stores.run(&org, &waiting.id).unwrap().unwrap();
    assert_eq!(waiting.state, RunState::Queued);
}

pub(crate) fn concurrent_reapers_end_each_run_once(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for _ in 0..4 {
        world.start(&org, "https://example.com/");
    }
    let last_attempt = QueueRules {
        max_attempts: 1,
        ..RULES
    };
    let claims = [(); 4].map(|()| world.claim(at(0)));
    claims.iter().for_each(|claim| world.fault(claim, at(1)));
    let reaped = at_once(6, |_| stores.reap(&last_attempt, at(30)).unwrap());
    let given_up: u64 = reaped.iter().map(|reaped| reaped.given_up).sum();
    assert_eq!(given_up, 4);
    assert_eq!(world.usage(&org, at(0)).monthly_runs, 0);
}
