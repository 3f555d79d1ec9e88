//! Runs that are audited in a process of their own.

use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;

use crate::shutdown::gated;
use crate::{Client, Home, Kind, Service, site};

fn serve(home: &Home, isolation: &str, target: &str) -> Service {
    let key_file = home.path("key");
    let mut command = home.command(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .arg("--bootstrap-key-file")
        .arg(&key_file)
        .args(["--allow-target", target])
        .env("ASSAY_WORKER__ISOLATION", isolation);
    Service::start(command, &key_file)
}

/// A report without what differs from run to run.
fn findings(client: &Client, url: &str) -> Value {
    let mut report = client.report_on(url);
    for key in ["reportId", "runId", "createdAt", "changes", "siteId"] {
        report[key] = Value::Null;
    }
    for issue in report["issues"].as_array_mut().unwrap() {
        for key in ["issueId", "actionId", "state", "helpUrl"] {
            issue[key] = Value::Null;
        }
        for cause in issue["causes"].as_array_mut().unwrap() {
            cause["state"] = Value::Null;
        }
    }
    report
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn an_isolated_run_brings_the_same_report(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let url = site.url("/").to_string();
    let of = |isolation| {
        let service = serve(&home, isolation, &site.target());
        let report = findings(&service.client(), &url);
        let (status, log) = service.stop();
        assert_eq!(status, Some(0), "{log}");
        report
    };
    let (beside_others, isolated) = (of("thread"), of("process"));
    assert!(!isolated["issues"].as_array().unwrap().is_empty());
    assert_eq!(beside_others, isolated);
}

#[test]
fn an_isolated_run_is_cancelled_within_two_seconds() {
    let (home, (site, gate)) = (Home::new(Kind::Sqlite), gated());
    let service = serve(&home, "process", &site.target());
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    gate.wait_until_reached();
    let cancelled = client.send("POST", &format!("/api/mcp/runs/{run}/cancel"), "");
    assert_eq!(cancelled.status, 202, "{cancelled:?}");
    let began = Instant::now();
    service.wait_for_log("run lost");
    assert!(began.elapsed() < Duration::from_secs(2));
    gate.open();
}

#[test]
fn an_isolated_run_is_handed_back_when_the_service_stops() {
    let (home, (site, gate)) = (Home::new(Kind::Sqlite), gated());
    let service = serve(&home, "process", &site.target());
    let run = service.client().start(site.url("/").as_str());
    gate.wait_until_reached();
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
    assert!(log.contains("run handed back"), "{log}");
    gate.open();
    let service = serve(&home, "process", &site.target());
    assert_eq!(service.client().ended(&run)["status"], "completed");
    let (_, log) = service.stop();
    assert!(log.contains("\"run.alone\":false"), "{log}");
}

#[test]
fn without_an_order_the_process_of_an_audit_says_who_starts_it() {
    let output = Home::new(Kind::Sqlite).run(&["audit-process"]);
    assert_eq!(output.status.code(), Some(3));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("is started by the service"), "{words}");
}
