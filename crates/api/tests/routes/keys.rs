//! Every operation of the document with every kind of key that opens nothing.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use domain::audit_log::Actor;
use domain::key::{KeySecret, Role};
use domain::ports::{KeyStore, NewKey};
use rstest::rstest;
use testkit::sample;

use crate::openapi::operations;
use crate::world::{Client, Fixture, call};

/// What the Authorization header may hold without opening anything.
fn useless_headers(world: &Fixture) -> Vec<(&'static str, Option<String>)> {
    let good = world.admin.clone();
    let last = if good.ends_with('a') { 'b' } else { 'a' };
    let bad_checksum = format!("{}{last}", good.get(..good.len() - 1).unwrap());
    let unknown = KeySecret::generate(&testkit::SequentialIds::after(7_000_000));
    let (revoked, revoked_secret) = sample::new_key(&world.ids, Role::Admin);
    let (expired, expired_secret) = sample::new_key(&world.ids, Role::Admin);
    let expired = NewKey {
        expires_at: Some(sample::noon()),
        ..expired
    };
    for key in [&revoked, &expired] {
        assert!(
            world
                .stores
                .create_key(&world.acme, key, &Actor::CommandLine)
                .unwrap()
        );
    }
    let by = Actor::CommandLine;
    let now = sample::noon() - TimeDelta::minutes(1);
    assert!(
        world
            .stores
            .revoke_key(&world.acme, &revoked.id, now, &by)
            .unwrap()
    );
    let rest = good.strip_prefix("sk_service_").unwrap();
    vec![
        ("no header", None),
        ("empty", Some(String::new())),
        ("scheme alone", Some("Bearer".to_owned())),
        ("Basic", Some(format!("Basic {good}"))),
        ("no scheme", Some(good.clone())),
        ("no prefix", Some(format!("Bearer {rest}"))),
        ("wrong prefix", Some(format!("Bearer sk_live_{rest}"))),
        ("bad checksum", Some(format!("Bearer {bad_checksum}"))),
        (
            "cut off",
            good.get(..20).map(|start| format!("Bearer {start}")),
        ),
        ("more behind it", Some(format!("Bearer {good} x"))),
        ("quoted", Some(format!("Bearer \"{good}\""))),
        ("unknown", Some(format!("Bearer {}", unknown.expose()))),
        (
            "revoked",
            Some(format!("Bearer {}", revoked_secret.expose())),
        ),
        (
            "expired",
            Some(format!("Bearer {}", expired_secret.expose())),
        ),
    ]
}

async fn assert_refused(client: &Client, what: &str, request: TestRequest) {
    let reply = client.send(request).await;
    assert_eq!(reply.status, 401, "{what}: {}", reply.text());
    assert_eq!(reply.code(), "unauthorized", "{what}");
    assert_eq!(reply.header("WWW-Authenticate"), Some("Bearer"), "{what}");
}

#[actix_web::test]
async fn no_operation_opens_to_them() {
    let world = Fixture::new();
    let client = world.client().await;
    let operations = operations(world.variant);
    assert!(operations.len() >= 7);
    for (method, path) in operations {
        for (what, header) in useless_headers(&world) {
            let mut request = TestRequest::with_uri(&path).method(method.clone());
            if let Some(header) = header {
                request = request.insert_header(("Authorization", header));
            }
            assert_refused(&client, &format!("{method} {path}: {what}"), request).await;
        }
    }
}

#[rstest]
#[case("GET", "/api/mcp")]
#[case("GET", "/api/mcp/")]
#[case("GET", "/api/mcp/nothing")]
#[case("GET", "/api/mcp/start-audit")]
#[case("POST", "/api/mcp/start-audit?a=b")]
#[case("DELETE", "/api/mcp/account")]
#[case("OPTIONS", "/api/mcp/account")]
#[case("BREW", "/api/mcp/account")]
#[actix_web::test]
async fn the_key_comes_before_the_path(#[case] method: &str, #[case] path: &str) {
    let world = Fixture::new();
    let request = TestRequest::with_uri(path).method(method.parse().unwrap());
    assert_refused(&world.client().await, path, request).await;
}

#[actix_web::test]
async fn a_repeated_header_is_refused() {
    let world = Fixture::new();
    let request = call(Method::GET, &world.admin, "/api/mcp/account")
        .append_header(("Authorization", format!("Bearer {}", world.admin)));
    assert_refused(&world.client().await, "repeated", request).await;
}

#[rstest]
#[case("Bearer")]
#[case("bearer")]
#[case("BEARER")]
#[case("Bearer ")]
#[actix_web::test]
async fn the_scheme_is_spelled_in_any_case(#[case] scheme: &str) {
    let world = Fixture::new();
    let request = TestRequest::with_uri("/api/mcp/account")
        .insert_header(("Authorization", format!("{scheme} {}", world.admin)));
    assert_eq!(world.client().await.send(request).await.status, 200);
}

#[actix_web::test]
async fn a_revoked_key_fails_on_the_very_next_call() {
    let world = Fixture::new();
    let (key, secret) = sample::new_key(&world.ids, Role::Read);
    let by = Actor::CommandLine;
    assert!(world.stores.create_key(&world.acme, &key, &by).unwrap());
    let client = world.client().await;
    let path = "/api/mcp/account";
    assert_eq!(client.get(secret.expose(), path).await.status, 200);
    let now = sample::noon();
    assert!(
        world
            .stores
            .revoke_key(&world.acme, &key.id, now, &by)
            .unwrap()
    );
    assert_eq!(client.get(secret.expose(), path).await.status, 401);
}
