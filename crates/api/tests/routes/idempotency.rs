//! Calls with an Idempotency-Key.

use std::sync::Arc;
use std::sync::mpsc;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use api::ApiState;
use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::ports::SiteStore;
use futures_util::future::join;
use rstest::rstest;
use serde_json::{Value, json};
use testkit::sample;
use tokio::sync::mpsc::unbounded_channel;

use crate::world::{Client, Fixture, Reply, call, unused_id};

const PATH: &str = "/api/mcp/start-audit";
const BODY: &str = r#"{"url":"https://example.com/"}"#;

fn keyed(api_key: &str, name: &str, body: &str) -> TestRequest {
    call(Method::POST, api_key, PATH)
        .insert_header(("Content-Type", "application/json"))
        .insert_header(("Idempotency-Key", name))
        .set_payload(body.to_owned())
}

fn is_replayed(reply: &Reply) -> bool {
    reply.header("Idempotency-Replayed") == Some("true")
}

async fn runs(world: &Fixture) -> usize {
    let list = world.get("/api/mcp/runs").await.json();
    list["runs"].as_array().unwrap().len()
}

#[actix_web::test]
async fn the_same_call_is_answered_as_it_was_and_changes_nothing() {
    let world = Fixture::new();
    let client = world.client().await;
    let first = client.send(keyed(&world.member, "k-1", BODY)).await;
    assert_eq!((first.status, is_replayed(&first)), (202, false));
    for key in [&world.member, &world.admin] {
        let again = client.send(keyed(key, "k-1", BODY)).await;
        assert_eq!((again.status, is_replayed(&again)), (202, true));
        assert_eq!(again.body, first.body);
        for name in ["Location", "Content-Type"] {
            assert_eq!(again.header(name), first.header(name));
        }
        assert_ne!(again.header("X-Request-Id"), first.header("X-Request-Id"));
    }
    assert_eq!(runs(&world).await, 1);
    assert_eq!(world.woken.load(std::sync::atomic::Ordering::Relaxed), 1);
}

#[actix_web::test]
async fn calls_without_a_key_or_with_others_are_their_own() {
    let world = Fixture::new();
    let client = world.client().await;
    for name in ["k-1", "K-1", &"k".repeat(255)] {
        let reply = client.send(keyed(&world.member, name, BODY)).await;
        assert_eq!((reply.status, is_replayed(&reply)), (202, false));
    }
    for _ in 0..2 {
        let body: Value = serde_json::from_str(BODY).unwrap();
        let reply = client.post(&world.member, PATH, &body).await;
        assert_eq!((reply.status, is_replayed(&reply)), (202, false));
    }
    assert_eq!(runs(&world).await, 5);
    let reply = client.send(keyed(&world.rival_admin, "k-1", BODY)).await;
    assert_eq!((reply.status, is_replayed(&reply)), (202, false));
}

#[actix_web::test]
async fn a_key_is_forgotten_after_a_day() {
    let world = Fixture::new();
    let client = world.client().await;
    for (hours, replayed) in [(0, false), (23, true), (1, false)] {
        world.clock.advance(TimeDelta::hours(hours));
        let reply = client.send(keyed(&world.member, "k", BODY)).await;
        assert_eq!((reply.status, is_replayed(&reply)), (202, replayed));
    }
}

