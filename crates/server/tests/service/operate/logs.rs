use rstest::rstest;
use serde_json::{Value, json};

use crate::{Client, Home, Kind, site};

/// Secrets in different parts of requests.
const HEADER: &str = "Bearer hunter2hunter2";
const WORDS: &str = "confidential-comment";

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_log_of_a_whole_service_names_ids_and_no_secret(#[case] kind: Kind) {
    let (home, site) = (Home::new(kind), site());
    let key_file = home.path("key");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bootstrap-key-file",
        key_file.to_str().unwrap(),
        "--allow-target",
        &site.target(),
    ];
    let mut command = home.command(&arguments);
    command.env("ASSAY_METRICS__TOKEN", "a-token-that-nobody-guesses");
    // Everything that our own crates log.
    let filter =
        "info,api=trace,server=trace,assay=trace,storage=trace,audit_engine=trace,domain=trace";
    command.env("ASSAY_LOGS__FILTER", filter);
    let service = crate::Service::start(command, &key_file);
    let client = service.client();
    let url = site.url("/").to_string();
    let body = json!({ "url": url, "options": { "headers": { "Authorization": HEADER } } });
    let started = client.post("/api/mcp/start-audit", &body).body;
    let run = started["runId"].as_str().unwrap();
    let run = client.ended(run);
    let report = run["reportId"].as_str().unwrap();
    let link = client
        .get(&format!("/api/mcp/reports/{report}?format=pdf_url"))
        .body;
    let link = link["url"].as_str().unwrap();
    let signature = link.split_once("sig=").unwrap().1;
    let path = link.split_once("/dl/").unwrap().1;
    client.bytes("GET", &format!("/dl/{path}"));
    client.bytes("GET", &format!("/dl/{path}0"));
    let actions = client.get("/api/mcp/actions").body;
    let action = actions["actions"][0]["actionId"].as_str().unwrap();
    let comments = format!("/api/mcp/actions/{action}/comments");
    client.post(&comments, &json!({ "body": WORDS }));
    client.get(&format!("/api/mcp/runs?siteId={WORDS}"));
    let key = service.key();
    client.get(&format!("/api/mcp/runs/{key}"));
    Client::new(&service.address, "sk_service_wrong").get("/api/mcp/runs");
    client.raw(
        "GET",
        "/metrics",
        &[("Authorization", "Bearer guessed-token")],
        b"",
    );
    let (status, log) = service.stop();
    assert_eq!(status, Some(0));
    let secret = key.trim_start_matches("sk_service_");
    for hidden in [
        secret,
        signature,
        "hunter2",
        WORDS,
        "a-token-that-nobody-guesses",
        "guessed-token",
        "sk_service_wrong",
    ] {
        let line = log.lines().find(|line| line.contains(hidden));
        assert_eq!(line, None, "{hidden}");
    }
    let events: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let requests: Vec<_> = events
        .iter()
        .filter(|event| event["message"] == "request")
        .collect();
    assert!(requests.len() > 8, "{log}");
    for request in &requests {
        assert_eq!(request["request.id"].as_str().map(str::len), Some(26));
        assert!(request["http.status"].is_u64() && request["duration_ms"].is_f64());
    }
    let of_caller = requests.iter().filter(|request| {
        let is = |field: &str, prefix| {
            let value = request[field].as_str();
            value.is_some_and(|value| value.starts_with(prefix))
        };
        is("org.id", "org_") && is("key.id", "key_")
    });
    assert!(of_caller.count() > 4, "{log}");
    let ended = events
        .iter()
        .find(|event| event["message"] == "run completed")
        .unwrap();
    let span = &ended["span"];
    assert_eq!(span["run.id"], run["runId"]);
    assert!(
        span["org.id"].as_str().unwrap().starts_with("org_"),
        "{ended}"
    );
    assert_eq!(span["run.epoch"], 1, "{ended}");
}
