use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

use super::said;
use crate::{Client, Home, Kind, Service, site};

fn serve(home: &Home, target: &str) -> Service {
    let key_file = home.path("key");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bootstrap-key-file",
        key_file.to_str().unwrap(),
        "--allow-target",
        target,
    ];
    let mut command = home.command(&arguments);
    command.env("ASSAY_RETENTION__EVERY_SECONDS", "1");
    Service::start(command, &key_file)
}

fn runs(client: &Client) -> Vec<String> {
    let body = client.get("/api/mcp/runs?limit=200").body;
    let runs = body["runs"].as_array().unwrap();
    runs.iter()
        .map(|run| run["runId"].as_str().unwrap().to_owned())
        .collect()
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn old_runs_are_removed_while_the_service_runs(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = serve(&home, &site.target());
    let client = service.client();
    let all: Vec<_> = (0..3)
        .map(|_| {
            let run = client.start(site.url("/").as_str());
            client.ended(&run);
            run
        })
        .collect();
    let [first, second, last] = all.as_slice() else {
        panic!("{all:?}");
    };
    let usage = client.get("/api/mcp/account").body["plan"]["usage"].clone();
    // Two are past the retention period; the last is as old, but is the latest of its site.
    for run in &all {
        home.execute(&format!(
            "UPDATE runs SET created_at = '2020-01-0{} 00:00:00', started_at = '2020-01-09 00:00:00',
                             finished_at = '2020-01-09 00:00:00' WHERE id = '{run}'",
            1 + all.iter().position(|known| known == run).unwrap()
        ));
    }
    let end = Instant::now() + Duration::from_secs(60);
    while runs(&client).len() > 1 {
        assert!(Instant::now() < end, "{:?}", runs(&client));
        std::thread::yield_now();
    }
    assert_eq!(runs(&client), std::slice::from_ref(last));
    for gone in [first, second] {
        assert_eq!(client.get(&format!("/api/mcp/runs/{gone}")).status, 404);
    }
    let report = client.run(last)["reportId"].as_str().unwrap().to_owned();
    let report = client.get(&format!("/api/mcp/reports/{report}"));
    assert_eq!(report.status, 200);
    let sites = client.get("/api/mcp/sites").body;
    assert_eq!(sites["sites"][0]["latestRun"]["runId"], last.as_str());
    assert_eq!(
        sites["sites"][0]["latestScore"],
        report.body["overallScore"]
    );
    let mut left = client.get("/api/mcp/account").body["plan"]["usage"].take();
    assert!(left["storageBytes"].as_u64() < usage["storageBytes"].as_u64());
    left["storageBytes"] = usage["storageBytes"].clone();
    assert_eq!(left, usage);
    assert_eq!(service.stop().0, Some(0));
}

#[test]
fn an_organization_has_its_own_retention_over_that_of_its_plan() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(
        home.path("assay.toml"),
        "[retention]\naudit_log_days = 100\n[plans.team]\nreports_days = 90\n",
    )
    .unwrap();
    let org = home.printed(&["orgs", "create", "Acme", "--plan", "team"]);
    let set = |further: &[&str]| -> Value {
        let mut arguments = vec!["orgs", "set-retention", "--org", &org, "--json"];
        arguments.extend(further);
        serde_json::from_str(&home.printed(&arguments)).unwrap()
    };
    let held = set(&["--audit-log-days", "0"]);
    assert_eq!(
        (&held["reportsDays"], &held["auditLogDays"]),
        (&90.into(), &0.into())
    );
    let held = set(&["--reports-days", "7"]);
    assert_eq!(
        (&held["reportsDays"], &held["auditLogDays"]),
        (&7.into(), &0.into())
    );
    let held = set(&["--reports-days", "default", "--audit-log-days", "default"]);
    assert_eq!(
        (&held["reportsDays"], &held["auditLogDays"]),
        (&90.into(), &100.into())
    );
    for (wrong, status) in [
        (vec!["--org", &org], 2),
        (vec!["--org", &org, "--reports-days", "soon"], 2),
        (vec!["--org", &org, "--reports-days", "-1"], 2),
        (vec!["--org", &org, "--reports-days", "99999"], 2),
        (vec!["--org", "org_1", "--reports-days", "9"], 3),
    ] {
        let mut arguments = vec!["orgs", "set-retention"];
        arguments.extend(&wrong);
        let refused = home.run(&arguments);
        assert_eq!(
            refused.status.code(),
            Some(status),
            "{wrong:?}: {refused:?}"
        );
        assert!(!said(&refused).is_empty());
    }
}
