use rstest::rstest;
use serde_json::Value;
use testkit::{DnsAnswer, DnsServer};

use crate::{Home, Kind};

/// Returns the findings by name, and the exit status.
fn examined(home: &Home, server: &DnsServer) -> (Value, Option<i32>) {
    let mut command = home.command(&["doctor", "--json"]);
    command.env("ASSAY_EGRESS__DNS_SERVER", server.address().to_string());
    let output = command.output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    (report, output.status.code())
}

fn status(report: &Value, check: &str) -> String {
    let checks = report["checks"].as_array().unwrap();
    let found = checks.iter().find(|found| found["check"] == check);
    let found = found.unwrap_or_else(|| panic!("{check}: {report:#}"));
    assert_eq!(
        found["remedy"].is_null(),
        found["status"] == "ok",
        "{found}"
    );
    found["status"].as_str().unwrap().to_owned()
}

fn answering() -> DnsServer {
    DnsServer::start(|_| DnsAnswer::NoSuchName).unwrap()
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn a_healthy_service_has_no_problems(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&[]);
    let (report, code) = examined(&home, &answering());
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(report["ok"], true);
    for check in [
        "configuration",
        "database",
        "database.schema",
        "database.clock",
        "secret.key",
        "clock",
        "dns",
        "browser",
    ] {
        assert_eq!(status(&report, check), "ok", "{report:#}");
    }
    assert_eq!(service.stop().0, Some(0));
    let text = home.run(&["doctor"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("ok       database.schema"), "{text}");
}

#[test]
fn before_the_first_start_nothing_is_made() {
    let home = Home::new(Kind::Sqlite);
    let (report, code) = examined(&home, &answering());
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(status(&report, "database"), "warning");
    assert_eq!(status(&report, "secret.key"), "warning");
    assert!(!home.path("data").exists());
}

#[test]
fn blocking_faults_are_reported_as_problems() {
    let home = Home::new(Kind::Sqlite);
    let server = answering();
    let problem = |check: &str| {
        let (report, code) = examined(&home, &server);
        assert_eq!(code, Some(1), "{check}: {report:#}");
        assert_eq!(report["ok"], false);
        assert_eq!(status(&report, check), "problem", "{report:#}");
    };
    std::fs::write(home.path("assay.toml"), "[crawl]\nmax_pages = 0\n").unwrap();
    problem("configuration");
    std::fs::remove_file(home.path("assay.toml")).unwrap();
    std::fs::create_dir(home.path("data")).unwrap();
    std::fs::write(home.path("data/assay.db"), "this is no database").unwrap();
    problem("database");
    std::fs::remove_file(home.path("data/assay.db")).unwrap();
    home.printed(&["orgs", "create", "Acme"]);
    std::fs::write(home.path("data/secret.key"), "no key").unwrap();
    problem("secret.key");
    std::fs::remove_file(home.path("data/secret.key")).unwrap();
    home.execute("UPDATE organizations SET plan = 'gold'");
    problem("plans");
    home.execute("UPDATE organizations SET plan = 'self_hosted'");
    home.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000000')");
    problem("database.schema");
}

#[test]
fn a_silent_name_server_times_out_within_seconds() {
    let home = Home::new(Kind::Sqlite);
    let silent = DnsServer::start(|_| DnsAnswer::Silence).unwrap();
    let began = std::time::Instant::now();
    let (report, code) = examined(&home, &silent);
    assert!(began.elapsed().as_secs() < 15);
    assert_eq!(code, Some(0), "{report:#}");
    assert_eq!(status(&report, "dns"), "warning");
}
