use std::collections::BTreeSet;

use rstest::rstest;

use crate::{Client, Home, Kind, Service, site};

const TOKEN: &str = "a-token-that-nobody-guesses";

fn measuring(home: &Home, further: &[&str]) -> Service {
    let key_file = home.path("key");
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0", "--bootstrap-key-file"];
    arguments.push(key_file.to_str().unwrap());
    arguments.extend(further);
    let mut command = home.command(&arguments);
    command.env("ASSAY_METRICS__TOKEN", TOKEN);
    Service::start(command, &key_file)
}

/// Returns the metrics page.
fn page(service: &Service) -> String {
    let client = Client::new(&service.address, TOKEN);
    let authorization = format!("Bearer {TOKEN}");
    client.text("/metrics", &[("Authorization", &authorization)])
}

/// Returns the metric names in the documentation.
fn documented() -> BTreeSet<String> {
    let page = include_str!("../../../../../docs/operations/metrics.md");
    page.lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split_once('`'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn metrics_match_the_documentation(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = measuring(&home, &["--allow-target", &site.target()]);
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    let run = client.ended(&run);
    assert_eq!(run["status"], "completed");
    client.get("/api/mcp/runs/run_1");
    client.get("/nothing/at/all?key=value");
    // The end of a run is counted just after it becomes visible.
    let mut text = page(&service);
    let ended = "assay_runs_ended_total{status=\"completed\"} 1";
    for _ in 0..1_000 {
        if text.lines().any(|line| line == ended) {
            break;
        }
        text = page(&service);
    }
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let exposed: BTreeSet<String> = types
        .filter_map(|line| line.split_once(' '))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(exposed, documented());
    for line in [
        ended,
        "assay_pages_audited_total 4",
        "assay_run_duration_seconds_count{status=\"completed\"} 1",
        "assay_queue_waiting_runs 0",
        "assay_queue_running_runs 0",
        "assay_database_up 1",
        "assay_http_requests_total{method=\"POST\",route=\"/api/mcp/start-audit\",status=\"202\"} 1",
        "assay_http_requests_total{method=\"GET\",route=\"unknown\",status=\"404\"} 1",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    let runs = "assay_http_requests_total{method=\"GET\",route=\"/api/mcp/runs/{runId}\",status=\"404\"} 1";
    assert!(text.contains(runs), "{text}");
    // No tenant data.
    for foreign in ["org_", "run_0", "site_0", "127.0.0.1", "nothing/at", "key_"] {
        assert!(!text.contains(foreign), "{foreign}: {text}");
    }
    assert!(text.lines().all(|line| line.starts_with('#')
        || line.is_empty()
        || line.rsplit_once(' ').unwrap().1.parse::<f64>().is_ok()));
    let (_, log) = service.stop();
    assert!(!log.contains(TOKEN));
}

#[test]
fn without_a_token_metrics_are_not_found() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    assert_eq!(service.client().get("/metrics").status, 404);
    service.stop();
    let service = measuring(&home, &[]);
    let answer = service.client().get("/metrics");
    assert_eq!(answer.status, 401);
    assert_eq!(answer.body["code"], "unauthorized");
}

/// A worker that serves metrics.
fn measuring_worker(home: &Home, environment: &[(&str, &str)]) -> Service {
    let arguments = ["worker", "--metrics-listen", "127.0.0.1:0"];
    let mut command = home.command(&arguments);
    command.envs(environment.iter().copied());
    Service::start_until(command, &home.path("key"), "serving metrics")
}

#[test]
fn a_worker_serves_its_own_metrics_if_configured() {
    let (home, site) = (Home::new(Kind::Postgresql), site());
    let service = home.serve(&["--no-worker", "--allow-target", &site.target()]);
    let allowed = format!("[\"{}\"]", site.target());
    let worker = measuring_worker(&home, &[("ASSAY_EGRESS__ALLOW_TARGETS", &allowed)]);
    let measured = Client::new(&worker.address, "");
    let health = measured.get("/healthz");
    assert_eq!((health.status, &health.body["status"]), (200, &"ok".into()));
    let run = service.client().start(site.url("/").as_str());
    assert_eq!(service.client().ended(&run)["status"], "completed");
    // The end of a run is counted just after it becomes visible.
    let mut text = measured.text("/metrics", &[]);
    let ended = "assay_runs_ended_total{status=\"completed\"} 1";
    for _ in 0..1_000 {
        if text.lines().any(|line| line == ended) {
            break;
        }
        text = measured.text("/metrics", &[]);
    }
    for line in [
        ended,
        "assay_pages_audited_total 4",
        "assay_database_up 1",
        "assay_queue_waiting_runs 0",
        "# TYPE assay_schedules_skipped_total counter",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}: {text}");
    }
    // No other path exists.
    for path in ["/", "/readyz", "/api/mcp/runs", "/openapi.json"] {
        assert_eq!(measured.get(path).status, 404, "{path}");
    }
    assert_eq!(measured.send("POST", "/metrics", "").status, 405);
    let (status, log) = worker.stop();
    assert_eq!(status, Some(0), "{log}");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn a_worker_serves_metrics_only_with_the_token() {
    let home = Home::new(Kind::Postgresql);
    // A worker needs a database that a service has created.
    drop(home.serve(&["--no-worker"]));
    let worker = measuring_worker(&home, &[("ASSAY_METRICS__TOKEN", TOKEN)]);
    assert_eq!(Client::new(&worker.address, "").get("/metrics").status, 401);
    assert_eq!(
        Client::new(&worker.address, "x").get("/metrics").status,
        401
    );
    assert_eq!(Client::new(&worker.address, "").get("/healthz").status, 200);
    assert!(page(&worker).contains("assay_database_up 1"));
    let (status, log) = worker.stop();
    assert_eq!(status, Some(0), "{log}");
}
