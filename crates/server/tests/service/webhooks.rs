//! Events of the real service, delivered to a receiver on loopback.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rstest::rstest;
use serde_json::{Value, json};
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::{Client, Home, Kind, Service, site};

/// Retry delays that are short enough for a test.
const SOON: (&str, &str) = (
    "ASSAY_WEBHOOKS__RETRY_DELAYS_SECONDS",
    "[0, 1, 1, 1, 1, 1, 1, 1]",
);

fn serve(home: &Home) -> Service {
    let key_file = home.path("key");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bootstrap-key-file",
        key_file.to_str().unwrap(),
        "--allow-target",
        "127.0.0.1",
    ];
    let mut command = home.command(&arguments);
    command.env(SOON.0, SOON.1);
    Service::start(command, &key_file)
}

/// A receiver with scripted responses that records its requests.
struct Receiver {
    server: LoopbackServer,
    status: Arc<AtomicU16>,
    got: Arc<Mutex<Vec<TestRequest>>>,
}

impl Receiver {
    fn new(status: u16) -> Self {
        let status = Arc::new(AtomicU16::new(status));
        let got = Arc::new(Mutex::new(Vec::new()));
        let (answers, keeps) = (Arc::clone(&status), Arc::clone(&got));
        let server = LoopbackServer::start(move |request: &TestRequest| {
            keeps.lock().unwrap().push(request.clone());
            TestResponse::new(answers.load(Ordering::Relaxed), "noted")
        });
        Self {
            server: server.unwrap(),
            status,
            got,
        }
    }

    /// Returns the received events: id and body.
    fn events(&self) -> Vec<(String, Value)> {
        let got = self.got.lock().unwrap();
        let event = |request: &TestRequest| {
            let id = request.header("webhook-id").unwrap().to_owned();
            (id, serde_json::from_slice(&request.body).unwrap())
        };
        got.iter().map(event).collect()
    }
}

fn hook(client: &Client, receiver: &Receiver, events: &[&str]) -> (String, String) {
    let body = json!({"url": receiver.server.url("/in?token=hunter2").as_str(), "events": events});
    let made = client.post("/api/mcp/webhooks", &body);
    assert_eq!(made.status, 201, "{made:?}");
    let text = |name: &str| made.body[name].as_str().unwrap().to_owned();
    (
        format!("/api/mcp/webhooks/{}", text("webhookId")),
        text("secret"),
    )
}

