//! What the log of a request holds, and what it never does.

use std::io;
use std::sync::{Arc, Mutex};

use actix_web::http::Method;
use domain::ports::StoreError;
use httpkit::limits::{CallerLimits, Tiers};
use httpkit::rate_limits::RateLimits;
use serde_json::Value;
use tracing_subscriber::fmt::MakeWriter;

use crate::world::{Fixture, call, unused_id};

/// Lines of a log.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Lines {
    /// Takes down what this thread logs, everything there is.
    fn capture() -> (Self, tracing::subscriber::DefaultGuard) {
        let lines = Self::default();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .with_max_level(tracing::Level::TRACE)
            .with_writer(lines.clone())
            .finish();
        (lines, tracing::subscriber::set_default(subscriber))
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// The fields of the events of this crate.
    fn events(&self) -> Vec<Value> {
        let text = self.text();
        let lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .filter(|line| line["target"].as_str().unwrap().starts_with("api"))
            .map(|line| line["fields"].clone())
            .collect()
    }
}

#[actix_web::test]
async fn one_event_for_each_request() {
    let world = Fixture::new();
    let client = world.client().await;
    let (lines, _guard) = Lines::capture();
    let reply = client.get(&world.admin, "/api/mcp/runs/run_1").await;
    let events = lines.events();
    assert_eq!(events.len(), 1, "{events:?}");
    let mut event = events[0].clone();
    assert_eq!(event["request.id"].as_str(), reply.header("X-Request-Id"));
    assert!(event["duration_ms"].as_f64().unwrap() > 0.0);
    event["duration_ms"] = Value::Null;
    event["request.id"] = Value::Null;
    assert!(event["key.id"].as_str().unwrap().starts_with("key_"));
    event["key.id"] = Value::Null;
    insta::assert_snapshot!(serde_json::to_string_pretty(&event).unwrap(), @r#"
    {
      "duration_ms": null,
      "http.method": "GET",
      "http.path": "/api/mcp/runs/run_1",
      "http.route": "/api/mcp/runs/{runId}",
      "http.status": 404,
      "key.id": null,
      "message": "request",
      "org.id": "org_01KXZZ9Q800000000000000000",
      "request.id": null
    }
    "#);
}

#[actix_web::test]
async fn a_cause_is_logged_once_with_the_request_id() {
    let world = Fixture::new();
    let client = world.client().await;
    world
        .stores
        .break_with(Some(StoreError::Failed("no such table".to_owned())));
    let (lines, _guard) = Lines::capture();
    let reply = client.get(&world.admin, "/api/mcp/sites").await;
    let events = lines.events();
    let causes: Vec<_> = events
        .iter()
        .filter(|event| event["cause"].is_string())
        .collect();
    assert_eq!(causes.len(), 1, "{events:?}");
    assert_eq!(causes[0]["cause"], "the database failed: no such table");
    assert_eq!(
        causes[0]["request.id"].as_str(),
        reply.header("X-Request-Id")
    );
}

#[actix_web::test]
async fn no_key_stands_in_the_log() {
    let world = Fixture::new();
    let client = world.client().await;
    let (lines, _guard) = Lines::capture();
    let key = &world.admin;
    let secret = key.strip_prefix("sk_service_").unwrap();
    let body = format!(r#"{{"url":"{key}","{key}":1}}"#);
    for path in [
        "/api/mcp/account".to_owned(),
        format!("/api/mcp/runs/{key}"),
        format!("/api/mcp/runs/sk%5Fservice%5F{secret}"),
        format!("/api/mcp/{key}/x?key={key}"),
        format!("/api/mcp/account?key={key}"),
        format!("/{key}"),
        format!("/docs/{key}"),
        format!("/healthz?{key}"),
    ] {
        for method in [Method::GET, Method::POST, key.parse().unwrap()] {
            let request = call(method, key, &path)
                .insert_header(("Content-Type", "application/json"))
                .insert_header(("Cookie", key.as_str()))
                .insert_header(("Referer", format!("https://example.com/{key}")))
                .insert_header(("User-Agent", key.as_str()))
                .set_payload(body.clone());
            client.send(request).await;
        }
    }
    let text = lines.text();
    assert!(lines.events().len() >= 24);
    assert!(!text.contains(secret), "{text}");
}

#[actix_web::test]
async fn no_signature_stands_in_the_log() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let client = world.client().await;
    let (lines, _guard) = Lines::capture();
    let link = crate::dl::link(&world, &report).await;
    let signature = link.split_once("sig=").unwrap().1;
    let referer = format!("https://assay.example{link}");
    for path in [
        link.clone(),
        link.replace("exp=1", "exp=2"),
        link.replacen('?', "%3F", 1),
        link.replacen('?', "&", 1),
        link.replacen('?', "/", 1),
        link.replacen('?', "%3F", 1).replace("sig=", "sig%3D"),
        link.replace("/dl/", "/downloads/"),
        format!("/nothing?{link}"),
        format!(
            "/api/mcp/reports/{report}?{}",
            link.split_once('?').unwrap().1
        ),
    ] {
        for method in [Method::GET, Method::HEAD, Method::POST] {
            let request =
                call(method, &world.admin, &path).insert_header(("Referer", referer.as_str()));
            client.send(request).await;
        }
    }
    world.clock.advance(chrono::TimeDelta::minutes(5));
    client.get("", &link).await;
    world
        .stores
        .break_with(Some(StoreError::Failed("no such table".to_owned())));
    client.get("", &link).await;
    let text = lines.text();
    assert!(lines.events().len() >= 29);
    assert!(text.contains(report.as_str()));
    assert!(!text.contains(signature), "{text}");
}

#[actix_web::test]
async fn a_call_that_finds_no_room_is_logged_with_whose_it_is() {
    let none = Tiers {
        key: 0,
        organization: 0,
        total: 0,
    };
    let world = Fixture {
        rate_limits: RateLimits::new(CallerLimits {
            exports: none,
            ..CallerLimits::default()
        }),
        ..Fixture::new()
    };
    let client = world.client().await;
    let (lines, _guard) = Lines::capture();
    let path = format!("/api/mcp/reports/{}?format=csv", unused_id("rep"));
    // The key is known after its first call.
    for _ in 0..2 {
        assert_eq!(client.get(&world.admin, &path).await.status, 429);
    }
    let events = lines.events();
    assert_eq!(events.len(), 2, "{events:?}");
    for event in &events {
        assert_eq!(event["org.id"], world.acme.as_str());
        assert!(event["key.id"].as_str().unwrap().starts_with("key_"));
    }
}

#[actix_web::test]
async fn a_document_is_logged_with_whose_it_is() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = crate::dl::link(&world, &report).await;
    let client = world.client().await;
    let (lines, _guard) = Lines::capture();
    client.get("", &link).await;
    client.get("", &link.replace("sig=", "sig=0")).await;
    let events = lines.events();
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(events[0]["org.id"], world.acme.as_str());
    assert_eq!(events[0]["http.route"], "/dl/reports/{reportId}.pdf");
    assert_eq!(events[0]["http.path"], format!("/dl/reports/{report}.pdf"));
    assert_eq!(events[1].get("org.id"), None);
}
