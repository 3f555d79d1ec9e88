use std::process::Command;

use rstest::rstest;
use serde_json::Value;
use testkit::{DnsAnswer, DnsServer};

use super::said;
use crate::{Home, Kind, Service};

/// A configuration with backups to the folder `store`.
fn configure(home: &Home, recipient: Option<&str>) {
    let recipients = recipient.map(|key| format!("{key:?}")).unwrap_or_default();
    let text = format!("[backup]\nto = \"store\"\nkeep = 2\nrecipients = [{recipients}]\n");
    std::fs::write(home.path("assay.toml"), text).unwrap();
}

fn finding(home: &Home, check: &str) -> (String, String) {
    let names = DnsServer::start(|_| DnsAnswer::NoSuchName).unwrap();
    let mut command = home.command(&["doctor", "--json"]);
    command.env("ASSAY_EGRESS__DNS_SERVER", names.address().to_string());
    let output = command.output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|found| found["check"] == check);
    let found = found.unwrap_or_else(|| panic!("{check}: {report:#}"));
    let text = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
    (text("status"), text("message"))
}

fn stored(home: &Home) -> Vec<Value> {
    let printed = home.printed(&["backup", "--stored", "--json"]);
    let list: Value = serde_json::from_str(&printed).unwrap();
    list["backups"].as_array().unwrap().clone()
}

/// Restores a dump with PostgreSQL's own program, as the guide says.
fn restore_dump(dump: &std::path::Path) -> testkit::TestDatabase {
    let place = testkit::TestPostgres::database();
    let done = Command::new("pg_restore")
        .args(["--no-owner", "--exit-on-error", "--dbname", place.url()])
        .arg(dump)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
    place
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_service_makes_an_encrypted_backup_at_once_that_restores_a_lost_database(#[case] kind: Kind) {
    let home = Home::new(kind);
    let public = home.printed(&["backup", "--new-identity", "key.txt"]);
    configure(&home, Some(&public));
    let service = home.serve(&[]);
    service.wait_for_log("backup made");
    let all = stored(&home);
    assert_eq!((all.len(), &all[0]["verified"]), (1, &Value::Bool(true)));
    let name = all[0]["name"].as_str().unwrap().to_owned();
    assert!(name.ends_with(".age"), "{name}");
    let (status, message) = finding(&home, "backup");
    assert_eq!(status, "ok", "{message}");
    assert!(
        message.contains(&name) && message.contains("verified by a restore"),
        "{message}"
    );
    let org = home.printed(&["orgs", "create", "Acme"]);
    for _ in 0..3 {
        home.printed(&["backup"]);
    }
    assert_eq!(stored(&home).len(), 2, "two are kept");
    let (_, log) = service.stop();
    assert!(!log.contains("panicked"), "{log}");

    let refused = home.run(&["restore", "--output", "contents", "latest"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("--identity"), "{refused:?}");
    assert!(!home.path("contents").exists());
    match kind {
        Kind::Sqlite => {
            std::fs::remove_dir_all(home.path("data")).unwrap();
            home.printed(&["restore", "--identity", "key.txt", "latest"]);
            assert!(home.printed(&["orgs", "list"]).contains(&org));
        }
        Kind::Postgresql => {
            home.printed(&[
                "restore",
                "--identity",
                "key.txt",
                "--output",
                "a.dump",
                "latest",
            ]);
            let restored = restore_dump(&home.path("a.dump"));
            let listed = Command::new(env!("CARGO_BIN_EXE_assay"))
                .args(["orgs", "list", "--database-url", restored.url()])
                .current_dir(&home.folder)
                .output()
                .unwrap();
            assert!(said_on_stdout(&listed).contains(&org), "{listed:?}");
            let refused = home.run(&["restore", "latest"]);
            assert!(
                said(&refused).contains("--output assay.dump latest"),
                "{refused:?}"
            );
        }
    }
}

fn said_on_stdout(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn of_two_processes_on_a_database_one_makes_the_backup() {
    let home = Home::new(Kind::Postgresql);
    configure(&home, None);
    let (one, two): (Service, Service) = (home.serve(&[]), home.serve(&[]));
    let end = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while finding(&home, "backup").0 != "ok" {
        assert!(std::time::Instant::now() < end);
    }
    let logs = one.stop().1 + &two.stop().1;
    assert_eq!(logs.matches("backup made").count(), 1, "{logs}");
    assert_eq!(stored(&home).len(), 1);
}

#[test]
fn a_store_that_fails_is_reported_and_the_service_goes_on() {
    let home = Home::new(Kind::Sqlite);
    configure(&home, None);
    // A file in place of the folder.
    std::fs::write(home.path("store"), "").unwrap();
    let service = home.serve(&[]);
    service.wait_for_log("backup failed");
    assert_eq!(service.client().get("/api/mcp/account").status, 200);
    let (status, message) = finding(&home, "backup");
    assert_eq!(status, "problem");
    assert!(
        message.contains("there is no good backup in store"),
        "{message}"
    );
    assert!(message.contains("1 failed since then"), "{message}");
    assert_eq!(finding(&home, "backup.encryption").0, "warning");
    std::fs::remove_file(home.path("store")).unwrap();
    home.printed(&["backup"]);
    assert_eq!(finding(&home, "backup").0, "ok");
    home.execute("UPDATE backup_state SET good_at = '2020-01-01 00:00:00'");
    assert_eq!(finding(&home, "backup").0, "problem");
}

#[test]
fn a_store_without_credentials_is_a_configuration_error() {
    let home = Home::new(Kind::Sqlite);
    home.printed(&["orgs", "create", "Acme"]);
    std::fs::write(
        home.path("assay.toml"),
        "[backup]\nto = \"s3://bucket/a\"\n",
    )
    .unwrap();
    let refused = home.run(&["backup"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(said(&refused).contains("AWS_ACCESS_KEY_ID"), "{refused:?}");
    assert_eq!(finding(&home, "backup.store").0, "problem");
}

#[test]
fn without_scheduled_backups_doctor_warns() {
    let home = Home::new(Kind::Sqlite);
    home.printed(&["orgs", "create", "Acme"]);
    let (status, message) = finding(&home, "backup");
    assert_eq!(
        (status.as_str(), message.as_str()),
        ("warning", "no backups are scheduled")
    );
    let refused = home.run(&["restore", "latest"]);
    assert!(
        said(&refused).contains("backup.to is not configured"),
        "{refused:?}"
    );
}