#[rstest]
#[case::another_url(r#"{"url":"https://example.org/"}"#)]
#[case::other_bytes(r#"{"url": "https://example.com/"}"#)]
#[actix_web::test]
async fn a_key_names_one_call(#[case] body: &str) {
    let world = Fixture::new();
    let client = world.client().await;
    client.send(keyed(&world.member, "k", BODY)).await;
    let reply = client.send(keyed(&world.member, "k", body)).await;
    insta::allow_duplicates! {
        insta::assert_snapshot!(reply.shown(), @r#"
        422
        {
          "code": "idempotency_key_reused",
          "detail": "The Idempotency-Key was used with a different request. Use a new one.",
          "requestId": "01KXZZ9Q80000000000000YGJ3",
          "status": 422,
          "title": "The Idempotency-Key was already used",
          "type": "https://assay.example/docs/errors#idempotency_key_reused"
        }
        "#);
    }
    assert_eq!(runs(&world).await, 1);
}

#[actix_web::test]
async fn it_is_judged_after_the_input_and_before_ids() {
    let world = Fixture::new();
    let client = world.client().await;
    client.send(keyed(&world.member, "k", BODY)).await;
    for (body, status) in [
        (r#"{"url":1}"#.to_owned(), 400),
        (r#"{"url":"http://127.0.0.1/"}"#.to_owned(), 400),
        (
            json!({"url": "https://example.com/", "siteId": unused_id("site")}).to_string(),
            422,
        ),
    ] {
        let reply = client.send(keyed(&world.member, "k", &body)).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.text());
    }
}

#[actix_web::test]
async fn refusals_are_not_kept() {
    let world = Fixture::new();
    let client = world.client().await;
    let strange = json!({"url": "https://example.com/", "siteId": unused_id("site")}).to_string();
    let reply = client.send(keyed(&world.member, "k", &strange)).await;
    assert_eq!(reply.status, 404);
    let reply = client.send(keyed(&world.member, "k", BODY)).await;
    assert_eq!((reply.status, is_replayed(&reply)), (202, false));

    let key = &world.rival_admin;
    for url in ["https://one.example.com/", "https://two.example.com/"] {
        let body = json!({ "url": url });
        assert_eq!(client.post(key, PATH, &body).await.status, 202);
    }
    let reply = client.send(keyed(key, "k", BODY)).await;
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (403, "plan_limit_hit")
    );
    let body = r#"{"url":"https://one.example.com/"}"#;
    let reply = client.send(keyed(key, "k", body)).await;
    assert_eq!((reply.status, is_replayed(&reply)), (202, false));
    // The month is over its cap now, and what was done stays done.
    let reply = client.send(keyed(key, "k", body)).await;
    assert_eq!((reply.status, is_replayed(&reply)), (202, true));
    assert_eq!(client.send(keyed(key, "other", body)).await.status, 403);
}

/// Headers that are no key.
fn wrong_keys() -> Vec<Vec<Vec<u8>>> {
    let one = |value: &[u8]| vec![value.to_vec()];
    vec![
        one(b""),
        one(b" "),
        one(b"a b"),
        one(b"a\tb"),
        one("ä".as_bytes()),
        one(b"\xff"),
        one(&[b'k'; 256]),
        vec![b"k".to_vec(), b"k".to_vec()],
        vec![b"k".to_vec(), b"l".to_vec()],
    ]
}

fn with_keys(request: TestRequest, keys: &[Vec<u8>]) -> TestRequest {
    keys.iter().fold(request, |request, key| {
        let value = actix_web::http::header::HeaderValue::from_bytes(key).unwrap();
        request.append_header(("Idempotency-Key", value))
    })
}

fn starting(key: &str) -> TestRequest {
    call(Method::POST, key, PATH)
        .insert_header(("Content-Type", "application/json"))
        .set_payload(BODY)
}

#[actix_web::test]
async fn a_malformed_key_is_named() {
    let world = Fixture::new();
    let client = world.client().await;
    for keys in wrong_keys() {
        let reply = client.send(with_keys(starting(&world.member), &keys)).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("Idempotency-Key")),
            "{keys:?}"
        );
        assert_eq!(reply.code(), "invalid_request");
        // The role comes before.
        let reply = client.send(with_keys(starting(&world.reader), &keys)).await;
        assert_eq!(reply.status, 403);
    }
    assert_eq!(runs(&world).await, 0);
}

#[actix_web::test]
async fn operations_that_do_not_honour_it_do_not_look_at_it() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let cancel = format!("/api/mcp/runs/{run}/cancel");
    for keys in wrong_keys() {
        let request = call(Method::GET, &world.reader, "/api/mcp/sites");
        assert_eq!(client.send(with_keys(request, &keys)).await.status, 200);
        let request = call(Method::POST, &world.member, &cancel);
        let reply = client.send(with_keys(request, &keys)).await;
        assert!([200, 202].contains(&reply.status));
    }
}

/// A state whose calls stop where their change is made and their answer is not: each says so, and waits
/// to be released.
fn halting(
    world: &Fixture,
) -> (
    ApiState,
    tokio::sync::mpsc::UnboundedReceiver<()>,
    mpsc::Sender<()>,
) {
    let (arrive, arrived) = unbounded_channel();
    let (release, released) = mpsc::channel();
    let released = std::sync::Mutex::new(released);
    let mut state = world.state();
    Arc::get_mut(&mut state.settings).unwrap().on_run_started = Arc::new(move || {
        arrive.send(()).unwrap();
        released.lock().unwrap().recv().unwrap();
    });
    (state, arrived, release)
}

