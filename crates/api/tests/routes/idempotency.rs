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

use crate::openapi::operations_with_templates;
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
async fn reading_does_not_look_at_it() {
    let world = Fixture::new();
    let client = world.client().await;
    for keys in wrong_keys() {
        let request = call(Method::GET, &world.reader, "/api/mcp/sites");
        assert_eq!(client.send(with_keys(request, &keys)).await.status, 200);
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

/// A POST request to an operation: its path, and its body if it takes one.
type Post = (String, Option<Value>);

/// A request that an operation of the organization accepts, and a different one.
fn requests(world: &Fixture, template: &str) -> [Post; 2] {
    let bodies = |one: Value, two: Value| [Some(one), Some(two)];
    let (ids, bodies): ([String; 2], [Option<Value>; 2]) = match template {
        "/api/mcp/start-audit" => (
            Default::default(),
            bodies(
                json!({"url": "https://one.example.com/"}),
                json!({"url": "https://two.example.com/"}),
            ),
        ),
        "/api/mcp/sites" => (
            Default::default(),
            bodies(
                json!({"url": "https://one.example.com/"}),
                json!({"url": "https://two.example.com/"}),
            ),
        ),
        "/api/mcp/actions" => (
            Default::default(),
            bodies(json!({"title": "One"}), json!({"title": "Two"})),
        ),
        "/api/mcp/actions/handoff" => {
            let id = world.own_action(&world.acme, "Mine").id.to_string();
            let other = json!({"ids": [id], "format": "cursor"});
            (Default::default(), bodies(json!({"ids": [id]}), other))
        }
        "/api/mcp/actions/{actionId}/brief" | "/api/mcp/actions/{actionId}/comments" => {
            let id = world.own_action(&world.acme, "Mine").id.to_string();
            let bodies = match template.ends_with("brief") {
                true => bodies(json!({}), json!({"instructions": "We use Hugo."})),
                false => bodies(json!({"body": "One."}), json!({"body": "Two."})),
            };
            ([id.clone(), id], bodies)
        }
        "/api/mcp/sites/{siteId}/waivers" => {
            let (_, site) = world.queued(&world.acme, "https://example.com/");
            let waiver = |reason: &str| json!({"checkId": "image-alt", "reason": reason});
            let ids = [site.to_string(), site.to_string()];
            (ids, bodies(waiver("One"), waiver("Two")))
        }
        "/api/mcp/webhooks" => {
            let webhook = |url: &str| json!({"url": url, "events": ["run.failed"]});
            let two = webhook("https://two.example.com/");
            let bodies = bodies(webhook("https://one.example.com/"), two);
            (Default::default(), bodies)
        }
        "/api/mcp/webhooks/{webhookId}/test" => {
            let ids = [(); 2].map(|()| world.webhook(&world.acme).to_string());
            (ids, [None, None])
        }
        "/api/mcp/runs/{runId}/cancel" => {
            let urls = ["https://one.example.com/", "https://two.example.com/"];
            let ids = urls.map(|url| world.queued(&world.acme, url).0.to_string());
            (ids, [None, None])
        }
        other => panic!("teach this test about {other}"),
    };
    let [one, two] = ids.map(|id| match template.split_once('{') {
        None => template.to_owned(),
        Some((before, rest)) => {
            let (_, after) = rest.split_once('}').unwrap();
            format!("{before}{id}{after}")
        }
    });
    let [first, second] = bodies;
    [(one, first), (two, second)]
}

#[actix_web::test]
async fn every_post_is_executed_once() {
    let mut seen = 0;
    for (method, template) in operations_with_templates(Fixture::new().variant) {
        if method != Method::POST {
            continue;
        }
        seen += 1;
        let world = Fixture::new();
        let client = world.client().await;
        let [request, other] = requests(&world, &template);
        let send = |(path, body): &Post, keys: &[Vec<u8>]| {
            let mut request = call(Method::POST, &world.admin, path);
            if let Some(body) = body {
                request = request.set_json(body);
            }
            client.send(with_keys(request, keys))
        };
        for keys in wrong_keys() {
            let reply = send(&request, &keys).await;
            let named = (reply.status, reply.field());
            let expected = (400, Some("Idempotency-Key".to_owned()));
            assert_eq!(named, expected, "{template}, {keys:?}: {}", reply.text());
        }
        let key = [b"k-1".to_vec()];
        let first = send(&request, &key).await;
        let made = (200..300).contains(&first.status) && !is_replayed(&first);
        assert!(made, "{template}: {}", first.text());
        let rows = world.stores.rows().unwrap();
        world.clock.advance(TimeDelta::seconds(1));
        let again = send(&request, &key).await;
        assert_eq!(again.status, first.status, "{template}");
        assert!(is_replayed(&again), "{template}");
        assert_eq!(again.body, first.body, "{template}");
        assert_eq!(again.header("Location"), first.header("Location"));
        assert_eq!(world.stores.rows().unwrap(), rows, "{template}");
        let reused = send(&other, &key).await;
        assert_eq!(
            (reused.status, reused.code().as_str()),
            (422, "idempotency_key_reused"),
            "{template}"
        );
        assert_eq!(world.stores.rows().unwrap(), rows, "{template}");
    }
    assert_eq!(seen, 10);
}

#[actix_web::test]
async fn what_is_not_accepted_is_not_stored() {
    let world = Fixture::new();
    let client = world.client().await;
    let done = world.completed(&world.acme, "https://example.com/");
    let (queued, _) = world.queued(&world.acme, "https://two.example.com/");
    let cancel = |run: &str| {
        let path = format!("/api/mcp/runs/{run}/cancel");
        let request = call(Method::POST, &world.admin, &path);
        client.send(request.insert_header(("Idempotency-Key", "k")))
    };
    let late = cancel(done.run.as_str()).await;
    assert_eq!((late.status, late.code().as_str()), (409, "conflict"));
    assert_eq!(cancel(&unused_id("run")).await.status, 404);
    let cancelled = cancel(queued.as_str()).await;
    assert_eq!((cancelled.status, is_replayed(&cancelled)), (202, false));
}

#[actix_web::test]
async fn a_prompt_is_replayed_although_the_item_changed() {
    let world = Fixture::new();
    let client = world.client().await;
    let id = world.own_action(&world.acme, "Mine").id.to_string();
    let body = json!({"ids": [id]});
    let send = || {
        let request = call(Method::POST, &world.reader, "/api/mcp/actions/handoff");
        client.send(
            request
                .insert_header(("Idempotency-Key", "k"))
                .set_json(&body),
        )
    };
    let first = send().await;
    let changed = json!({"title": "Yours"});
    let path = format!("/api/mcp/actions/{id}");
    assert_eq!(
        client.patch(&world.admin, &path, &changed).await.status,
        200
    );
    let again = send().await;
    assert_eq!((again.status, is_replayed(&again)), (200, true));
    assert_eq!(again.body, first.body);
}
