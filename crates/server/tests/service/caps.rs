//! Plan limits under concurrent requests: exactly the allowed number succeeds. `scripts/prove caps` prints how often
//! that was tried.

use std::sync::Barrier;

use domain::id::OrgId;
use domain::plan::{Period, PlanLimits};
use domain::ports::{OrgStore, RunStore};
use rstest::rstest;
use serde_json::json;
use storage::{Database, DatabaseOptions, DatabaseUrl};
use testkit::{SequentialIds, sample};

use crate::{Client, Home, Kind, Service};

const ROUNDS: u16 = 10;
const CALLS: u16 = 50;
const PLANS: &str = "
[plans.runs]
monthly_runs = 3
paid = true
[plans.sites]
sites = 3
paid = true
[rate_limit]
enabled = false
[crawl]
external_links = \"skip\"
";

/// An organization with a plan and a key.
fn organization(home: &Home, service: &Service, plan: &str) -> (OrgId, Client) {
    let org = home.printed(&["orgs", "create", "Round"]);
    home.printed(&["plans", "set", "--org", &org, "--plan", plan]);
    let key = home.printed(&[
        "keys", "create", "--org", &org, "--name", "ci", "--role", "member",
    ]);
    (
        OrgId::parse(&org).unwrap(),
        Client::new(&service.address, &key),
    )
}

/// Starts `CALLS` audits concurrently; returns how many succeeded, and the responses of the others.
fn start_at_once(client: &Client, url: impl Fn(u16) -> String + Sync) -> (usize, Vec<String>) {
    let barrier = Barrier::new(CALLS.into());
    let answers: Vec<_> = std::thread::scope(|scope| {
        let (barrier, url) = (&barrier, &url);
        let calls: Vec<_> = (0..CALLS)
            .map(|number| {
                scope.spawn(move || {
                    barrier.wait();
                    let body = json!({ "url": url(number), "options": { "maxPages": 1 } });
                    client.post("/api/mcp/start-audit", &body)
                })
            })
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let passed = answers.iter().filter(|answer| answer.status == 202).count();
    let refused = answers.iter().filter(|answer| answer.status != 202);
    let mut reasons: Vec<_> = refused
        .map(|answer| format!("{} {}", answer.status, answer.body["reason"]))
        .collect();
    reasons.sort();
    reasons.dedup();
    (passed, reasons)
}

/// Nothing listens on these ports; each is a separate site.
fn url(port: u16) -> String {
    format!("http://127.0.0.1:{}/", 1 + port)
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn one_below_a_cap_exactly_one_of_fifty_starts_passes(#[case] kind: Kind) {
    let home = Home::new(kind);
    std::fs::write(home.path("assay.toml"), PLANS).unwrap();
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let mut passed_in_all = 0;
    for round in 0..ROUNDS {
        for (plan, reason) in [
            ("runs", "monthly_run_limit_hit"),
            ("sites", "site_limit_hit"),
        ] {
            let (_, client) = organization(&home, &service, plan);
            for before in 0..2 {
                let body = json!({ "url": url(1_000 + before) });
                let answer = client.post("/api/mcp/start-audit", &body);
                assert_eq!(answer.status, 202, "{answer:?}");
            }
            let (passed, reasons) = start_at_once(&client, url);
            assert_eq!(passed, 1, "{kind:?}, {plan}, round {round}");
            assert_eq!(reasons, [format!("403 \"{reason}\"")]);
            passed_in_all += passed;
        }
    }
    println!(
        "caps, {kind:?}: {ROUNDS} rounds for each of 2 caps, {CALLS} starts at once, {passed_in_all} passed of {}",
        2 * ROUNDS * CALLS
    );
}

/// Counter-test: limits checked before the transaction instead of in it let too many through, and the test detects
/// it.
#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn caps_checked_outside_the_transaction_let_too_many_through(#[case] kind: Kind) {
    let home = Home::new(kind);
    let org = OrgId::parse(&home.printed(&["orgs", "create", "Twin"])).unwrap();
    let url: DatabaseUrl = match &home.database {
        Some(database) => database.url().parse().unwrap(),
        None => DatabaseUrl::Sqlite(home.path("data").join("assay.db")),
    };
    let database = Database::connect(&url, &DatabaseOptions::default()).unwrap();
    let ids = SequentialIds::default();
    let limits = PlanLimits {
        sites: None,
        monthly_runs: Some(1),
        ..PlanLimits::default()
    };
    let barrier = Barrier::new(CALLS.into());
    let passed = std::thread::scope(|scope| {
        let (barrier, database, org, ids) = (&barrier, &database, &org, &ids);
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                scope.spawn(move || {
                    let run = sample::new_run(ids, "https://example.com/");
                    let usage = database.usage(org, Period::containing(run.now)).unwrap();
                    let is_allowed = limits.check(&usage, false).is_ok();
                    barrier.wait();
                    is_allowed && database.start_run(org, &run).is_ok()
                })
            })
            .collect();
        calls
            .into_iter()
            .map(|call| call.join().unwrap())
            .filter(|passed| *passed)
            .count()
    });
    println!(
        "caps, {kind:?}, twin without the transaction: {passed} of {CALLS} passed, 1 was allowed"
    );
    assert!(passed > 1);
}
