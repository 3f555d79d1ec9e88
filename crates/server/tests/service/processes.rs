//! Several processes on one database, and migrations.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;
use testkit::LoopbackServer;

use crate::shutdown::gated;
use crate::{Home, Kind, Service, page, site};

/// A running worker.
fn worker(home: &Home, further: &[&str]) -> Service {
    let mut arguments = vec!["worker"];
    arguments.extend(further);
    Service::start_until(home.command(&arguments), &home.path("key"), "working")
}

fn quick_site() -> LoopbackServer {
    LoopbackServer::start(|request| page(&request.target, "<p>Words</p>")).unwrap()
}

#[test]
fn a_worker_audits_what_a_service_without_workers_was_asked_to() {
    let (home, site) = (Home::new(Kind::Postgresql), site());
    let allow = ["--allow-target", &site.target()];
    let service = home.serve(&["--no-worker"]);
    // The worker allows the target, too; it validates targets itself.
    drop(service);
    let service = home.serve(&["--no-worker", "--allow-target", &site.target()]);
    let client = service.client();
    let queued = client.start(site.url("/").as_str());
    assert_eq!(client.run(&queued)["status"], "queued");
    let worker = worker(&home, &allow);
    assert_eq!(client.ended(&queued)["status"], "completed");
    // From now on the database notifies the worker; it does not depend on polling.
    let run = client.start(site.url("/").as_str());
    assert_eq!(client.ended(&run)["status"], "completed");
    let (status, log) = worker.stop();
    assert_eq!(status, Some(0), "{log}");
    assert_eq!(log.matches("run completed").count(), 2, "{log}");
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
    assert!(!log.contains("run started"), "{log}");
}

#[test]
fn a_run_of_another_process_is_cancelled_within_two_seconds() {
    let (home, (site, gate)) = (Home::new(Kind::Postgresql), gated());
    let service = home.serve(&["--no-worker", "--allow-target", &site.target()]);
    let worker = worker(&home, &["--allow-target", &site.target()]);
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    gate.wait_until_reached();
    let cancelled = client.send("POST", &format!("/api/mcp/runs/{run}/cancel"), "");
    assert_eq!(cancelled.status, 202, "{cancelled:?}");
    let began = Instant::now();
    worker.wait_for_log("run lease lost");
    assert!(began.elapsed() < Duration::from_secs(2));
    gate.open();
    let (status, log) = worker.stop();
    assert_eq!(status, Some(0), "{log}");
}

#[test]
fn a_worker_on_sqlite_points_to_serve() {
    let home = Home::new(Kind::Sqlite);
    let output = home.run(&["worker"]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("PostgreSQL") && said.contains("assay serve"),
        "{said}"
    );
    assert!(!home.path("data").exists());
}