/// Polls the deliveries of a webhook until they match.
fn deliveries(client: &Client, path: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        let list = client.get(&format!("{path}/deliveries"));
        let found = list.body["deliveries"].as_array().unwrap().clone();
        if wanted(&found) {
            return found;
        }
        assert!(Instant::now() < end, "{found:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn all_ended(found: &[Value]) -> bool {
    !found.is_empty() && found.iter().all(|one| one["status"] != "pending")
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
#[case::postgresql(Kind::Postgresql)]
fn an_event_is_retried_until_its_receiver_is_back(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = serve(&home);
    let (client, receiver, audited) = (service.client(), Receiver::new(503), site());
    let (path, secret) = hook(&client, &receiver, &["run.completed"]);
    let report = client.report_on(audited.url("/").as_str());
    deliveries(&client, &path, |found| {
        found
            .iter()
            .any(|one| !one["attempts"].as_array().unwrap().is_empty())
    });
    receiver.status.store(204, Ordering::Relaxed);
    let found = deliveries(&client, &path, all_ended);
    assert_eq!((found.len(), &found[0]["status"]), (1, &json!("delivered")));
    let attempts = found[0]["attempts"].as_array().unwrap();
    assert_eq!(attempts[0]["statusCode"], 503);
    assert_eq!(attempts.last().unwrap()["statusCode"], 204);
    // Every attempt sends the same event.
    let events = receiver.events();
    assert_eq!(events.len(), attempts.len());
    assert!(events.iter().all(|event| *event == events[0]));
    let (id, body) = &events[0];
    assert_eq!(found[0]["eventId"], id.as_str());
    assert_eq!(body["type"], "run.completed");
    assert_eq!(body["data"]["runId"], report["runId"]);
    assert_eq!(body["data"]["reportId"], report["reportId"]);
    assert_eq!(body["data"]["overallScore"], report["overallScore"]);
    let (status, log) = service.stop();
    assert_eq!(status, Some(0));
    assert!(!log.contains(&secret) && !log.contains("hunter2"), "{log}");
}

#[test]
fn pending_deliveries_survive_a_kill() {
    let home = Home::new(Kind::Sqlite);
    let service = serve(&home);
    let (client, receiver) = (service.client(), Receiver::new(500));
    let (path, _) = hook(&client, &receiver, &["run.failed"]);
    let tested = client.send("POST", &format!("{path}/test"), "");
    assert_eq!(tested.status, 202, "{tested:?}");
    service.signal("KILL");
    let _ = service.wait();
    receiver.status.store(200, Ordering::Relaxed);
    let service = serve(&home);
    let found = deliveries(&service.client(), &path, all_ended);
    assert_eq!(found[0]["status"], "delivered");
    let (id, body) = receiver.events().pop().unwrap();
    assert_eq!(tested.body["eventId"], id.as_str());
    assert_eq!(body["type"], "test");
}

#[test]
fn a_webhook_that_returns_410_gets_no_further_events() {
    let home = Home::new(Kind::Sqlite);
    let service = serve(&home);
    let (client, receiver) = (service.client(), Receiver::new(410));
    let (path, _) = hook(&client, &receiver, &["run.failed"]);
    client.send("POST", &format!("{path}/test"), "");
    let found = deliveries(&client, &path, all_ended);
    assert_eq!(found[0]["status"], "failed");
    let webhook = client.get(&path).body;
    assert_eq!(
        (&webhook["enabled"], &webhook["disabledReason"]),
        (&json!(false), &json!("gone"))
    );
    assert_eq!(receiver.events().len(), 1);
}

#[test]
fn a_schedule_starts_runs_by_itself() {
    let home = Home::new(Kind::Sqlite);
    let service = serve(&home);
    let (client, audited) = (service.client(), site());
    let made = client.post("/api/mcp/sites", &json!({"url": audited.url("/").as_str()}));
    let site = made.body["siteId"].as_str().unwrap().to_owned();
    let path = format!("/api/mcp/sites/{site}/schedule");
    let body = json!({"enabled": true, "frequency": "daily", "timezone": "UTC"});
    let set = client.send("PUT", &path, &body.to_string());
    assert_eq!(set.status, 200, "{set:?}");
    // As if the service had been down at the due time.
    assert_eq!(make_due(&home, &site), 2, "the schedule and its job");
    let end = Instant::now() + Duration::from_secs(60);
    let schedule = loop {
        let schedule = client.get(&path).body;
        if schedule["lastRunId"].is_string() {
            break schedule;
        }
        assert!(Instant::now() < end, "{schedule:#}");
        std::thread::sleep(Duration::from_millis(20));
    };
    let run = client.ended(schedule["lastRunId"].as_str().unwrap());
    assert_eq!(
        (&run["trigger"], &run["status"]),
        (&json!("schedule"), &json!("completed"))
    );
    let next = schedule["nextRunAt"].as_str().unwrap();
    assert!(next > schedule["lastRunAt"].as_str().unwrap());
    let runs = client.get("/api/mcp/runs").body;
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1);
}

/// Makes a schedule due two days ago, and returns how many rows changed.
fn make_due(home: &Home, site: &str) -> usize {
    use diesel::connection::SimpleConnection;
    use diesel::prelude::*;
    let file = home.path("data").join("assay.db");
    let mut connection = SqliteConnection::establish(file.to_str().unwrap()).unwrap();
    connection
        .batch_execute("PRAGMA busy_timeout = 5000")
        .unwrap();
    let mut changed = 0;
    for sql in [
        "UPDATE schedules SET next_run_at = datetime('now', '-2 days') WHERE site_id = ?",
        "UPDATE jobs SET available_at = datetime('now', '-2 days')
         WHERE kind = 'schedule' AND subject_id = ?",
    ] {
        changed += diesel::sql_query(sql)
            .bind::<diesel::sql_types::Text, _>(site)
            .execute(&mut connection)
            .unwrap();
    }
    changed
}
