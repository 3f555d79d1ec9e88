use std::time::{Duration, Instant};

use rstest::rstest;

use crate::shutdown::gated;
use crate::{Home, Kind, Service};

/// Timeout for the log line. The promised two seconds are tested elsewhere, with a clock that can be set.
const PATIENCE: Duration = Duration::from_secs(30);

fn wait_for_log(service: &Service, message: &str) {
    let end = Instant::now() + PATIENCE;
    while !service.log.lock().unwrap().contains(message) {
        assert!(Instant::now() < end, "{}", service.log.lock().unwrap());
        std::thread::yield_now();
    }
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn the_worker_of_a_cancelled_run_stops_and_claims_the_next(#[case] kind: Kind) {
    let (home, (site, gate)) = (Home::new(kind), gated());
    let service = home.serve(&["--allow-target", &site.target()]);
    let client = service.client();
    let run = client.start(site.url("/").as_str());
    gate.wait_until_reached();
    client.run_when(&run, |state| state["status"] == "running");
    let path = format!("/api/mcp/runs/{run}/cancel");
    let answer = client.send("POST", &path, "");
    assert_eq!(answer.status, 202, "{answer:?}");
    assert_eq!(answer.body["status"], "cancelled");
    // The page that the audit waits for was never sent.
    wait_for_log(&service, "run lease lost");
    assert_eq!(client.send("POST", &path, "").body, answer.body);
    gate.open();
    let next = client.start(site.url("/").as_str());
    assert_eq!(client.ended(&next)["status"], "completed");
    assert_eq!(client.run(&run), answer.body);
    assert_eq!(client.send("POST", &path, "").status, 200);
    let late = client.send("POST", &format!("/api/mcp/runs/{next}/cancel"), "");
    assert_eq!(
        (late.status, late.body["code"].as_str()),
        (409, Some("conflict"))
    );
    let list = client.get("/api/mcp/runs?status=cancelled").body;
    assert_eq!(list["runs"].as_array().unwrap().len(), 1);
    let account = client.get("/api/mcp/account").body;
    assert_eq!(account["plan"]["usage"]["monthlyRuns"], 2);
}
