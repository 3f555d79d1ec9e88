//! Claims and progress of runs.

use std::collections::BTreeSet;

use domain::ports::{Claim, LeaseStatus, Stores};
use domain::run::{RunPhase, RunProgress, RunState};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, at_once, worker};

pub(crate) fn an_empty_queue_has_nothing(stores: &dyn Stores) {
    let (world, _) = Fixture::with_org(stores);
    assert_eq!(world.try_claim(at(0)), None);
}

pub(crate) fn a_claim_says_what_is_to_be_done(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let new = sample::new_run(&world.ids, "https://www.example.com/shop?page=2");
    let started = stores.start_run(&org, &new).unwrap();
    let claim = world.claim(at(5));
    let expected = Claim {
        run_id: started.run_id,
        org_id: org,
        site_id: started.site_id,
        url: new.url,
        options: new.options,
        epoch: 1,
        attempt: 1,
        alone: false,
        crashes: 0,
        deadline_at: at(5) + RULES.deadline,
    };
    assert_eq!(claim, expected);
    let run = world.run(&claim);
    assert_eq!(run.state, RunState::Running { started_at: at(5) });
    assert_eq!(run.created_at, at(0));
}

pub(crate) fn a_run_is_claimed_once(stores: &dyn Stores) {
    let (world, _, _) = Fixture::with_claim(stores);
    assert_eq!(world.try_claim(at(0)), None);
    let other = stores.claim(&worker("w1-2"), &RULES, at(29)).unwrap();
    assert_eq!(other, None);
}

pub(crate) fn the_run_that_has_waited_longest_comes_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let other = world.org();
    let third = world.start_at(&org, "https://a.example/", at(3));
    let first = world.start_at(&other, "https://b.example/", at(1));
    let second = world.start_at(&org, "https://c.example/", at(2));
    for expected in [first, second, third] {
        assert_eq!(world.claim(at(10)).run_id, expected.run_id);
    }
    assert_eq!(world.try_claim(at(10)), None);
}

pub(crate) fn of_runs_queued_at_once_the_first_id_comes_first(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let runs = [(); 3].map(|()| sample::new_run(&world.ids, "https://example.com/"));
    for run in runs.iter().rev() {
        stores.start_run(&org, run).unwrap();
    }
    for run in &runs {
        assert_eq!(world.claim(at(10)).run_id, run.id);
    }
}

pub(crate) fn parallel_claims_never_give_the_same_run_twice(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let started: BTreeSet<_> = (0..40)
        .map(|number| {
            let url = format!("https://{}.example/", number % 5);
            world.start_at(&org, &url, at(number)).run_id
        })
        .collect();
    let claimed = at_once(10, |number| {
        let name = worker(&format!("w-{number}"));
        let next = || stores.claim(&name, &RULES, at(50)).unwrap();
        std::iter::from_fn(next).collect::<Vec<_>>()
    });
    let claimed = claimed.concat();
    assert_eq!(claimed.len(), 40);
    assert!(claimed.iter().all(|claim| claim.epoch == 1));
    let ids: BTreeSet<_> = claimed.into_iter().map(|claim| claim.run_id).collect();
    assert_eq!(ids, started);
}

pub(crate) fn progress_is_stored(stores: &dyn Stores) {
    let (world, _, claim) = Fixture::with_claim(stores);
    for (percent, phase) in (0..).zip(RunPhase::ALL) {
        let progress = RunProgress {
            phase,
            pages_discovered: 5_000_000_000,
            pages_fetched: 3,
            pages_audited: 2,
            pages_rendered: 1,
            pages_measured: (percent > 1).then_some(5_000_000_000),
            seconds_left: (percent > 2).then_some(0),
            percent,
        };
        let held = stores.heartbeat(&claim, &progress, &RULES, at(1)).unwrap();
        assert_eq!(held, LeaseStatus::Held);
        assert_eq!(world.run(&claim).progress, progress);
    }
    let running = RunState::Running { started_at: at(0) };
    assert_eq!(world.state(&claim), running);
}

pub(crate) fn the_first_claim_sets_when_a_run_started(stores: &dyn Stores) {
    let (world, _, first) = Fixture::with_claim(stores);
    let second = world.claim(at(100));
    assert_eq!(second.run_id, first.run_id);
    let running = RunState::Running { started_at: at(0) };
    assert_eq!(world.state(&second), running);
    assert_eq!(second.deadline_at, at(100) + RULES.deadline);
}

pub(crate) fn a_ready_store_says_so(stores: &dyn Stores) {
    stores.ready().unwrap();
    Fixture::with_claim(stores);
    stores.ready().unwrap();
}