#[actix_web::test]
async fn a_call_waits_for_no_other_with_its_key() {
    let world = Fixture::new();
    let (state, mut arrived, release) = halting(&world);
    let (client, other) = (Client::new(&state).await, Client::new(&state).await);
    let first = client.send(keyed(&world.member, "k", BODY));
    let second = async {
        arrived.recv().await.unwrap();
        let second = other.send(keyed(&world.member, "k", BODY)).await;
        let elsewhere = other.get(&world.member, "/api/mcp/sites").await;
        release.send(()).unwrap();
        (second, elsewhere)
    };
    let (first, (second, elsewhere)) = join(first, second).await;
    assert_eq!((first.status, is_replayed(&first)), (202, false));
    insta::assert_snapshot!(second.shown(), @r#"
    409
    {
      "code": "idempotency_in_progress",
      "detail": "The first request with this Idempotency-Key has not finished. Wait and retry.",
      "requestId": "01KXZZ9Q80000000000000YGJ3",
      "status": 409,
      "title": "The first request is still in progress",
      "type": "https://assay.example/docs/errors#idempotency_in_progress"
    }
    "#);
    assert_eq!(elsewhere.status, 200);
    let third = client.send(keyed(&world.member, "k", BODY)).await;
    assert_eq!((third.status, is_replayed(&third)), (202, true));
    assert_eq!(runs(&world).await, 1);
}

#[actix_web::test]
async fn a_call_that_broke_off_after_its_change_is_answered_the_next_time() {
    let world = Fixture::new();
    let mut state = world.state();
    Arc::get_mut(&mut state.settings).unwrap().on_run_started =
        Arc::new(|| panic!("as this test wants it"));
    let client = Client::new(&state).await;
    let lost = client.send(keyed(&world.member, "k", BODY)).await;
    assert_eq!(lost.status, 500);
    let again = client.send(keyed(&world.member, "k", BODY)).await;
    assert_eq!((again.status, is_replayed(&again)), (202, true));
    assert_eq!(runs(&world).await, 1);
}

#[actix_web::test]
async fn a_site_that_is_gone_since_changes_no_answer() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let body = json!({"url": "https://example.com/", "siteId": site.as_str()}).to_string();
    let first = client.send(keyed(&world.member, "k", &body)).await;
    assert_eq!(first.status, 202);
    let by = Actor::CommandLine;
    let removed = world
        .stores
        .delete_site(&world.acme, &site, sample::noon(), &by);
    assert!(removed.unwrap());
    let again = client.send(keyed(&world.member, "k", &body)).await;
    assert_eq!((again.status, is_replayed(&again)), (202, true));
    assert_eq!(again.body, first.body);
    let other = client.send(keyed(&world.member, "other", &body)).await;
    assert_eq!(other.status, 404);
}

#[actix_web::test]
async fn a_site_and_an_item_are_created_once() {
    let world = Fixture::new();
    let client = world.client().await;
    for (path, body, other) in [
        (
            "/api/mcp/sites",
            json!({"url": "https://one.example.com/"}),
            json!({"url": "https://two.example.com/"}),
        ),
        (
            "/api/mcp/actions",
            json!({"title": "One"}),
            json!({"title": "Two"}),
        ),
    ] {
        let send = |body: &Value| {
            let request = call(Method::POST, &world.admin, path)
                .insert_header(("Idempotency-Key", "k-1"))
                .set_json(body);
            client.send(request)
        };
        let first = send(&body).await;
        assert_eq!((first.status, is_replayed(&first)), (201, false));
        let again = send(&body).await;
        assert_eq!((again.status, is_replayed(&again)), (201, true));
        assert_eq!(again.body, first.body);
        assert_eq!(again.header("Location"), first.header("Location"));
        let reused = send(&other).await;
        assert_eq!(
            (reused.status, reused.code().as_str()),
            (422, "idempotency_key_reused")
        );
        let list = world.get(path).await.json();
        let name = path.rsplit('/').next().unwrap();
        assert_eq!(list[name].as_array().unwrap().len(), 1, "{list}");
    }
}
