//! The headers of a run: a worker gets their values, all other readers only their names.

use std::collections::BTreeMap;

use domain::id::{OrgId, RunId};
use domain::ports::{Cancellation, LeaseStatus, NewRun, Stores};
use domain::report::Variant;
use domain::run::{HIDDEN, RequestHeaders, Run, RunFilter, RunOptions};
use testkit::sample;

use crate::contract::world::{Fixture, RULES, at, blocked};

const NAMES: [&str; 2] = ["authorization", "x-preview"];

fn headers(value: &str) -> RequestHeaders {
    let headers = NAMES.map(|name| (name.to_owned(), format!("{name} {value}")));
    RequestHeaders::stored(BTreeMap::from(headers))
}

fn start(world: &Fixture<'_>, org: &OrgId, value: &str, second: i64) -> RunId {
    let run = NewRun {
        options: RunOptions {
            headers: headers(value),
            ..RunOptions::with_max_pages(1)
        },
        now: at(second),
        ..sample::new_run(&world.ids, "https://example.com/")
    };
    world.stores.start_run(org, &run).unwrap().run_id
}

/// The run has the names of its headers, but no values.
fn assert_hidden(run: &Run) {
    let shown = run.options.headers.expose();
    let expected = NAMES.map(|name| (name.to_owned(), HIDDEN.to_owned()));
    assert_eq!(*shown, BTreeMap::from(expected), "{run:?}");
}

/// Every way to read the run returns only the names.
fn assert_hidden_everywhere(stores: &dyn Stores, org: &OrgId, id: &RunId) {
    let run = stores.run(org, id).unwrap().unwrap();
    assert_hidden(&run);
    let page = stores.runs(org, &RunFilter::default(), None, 100).unwrap();
    let listed = page.unwrap().runs;
    let history = stores.history(org, &run.site_id, 100).unwrap().unwrap();
    let history = history.into_iter().map(|entry| entry.run);
    let site = stores.site(org, &run.site_id, Variant::Current).unwrap();
    let sites = stores.sites(org, Variant::Current).unwrap();
    let latest = sites.into_iter().chain(site);
    let latest = latest.filter_map(|overview| overview.latest_run);
    let mut seen = 0;
    for found in listed.into_iter().chain(history).chain(latest) {
        assert_hidden(&found);
        seen += usize::from(found == run);
    }
    assert!(seen >= 2, "the run is in the list and in the history");
}

pub(crate) fn values_are_in_claims_and_nowhere_else(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let id = start(&world, &org, "one", 0);
    assert_hidden_everywhere(stores, &org, &id);
    let claim = world.claim(at(1));
    assert_eq!(claim.options.headers, headers("one"));
    assert_hidden_everywhere(stores, &org, &id);
    // Each run has its own headers.
    let other = start(&world, &org, "two", 2);
    let claim = world.claim(at(3));
    assert_eq!(claim.run_id, other);
    assert_eq!(claim.options.headers, headers("two"));
}

pub(crate) fn values_last_as_long_as_the_run(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let id = start(&world, &org, "one", 0);
    let first = world.claim(at(0));
    assert_eq!(
        stores
            .hand_back(&first, domain::ports::HandBack::Stopped, at(1))
            .unwrap(),
        LeaseStatus::Held
    );
    let second = world.claim(at(2));
    assert_eq!(second.options.headers, headers("one"));
    assert_eq!(stores.release_all(at(3)).unwrap(), 1);
    let third = world.claim(at(4));
    assert_eq!(third.options.headers, headers("one"));
    // Its worker dies.
    let fourth = world.claim(at(5) + RULES.lease);
    assert_eq!(fourth.options.headers, headers("one"));
    assert_hidden_everywhere(stores, &org, &id);
}

pub(crate) fn names_stay_when_a_run_has_ended(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let completed = start(&world, &org, "one", 0);
    world.complete(&world.claim(at(0)), &sample::audit_result(), at(1));
    let failed = start(&world, &org, "two", 2);
    let held = stores.fail(&world.claim(at(2)), &blocked(), at(3)).unwrap();
    assert_eq!(held, LeaseStatus::Held);
    let cancelled = start(&world, &org, "three", 4);
    for _ in 0..2 {
        match stores.cancel_run(&org, &cancelled, at(5)).unwrap().unwrap() {
            Cancellation::Done(run) | Cancellation::Before(run) => assert_hidden(&run),
            other => panic!("{other:?}"),
        }
    }
    let late = start(&world, &org, "four", 6);
    let claim = world.claim(at(6));
    let alive = stores.heartbeat(
        &claim,
        &domain::run::RunProgress::QUEUED,
        &RULES,
        claim.deadline_at,
    );
    assert_eq!(alive.unwrap(), LeaseStatus::Held);
    let reaped = stores.reap(&RULES, claim.deadline_at + RULES.lease / 2);
    assert_eq!(reaped.unwrap().past_deadline, 1);
    for id in [completed, failed, cancelled, late] {
        assert_hidden_everywhere(stores, &org, &id);
    }
}

pub(crate) fn options_of_every_kind_come_back(stores: &dyn Stores) {
    let (world, org) = Fixture::with_org(stores);
    let options = RunOptions {
        user_agent: Some("Somebody/1.0 '\"%".to_owned()),
        respect_robots: false,
        ..RunOptions::with_max_pages(1)
    };
    let new = NewRun {
        options: options.clone(),
        ..sample::new_run(&world.ids, "https://example.com/")
    };
    stores.start_run(&org, &new).unwrap();
    assert_eq!(world.claim(at(1)).options, options);
    let run = stores.run(&org, &new.id).unwrap().unwrap();
    assert_eq!(run.options, options);
}
