//! Calls against a server on loopback that answers as it is told.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as expected"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use api_types::run::RunStatus;
use client::{ApiKey, Client, Error, ServerUrl, start};
use testkit::{LoopbackServer, TestRequest, TestResponse};

fn client(server: &LoopbackServer) -> Client {
    let url = ServerUrl::parse(server.url("/").as_str(), false).unwrap();
    Client::new(url, &ApiKey::parse("sk_service_test").unwrap()).unwrap()
}

fn json(status: u16, body: &str) -> TestResponse {
    TestResponse::new(status, body.to_owned()).header("Content-Type", "application/json")
}

fn problem(status: u16, code: &str) -> TestResponse {
    let body = format!(
        r#"{{"type":"t","title":"T","status":{status},"detail":"What is wrong.","code":"{code}","requestId":"r"}}"#
    );
    json(status, &body)
}

fn run(status: &str, percent: u8) -> String {
    let report = if status == "completed" {
        r#""rep_1""#
    } else {
        "null"
    };
    format!(
        r#"{{"runId":"run_1","status":"{status}","url":"https://e.example/","siteId":"site_1","reportId":{report},"trigger":"api","options":{{"maxPages":1000,"maxDepth":null,"mode":"auto","include":[],"exclude":[],"device":"mobile","headers":null,"userAgent":null,"respectRobots":true}},"progress":{{"phase":"crawling","pagesDiscovered":9,"pagesFetched":5,"pagesAudited":4,"percent":{percent}}},"error":null,"createdAt":"2026-11-22T00:00:00.000Z","startedAt":null,"finishedAt":null}}"#
    )
}

const STARTED: &str = r#"{"runId":"run_1","status":"queued","siteId":"site_1"}"#;

#[tokio::test]
async fn a_start_whose_answer_was_lost_is_sent_again_under_the_same_key() {
    let calls = AtomicUsize::new(0);
    let server = LoopbackServer::start(move |_| match calls.fetch_add(1, Ordering::SeqCst) {
        0 => TestResponse::close(),
        1 => problem(409, "idempotency_in_progress"),
        _ => json(202, STARTED),
    })
    .unwrap();
    let started = client(&server)
        .start_audit(&start("https://e.example/"))
        .await
        .unwrap();
    assert_eq!(started.value.run_id, "run_1");
    assert_eq!(&started.bytes[..], STARTED.as_bytes());
    let keys: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.header("Idempotency-Key").unwrap().to_owned())
        .collect();
    assert_eq!(keys.len(), 3);
    assert_eq!(keys[0].len(), 32);
    assert!(keys.iter().all(|key| *key == keys[0]));
}

#[tokio::test]
async fn what_is_not_safe_to_repeat_is_sent_once() {
    let server = LoopbackServer::start(|_| problem(503, "unavailable")).unwrap();
    let error = client(&server).delete_site("site_1").await.unwrap_err();
    assert_eq!(error.code(), Some("unavailable"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_refusal_is_told_as_the_server_said_it() {
    let server = LoopbackServer::start(|_| problem(404, "not_found")).unwrap();
    let error = client(&server).run("run/../x").await.unwrap_err();
    assert_eq!(error.code(), Some("not_found"));
    assert_eq!(error.to_string(), "What is wrong.");
    assert_eq!(server.requests()[0].target, "/api/mcp/runs/run%2F..%2Fx");
}

#[tokio::test]
async fn another_server_is_not_taken_for_assay_and_no_redirect_is_followed_with_the_key() {
    let other = LoopbackServer::start(|_| TestResponse::html("<!doctype html>")).unwrap();
    let error = client(&other).account().await.unwrap_err();
    assert!(matches!(error, Error::Strange { .. }), "{error}");
    let target = other.url("/stolen").to_string();
    let server = LoopbackServer::start(move |_| TestResponse::redirect(302, &target)).unwrap();
    let error = client(&server).account().await.unwrap_err();
    assert!(error.to_string().contains("redirect"), "{error}");
    assert_eq!(other.hits("/stolen"), 0);
}

#[tokio::test]
async fn a_run_is_followed_by_its_events() {
    let server = LoopbackServer::start(|request: &TestRequest| {
        if !request.path().ends_with("/events") {
            return json(200, &run("queued", 0));
        }
        let event = |name: &str, run: String| format!("event: {name}\ndata: {run}\n\n");
        let events = [
            event("progress", run("running", 10)),
            ": keep-alive\n\n".to_owned(),
            event("progress", run("running", 60)),
            event("completed", run("completed", 100)),
        ];
        TestResponse::chunked(events).header("Content-Type", "text/event-stream")
    })
    .unwrap();
    let mut seen = Vec::new();
    let ended = client(&server)
        .watch("run_1", &mut |run| seen.push(run.progress.percent))
        .await
        .unwrap();
    assert_eq!(ended.value.status, RunStatus::Completed);
    assert_eq!(ended.value.report_id.as_deref(), Some("rep_1"));
    assert_eq!(seen, [0, 10, 60]);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_run_is_polled_where_there_are_no_events_and_through_a_short_absence() {
    let polls = AtomicUsize::new(0);
    let server = LoopbackServer::start(move |request: &TestRequest| {
        if request.path().ends_with("/events") {
            return problem(404, "not_found");
        }
        match polls.fetch_add(1, Ordering::SeqCst) {
            0 => json(200, &run("queued", 0)),
            1..=2 => problem(503, "unavailable"),
            3 => json(200, &run("running", 50)),
            _ => json(200, &run("completed", 100)),
        }
    })
    .unwrap();
    let client = client(&server).polling_every(Duration::from_millis(5));
    let ended = client.watch("run_1", &mut |_| {}).await.unwrap();
    assert_eq!(ended.value.status, RunStatus::Completed);
}