#[test]
fn a_second_service_on_an_sqlite_database_is_refused_and_administration_is_not() {
    let (home, site) = (Home::new(Kind::Sqlite), quick_site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let second = home
        .command(&["serve", "--listen", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(3));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("another `assay serve` uses"), "{said}");
    for beside in [
        ["orgs", "list"].as_slice(),
        &["plans", "list"],
        &["migrate"],
        &["invariants"],
        &["orgs", "create", "Beta"],
    ] {
        let output = home.run(beside);
        assert!(output.status.success(), "{beside:?}: {output:?}");
    }
    let client = service.client();
    assert_eq!(
        client.ended(&client.start(site.url("/").as_str()))["status"],
        "completed"
    );
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn a_migration_reports_what_it_did(#[case] kind: Kind) {
    let home = Home::empty(kind);
    let first: Value = serde_json::from_str(&home.printed(&["migrate", "--json"])).unwrap();
    let applied = first["applied"].as_array().unwrap();
    assert!(applied.len() >= 20, "{first:#}");
    // The database was empty, so there was nothing to back up.
    assert_eq!(first["backup"], Value::Null);
    let again: Value = serde_json::from_str(&home.printed(&["migrate", "--json"])).unwrap();
    assert_eq!(again, serde_json::json!({ "applied": [], "backup": null }));
    let output = home.run(&["migrate"]);
    assert!(output.stdout.is_empty());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("is up to date"), "{said}");
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn concurrent_migrations_all_succeed_and_one_migrates(#[case] kind: Kind) {
    let home = Home::empty(kind);
    let running: Vec<_> = (0..4)
        .map(|_| {
            home.command(&["migrate", "--json"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let applied: Vec<usize> = running
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let said: Value = serde_json::from_slice(&output.stdout).unwrap();
            said["applied"].as_array().unwrap().len()
        })
        .collect();
    assert_eq!(
        applied.iter().filter(|count| **count > 0).count(),
        1,
        "{applied:?}"
    );
}

#[test]
fn an_sqlite_database_is_backed_up_before_it_is_migrated() {
    let home = Home::new(Kind::Sqlite);
    let org = home.printed(&["orgs", "create", "Acme"]);
    home.undo_last_migration();
    let said: Value = serde_json::from_str(&home.printed(&["migrate", "--json"])).unwrap();
    assert_eq!(said["applied"].as_array().unwrap().len(), 1);
    let backup = said["backup"].as_str().unwrap();
    assert!(
        backup.contains("assay.db.schema-20") && backup.ends_with(".backup"),
        "{backup}"
    );
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(backup).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    // The copy is a database with the old schema.
    let url = format!("sqlite:{backup}");
    let listed = home.printed(&["orgs", "list", "--json", "--database-url", &url]);
    assert!(listed.contains(&org), "{listed}");
}

#[test]
fn the_health_command_reports_whether_a_service_is_ready() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let url = format!("http://{}", service.address);
    let health = |further: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_assay"));
        command
            .args(["health", "--server", url.as_str()])
            .args(further);
        command.output().unwrap()
    };
    let both: [&[&str]; 2] = [&[], &["--alive"]];
    for further in both {
        let output = health(further);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    drop(service);
    let output = health(&[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("cannot be reached"), "{said}");
}

#[test]
fn a_check_lists_pending_migrations_and_changes_nothing() {
    let home = Home::new(Kind::Sqlite);
    home.printed(&["migrate"]);
    let output = home.run(&["migrate", "--check"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    home.undo_last_migration();
    // Twice, because the first check must not have applied it.
    for _ in 0..2 {
        let output = home.run(&["migrate", "--check", "--json"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(said["pending"].as_array().unwrap().len(), 1);
    }
    home.printed(&["migrate"]);
    assert_eq!(home.run(&["migrate", "--check"]).status.code(), Some(0));
    home.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20990101000001')");
    let output = home.run(&["migrate", "--check"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("later version of Assay"), "{said}");
}

#[test]
fn a_database_in_use_is_not_migrated() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    home.undo_last_migration();
    for command in [["migrate"].as_slice(), &["orgs", "list"]] {
        let output = home.run(command);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("not migrated") && said.contains("Stop the other process"),
            "{said}"
        );
    }
    drop(service);
    home.printed(&["migrate"]);
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn a_schema_of_a_later_version_is_rejected_with_a_clear_message(#[case] kind: Kind) {
    let home = Home::new(kind);
    home.printed(&["migrate"]);
    home.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20990101000001')");
    for command in [
        ["serve", "--listen", "127.0.0.1:0"].as_slice(),
        &["migrate"],
        &["orgs", "list"],
    ] {
        let output = home.run(command);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            said.contains("later version of Assay") && said.contains("20990101000001"),
            "{said}"
        );
    }
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn violated_invariants_are_found(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), quick_site());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    client.ended(&run);
    service.stop();
    std::fs::write(home.path("runs"), format!("{run}\n")).unwrap();
    let runs = home.path("runs");
    let look = [
        "invariants",
        "--at-rest",
        "--expected-runs",
        runs.to_str().unwrap(),
    ];
    let clean = home.run(&look);
    assert_eq!(clean.status.code(), Some(0), "{clean:?}");
    for (harm, expected) in [
        (
            "UPDATE usage_counters SET runs = runs + 1",
            "is higher than its accepted runs",
        ),
        (
            "UPDATE usage_counters SET runs = runs - 2",
            "is lower than its accepted runs",
        ),
        ("DELETE FROM reports", "not have exactly one report"),
        ("DELETE FROM runs", "returned to a client is missing"),
    ] {
        home.execute(harm);
        let output = home.run(&look);
        assert_eq!(output.status.code(), Some(1), "{harm}");
        let found = String::from_utf8(output.stdout).unwrap();
        assert!(found.contains(expected), "{harm}: {found}");
    }
}
