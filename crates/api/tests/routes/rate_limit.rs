//! How often a key may call.

use std::num::NonZeroU32;

use actix_web::http::Method;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use domain::ports::StoreError;
use httpkit::limits::RateLimit;
use serde_json::json;

use crate::openapi::operations;
use crate::world::{Client, Fixture, Reply, call};

const PATH: &str = "/api/mcp/sites";

/// A world whose keys may call that often.
fn world(per_minute: u32, burst: u32) -> Fixture {
    limited(Fixture::new(), per_minute, burst)
}

fn limited(world: Fixture, per_minute: u32, burst: u32) -> Fixture {
    Fixture {
        rate_limit: Some(RateLimit {
            per_minute: NonZeroU32::new(per_minute).unwrap(),
            burst: NonZeroU32::new(burst).unwrap(),
        }),
        ..world
    }
}

fn standing(reply: &Reply) -> (Option<&str>, Option<&str>) {
    (reply.header("RateLimit-Policy"), reply.header("RateLimit"))
}

#[actix_web::test]
async fn a_burst_passes_and_then_one_call_at_a_time() {
    let world = world(20, 3);
    let client = world.client().await;
    let policy = Some(r#""default";q=20;w=60"#);
    for left in [2, 1, 0] {
        let reply = client.get(&world.admin, PATH).await;
        assert_eq!(reply.status, 200);
        let expected = format!(r#""default";r={left};t=3"#);
        assert_eq!(standing(&reply), (policy, Some(expected.as_str())));
    }
    let refused = client.get(&world.admin, PATH).await;
    insta::assert_snapshot!(refused.shown(), @r#"
    429
    {
      "code": "rate_limited",
      "detail": "The key sent too many requests. Wait 3 seconds.",
      "requestId": "01KXZZ9Q80000000000000YGJ3",
      "status": 429,
      "title": "Too many requests",
      "type": "https://assay.example/docs/errors#rate_limited"
    }
    "#);
    assert_eq!(standing(&refused), (policy, Some(r#""default";r=0;t=3"#)));
    assert_eq!(refused.header("Retry-After"), Some("3"));
    world.clock.advance(TimeDelta::milliseconds(2_001));
    let refused = client.get(&world.admin, PATH).await;
    assert_eq!(
        (refused.status, refused.header("Retry-After")),
        (429, Some("1"))
    );
    world.clock.advance(TimeDelta::milliseconds(999));
    assert_eq!(client.get(&world.admin, PATH).await.status, 200);
    assert_eq!(client.get(&world.admin, PATH).await.status, 429);
    world.clock.advance(TimeDelta::minutes(5));
    for expected in [200, 200, 200, 429] {
        assert_eq!(client.get(&world.admin, PATH).await.status, expected);
    }
}

#[actix_web::test]
async fn one_key_does_not_use_up_the_calls_of_another() {
    let world = world(1, 1);
    let client = world.client().await;
    for expected in [200, 429] {
        assert_eq!(client.get(&world.admin, PATH).await.status, expected);
    }
    for other in [&world.member, &world.reader, &world.rival_admin] {
        assert_eq!(client.get(other, PATH).await.status, 200);
    }
}

#[actix_web::test]
async fn all_threads_of_a_process_count_together() {
    let world = world(1, 1);
    let state = world.state();
    let (one, other) = (Client::new(&state).await, Client::new(&state).await);
    assert_eq!(one.get(&world.admin, PATH).await.status, 200);
    assert_eq!(other.get(&world.admin, PATH).await.status, 429);
}

#[actix_web::test]
async fn it_comes_before_path_role_and_input_on_every_operation() {
    let world = world(1, 1);
    let client = world.client().await;
    assert_eq!(client.get(&world.reader, PATH).await.status, 200);
    let mut paths = operations(world.variant);
    paths.push((Method::GET, "/api/mcp/nothing".to_owned()));
    paths.push((Method::DELETE, "/api/mcp/account".to_owned()));
    for (method, path) in paths {
        let request = call(method, &world.reader, &path).set_payload("{");
        let reply = client.send(request).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (429, "rate_limited"),
            "{path}"
        );
        assert_eq!(reply.header("Retry-After"), Some("60"));
    }
}

#[actix_web::test]
async fn payment_comes_before() {
    let world = limited(Fixture::legacy(), 1, 1);
    let client = world.client().await;
    for _ in 0..3 {
        let reply = client.get(&world.rival_admin, PATH).await;
        assert_eq!((reply.status, standing(&reply)), (402, (None, None)));
    }
}

#[actix_web::test]
async fn calls_without_a_valid_key_are_not_counted() {
    let world = world(1, 1);
    let client = world.client().await;
    let (secret, _) = world.admin.split_at(world.admin.len() - 1);
    for _ in 0..3 {
        let reply = client.get(secret, PATH).await;
        assert_eq!((reply.status, standing(&reply)), (401, (None, None)));
    }
    let error = StoreError::Unavailable("away".to_owned());
    world.stores.break_with(Some(error));
    assert_eq!(client.get(&world.admin, PATH).await.status, 503);
    world.stores.break_with(None);
    assert_eq!(client.get(&world.admin, PATH).await.status, 200);
}

#[actix_web::test]
async fn every_answer_to_a_known_caller_says_where_the_key_stands() {
    let world = world(600, 120);
    let client = world.client().await;
    for (request, status) in [
        (call(Method::GET, &world.admin, PATH), 200),
        (call(Method::GET, &world.admin, "/api/mcp/nothing"), 404),
        (call(Method::DELETE, &world.admin, PATH), 405),
        (
            call(Method::POST, &world.reader, "/api/mcp/start-audit"),
            403,
        ),
        (
            call(Method::POST, &world.admin, "/api/mcp/start-audit").set_json(json!([])),
            400,
        ),
    ] {
        let reply = client.send(request).await;
        assert_eq!(reply.status, status);
        assert_eq!(
            reply.header("RateLimit-Policy"),
            Some(r#""default";q=600;w=60"#)
        );
        assert!(reply.header("RateLimit").is_some(), "{status}");
    }
}

#[actix_web::test]
async fn nothing_is_counted_where_the_operator_turned_it_off() {
    let world = Fixture::new();
    let client = world.client().await;
    for _ in 0..200 {
        let reply = client.get(&world.admin, PATH).await;
        assert_eq!((reply.status, standing(&reply)), (200, (None, None)));
    }
}

#[actix_web::test]
async fn pages_without_a_key_are_not_counted() {
    let world = world(1, 1);
    let client = world.client().await;
    for _ in 0..3 {
        let reply = client.send(TestRequest::with_uri("/healthz")).await;
        assert_eq!(reply.status, 200);
    }
}
