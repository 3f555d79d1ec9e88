//! Runs that are audited in a child process.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::Value;
use testkit::{LoopbackServer, TestResponse};

use crate::shutdown::gated;
use crate::{Client, Home, Kind, Service, page};

const TOKEN: &str = "a-token-that-nobody-guesses";

fn serve(home: &Home, isolation: &str, target: &str) -> Service {
    let key_file = home.path("key");
    let mut command = home.command(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .arg("--bootstrap-key-file")
        .arg(&key_file)
        .args(["--allow-target", target])
        .env("ASSAY_METRICS__TOKEN", TOKEN)
        .env("ASSAY_WORKER__ISOLATION", isolation);
    Service::start(command, &key_file)
}

/// Counts the audit processes of a service that are still running.
fn audit_processes(service: u32) -> usize {
    let processes = std::fs::read_dir("/proc").unwrap();
    processes
        .filter_map(Result::ok)
        .filter(|process| is_audit_of(service, &process.path()))
        .count()
}

fn is_audit_of(service: u32, process: &Path) -> bool {
    let command = std::fs::read(process.join("cmdline")).unwrap_or_default();
    let mut arguments = command.split(|byte| *byte == 0).skip(1);
    let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    arguments.next() == Some(b"audit-process".as_slice())
        && parent.is_some_and(|parent| parent.trim() == service.to_string())
}

/// What a site observes about the service that audits it.
#[derive(Default)]
struct Seen {
    service: AtomicU32,
    /// Audit processes of the service when it requested the second page.
    processes: AtomicUsize,
}

/// A site of two pages that observes the service during the audit.
fn watching() -> (LoopbackServer, Arc<Seen>) {
    let seen = Arc::new(Seen::default());
    let noted = Arc::clone(&seen);
    let site = LoopbackServer::start(move |request| match request.target.as_str() {
        "/" => page("Home", "<a href=/a>A</a><a href=/gone>Gone</a>"),
        "/a" => {
            let service = noted.service.load(Ordering::SeqCst);
            let processes = audit_processes(service);
            noted.processes.store(processes, Ordering::SeqCst);
            page("A", "<img src=/x.png>")
        }
        _ => TestResponse::new(404, "nothing"),
    });
    (site.unwrap(), seen)
}

/// Returns the metrics of a service about pages and requests of audits.
fn counted(service: &Service) -> BTreeSet<String> {
    let authorization = format!("Bearer {TOKEN}");
    let client = Client::new(&service.address, TOKEN);
    let text = client.text("/metrics", &[("Authorization", &authorization)]);
    let names = ["assay_fetches_total{", "assay_pages_audited_total "];
    let lines = text.lines();
    lines
        .filter(|line| names.iter().any(|name| line.starts_with(name)))
        .map(str::to_owned)
        .collect()
}

/// Removes the parts of a report that differ from run to run.
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
fn an_isolated_run_gives_the_same_report_and_metrics(#[case] kind: Kind) {
    let (home, (site, seen)) = (Home::new(kind), watching());
    let url = site.url("/").to_string();
    let of = |isolation| {
        let service = serve(&home, isolation, &site.target());
        seen.service.store(service.child.id(), Ordering::SeqCst);
        let report = findings(&service.client(), &url);
        let counted = counted(&service);
        let (status, log) = service.stop();
        assert_eq!(status, Some(0), "{log}");
        (seen.processes.load(Ordering::SeqCst), report, counted)
    };
    let (beside_others, isolated) = (of("thread"), of("process"));
    assert_eq!((beside_others.0, isolated.0), (0, 1), "audit processes");
    assert!(!isolated.1["issues"].as_array().unwrap().is_empty());
    assert_eq!(beside_others.1, isolated.1);
    let counts = isolated.2;
    let has_pages = counts.contains("assay_pages_audited_total 2");
    assert!(has_pages, "{counts:?}");
    assert_eq!(beside_others.2, counts);
}

#[test]
fn an_isolated_run_is_cancelled_within_two_seconds() {
    let (home, (site, gate)) = (Home::new(Kind::Sqlite), gated());
    let service = serve(&home, "process", &site.target());
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    gate.wait_until_reached();
    assert_eq!(audit_processes(service.child.id()), 1);
    let cancelled = client.send("POST", &format!("/api/mcp/runs/{run}/cancel"), "");
    assert_eq!(cancelled.status, 202, "{cancelled:?}");
    let began = Instant::now();
    service.wait_for_log("run lease lost");
    assert!(began.elapsed() < Duration::from_secs(2));
    gate.open();
}

#[test]
fn an_isolated_run_is_handed_back_when_the_service_stops() {
    let (home, (site, gate)) = (Home::new(Kind::Sqlite), gated());
    let service = serve(&home, "process", &site.target());
    let run = service.client().start(site.url("/").as_str());
    gate.wait_until_reached();
    assert_eq!(audit_processes(service.child.id()), 1);
    let (status, log) = service.stop();
    assert_eq!(status, Some(0), "{log}");
    assert!(log.contains("run requeued"), "{log}");
    gate.open();
    let service = serve(&home, "process", &site.target());
    assert_eq!(service.client().ended(&run)["status"], "completed");
    let (_, log) = service.stop();
    assert!(log.contains("\"run.alone\":false"), "{log}");
}

#[test]
fn an_audit_process_without_an_order_explains_itself() {
    let output = Home::new(Kind::Sqlite).run(&["audit-process"]);
    assert_eq!(output.status.code(), Some(3));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("the service starts it"), "{words}");
}
