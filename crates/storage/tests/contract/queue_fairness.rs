//! Fairness: which run is claimed next, and which runs are skipped.

use domain::ports::{Claim, HandBack, LeaseStatus, QueueRules, RunModes, Stores};
use domain::run::Mode;

use crate::contract::world::{Fixture, RULES, at, at_once, blocked, worker};

fn claimed_by(stores: &dyn Stores, name: &str, second: i64) -> Option<Claim> {
    stores.claim(&worker(name), &RULES, at(second)).unwrap()
}

pub(crate) fn claims_are_fair_across_organizations(stores: &dyn Stores) {
    let (world, busy) = Fixture::with_org(stores);
    let [second, third] = [world.org(), world.org()];
    for _ in 0..4 {
        world.start_at(&busy, "https://a.example/", at(0));
    }
    world.start_at(&second, "https://b.example/", at(1));
    world.start_at(&second, "https://b.example/", at(2));
    world.start_at(&third, "https://c.example/", at(3));
    let turns = [(); 7].map(|()| world.claim(at(10)).org_id);
    let expected = [&busy, &second, &third, &busy, &second, &busy, &busy];
    assert_eq!(turns.each_ref(), expected);
}

pub(crate) fn a_run_of_another_organization_waits_for_one_slot(stores: &dyn Stores) {
    let (world, busy) = Fixture::with_org(stores);
    for _ in 0..50 {
        world.start_at(&busy, "https://a.example/", at(0));
    }
    let under_way = [(); 3].map(|()| world.claim(at(1)));
    let other = world.org();
    let run = world.start_at(&other, "https://b.example/", at(2));
    assert_eq!(
        stores.fail(&under_way[0], &blocked(), at(3)).unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(world.claim(at(3)).run_id, run.run_id);
}

pub(crate) fn an_organization_has_no_more_runs_under_way_than_is_allowed(stores: &dyn Stores) {
    let rules = QueueRules {
        runs_per_organization: Some(2),
        ..RULES
    };
    let (world, busy) = Fixture::with_org(stores);
    for _ in 0..4 {
        world.start_at(&busy, "https://a.example/", at(0));
    }
    let claim = |second| stores.claim(&worker("w1"), &rules, at(second)).unwrap();
    let has_work = |second| stores.has_work(&worker("w1"), &rules, at(second)).unwrap();
    let first = claim(1).unwrap();
    let second = claim(2).unwrap();
    assert_eq!((has_work(3), claim(3)), (false, None));
    // The other organizations are not blocked.
    let other = world.org();
    let run = world.start_at(&other, "https://b.example/", at(3));
    assert_eq!(claim(4).unwrap().run_id, run.run_id);
    assert_eq!(
        stores.fail(&first, &blocked(), at(5)).unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(claim(6).unwrap().org_id, busy);
    // A run without a lease does not count as running, and can be claimed again.
    assert_eq!(
        stores
            .hand_back(&second, domain::ports::HandBack::Stopped, at(7))
            .unwrap(),
        LeaseStatus::Held
    );
    assert_eq!(claim(8).unwrap().run_id, second.run_id);
    assert_eq!(claim(9), None);
    assert!(claim(100).is_some());
}

pub(crate) fn a_host_is_audited_by_one_process_at_a_time(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let rival = world.org();
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://a.example/two", at(1));
    world.start_at(&rival, "https://a.example/three", at(2));
    let first = claimed_by(stores, "here-1", 5).unwrap();
    for process in ["there-1", "there-2", "here"] {
        let asks = worker(process);
        let is_same = asks.process() == "here";
        assert_eq!(stores.has_work(&asks, &RULES, at(6)).unwrap(), is_same);
    }
    assert_eq!(claimed_by(stores, "there-1", 6), None);
    // Another host is free, also for a run that has waited for less time.
    let elsewhere = world.start_at(&org, "https://b.example/", at(7));
    assert_eq!(
        claimed_by(stores, "there-1", 8).unwrap().run_id,
        elsewhere.run_id
    );
    // Workers of one process share its rate limits.
    let second = claimed_by(stores, "here-2", 9).unwrap();
    assert_eq!(second.org_id, rival);
    for claim in [&first, &second] {
        assert_eq!(claimed_by(stores, "there-1", 10), None);
        assert_eq!(
            stores.fail(claim, &blocked(), at(10)).unwrap(),
            LeaseStatus::Held
        );
    }
    assert!(claimed_by(stores, "there-1", 11).is_some());
}

pub(crate) fn a_host_is_free_when_its_lease_has_run_out(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    world.start_at(&org, "https://a.example/", at(0));
    world.start_at(&org, "https://a.example/two", at(1));
    let first = claimed_by(stores, "here-1", 5).unwrap();
    assert_eq!(claimed_by(stores, "there-1", 34), None);
    let retaken = claimed_by(stores, "there-1", 35).unwrap();
    assert_eq!((&retaken.run_id, retaken.epoch), (&first.run_id, 2));
    assert_eq!(claimed_by(stores, "here-1", 36), None);
}

pub(crate) fn only_one_concurrent_process_gets_a_host(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    for round in 0..5 {
        let host = format!("https://host{round}.example/");
        for _ in 0..6 {
            world.start(&org, &host);
        }
        let claims = at_once(6, |process| {
            stores
                .claim(&worker(&format!("p{process}-1")), &RULES, at(1))
                .unwrap()
        });
        let claims: Vec<Claim> = claims.into_iter().flatten().collect();
        assert_eq!(claims.len(), 1, "{claims:#?}");
        while let Some(claim) = world.try_claim(at(100)) {
            assert_eq!(
                stores.fail(&claim, &blocked(), at(101)).unwrap(),
                LeaseStatus::Held
            );
        }
    }
}

pub(crate) fn a_store_has_work_where_a_run_can_be_claimed(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let has_work = |second| stores.has_work(&worker("w1"), &RULES, at(second)).unwrap();
    assert!(!has_work(0));
    world.start(&org, "https://example.com/");
    assert!(has_work(0));
    let claim = world.claim(at(0));
    assert!(!has_work(1));
    assert!(has_work(30));
    assert_eq!(
        stores.fail(&claim, &blocked(), at(31)).unwrap(),
        LeaseStatus::Held
    );
    assert!(!has_work(100));
}

pub(crate) fn a_process_leaves_runs_of_other_modes_to_others(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let claim = |name: &str, modes| {
        let rules = QueueRules { modes, ..RULES };
        let (worker, now) = (worker(name), at(100));
        let has_work = stores.has_work(&worker, &rules, now).unwrap();
        let claimed = stores.claim(&worker, &rules, now).unwrap();
        assert_eq!(has_work, claimed.is_some());
        claimed
    };
    let rendered = world.start_in(&org, "https://a.example/", Mode::Rendered);
    let auto = world.start_in(&org, "https://b.example/", Mode::Auto);
    assert_eq!(claim("api-1", RunModes::Static), None);
    let taken = claim("plain-1", RunModes::NotRendered).unwrap();
    assert_eq!(taken.run_id, auto.run_id);
    assert_eq!(claim("plain-1", RunModes::NotRendered), None);
    let taken = claim("browser-1", RunModes::All).unwrap();
    assert_eq!(taken.run_id, rendered.run_id);

    // The same for runs that are tried again alone.
    let now = at(101);
    assert_eq!(
        stores.hand_back(&taken, HandBack::Suspected, now).unwrap(),
        LeaseStatus::Held
    );
    let fixed = world.start_in(&org, "https://c.example/", Mode::Static);
    assert_eq!(
        claim("api-1", RunModes::Static).unwrap().run_id,
        fixed.run_id
    );
    let again = claim("browser-1", RunModes::All).unwrap();
    assert_eq!((again.run_id, again.alone), (taken.run_id, true));
}
