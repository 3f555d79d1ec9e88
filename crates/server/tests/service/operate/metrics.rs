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

/// The page as text.
fn page(service: &Service) -> String {
    let client = Client::new(&service.address, TOKEN);
    let authorization = format!("Bearer {TOKEN}");
    client.text("/metrics", &[("Authorization", &authorization)])
}

/// The names that the documentation lists.
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
fn what_is_documented_is_measured_and_nothing_else(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let service = measuring(&home, &["--allow-target", &site.target()]);
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    let run = client.ended(&run);
    assert_eq!(run["status"], "completed");
    client.get("/api/mcp/runs/run_1");
    client.get("/nothing/at/all?key=value");
    // The end is counted just after it can be seen.
    let mut text = page(&service);
    let ended = "assay_runs_ended_total{status=\"completed\"} 1";
    for _ in 0..1_000 {
        if text.lines().any(|line| line == ended) {
            break;
        }
        text = page(&service);
    }
    let types = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let told: BTreeSet<String> = types
        .filter_map(|line| line.split_once(' '))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(told, documented());
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
    // Nothing of anybody.
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
fn without_a_token_there_is_no_such_page() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    assert_eq!(service.client().get("/metrics").status, 404);
    service.stop();
    let service = measuring(&home, &[]);
    let answer = service.client().get("/metrics");
    assert_eq!(answer.status, 401);
    assert_eq!(answer.body["code"], "unauthorized");
}
