use chrono::TimeDelta;
use domain::ports::OrgStore;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Client, Fixture, Reply, call};

const FINGERPRINT: &str = "24680937b262fa3f5604926f6291d7f9";

/// The path of the waivers of a site of the organization.
fn path(world: &Fixture) -> String {
    let site = world.completed(&world.acme, "https://example.com/").site;
    format!("/api/mcp/sites/{site}/waivers")
}

async fn made(world: &Fixture, client: &Client, path: &str) -> Value {
    let body = json!({"checkId": "image-alt", "reason": "Accepted."});
    let reply = client.post(&world.admin, path, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

#[actix_web::test]
async fn a_waiver_is_made_and_listed() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let body = json!({
        "checkId": "image-alt", "path": "/archive/", "cause": FINGERPRINT,
        "reason": " The archive is frozen. ", "expiresAt": "2027-01-31T12:00:00+02:00",
    });
    let reply = client.post(&world.admin, &path, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let waiver = reply.json();
    assert_eq!(waiver["reason"], "The archive is frozen.");
    assert_eq!(waiver["expiresAt"], "2027-01-31T10:00:00.000Z");
    assert_eq!(waiver["state"], "active");
    assert_eq!(waiver["author"]["type"], "key");
    assert!(waiver["waiverId"].as_str().unwrap().starts_with("wvr_"));
    assert_eq!(
        world.get(&path).await.json(),
        json!({ "waivers": [waiver] })
    );
    let log = format!("{:?}", world.stores.audit_log(&world.acme).unwrap());
    assert!(log.contains("waiver.created"), "{log}");
}

#[actix_web::test]
async fn a_waiver_expires() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let soon = "2026-11-21T12:10:00Z";
    let body = json!({"checkId": "image-alt", "reason": "Until the relaunch.", "expiresAt": soon});
    assert_eq!(client.post(&world.admin, &path, &body).await.status, 201);
    let state = |reply: Reply| reply.json()["waivers"][0]["state"].clone();
    assert_eq!(state(world.get(&path).await), "active");
    world.clock.advance(TimeDelta::minutes(10));
    assert_eq!(state(world.get(&path).await), "expired");
}

#[rstest]
#[case::nothing(json!({}), "checkId")]
#[case::no_reason(json!({"checkId": "image-alt"}), "reason")]
#[case::blank_reason(json!({"checkId": "image-alt", "reason": " "}), "reason")]
#[case::unknown_check(json!({"checkId": "nonsense", "reason": "x"}), "checkId")]
#[case::path(json!({"checkId": "image-alt", "reason": "x", "path": "docs"}), "path")]
#[case::cause(json!({"checkId": "image-alt", "reason": "x", "cause": "x"}), "cause")]
#[case::no_time(json!({"checkId": "image-alt", "reason": "x", "expiresAt": "soon"}), "expiresAt")]
#[case::past(json!({"checkId": "image-alt", "reason": "x", "expiresAt": "2020-01-31T00:00:00Z"}), "expiresAt")]
#[case::author(json!({"checkId": "image-alt", "reason": "x", "author": "me"}), "author")]
#[actix_web::test]
async fn what_is_wrong_is_named_and_no_waiver_is_made(#[case] body: Value, #[case] field: &str) {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let reply = client.post(&world.admin, &path, &body).await;
    let found = (reply.status, reply.code(), reply.field());
    assert_eq!(
        (found.0, found.1.as_str(), found.2.as_deref()),
        (400, "invalid_request", Some(field))
    );
    assert_eq!(world.get(&path).await.json(), json!({"waivers": []}));
}

#[actix_web::test]
async fn all_wrong_fields_are_named_at_once() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let body = json!({"checkId": "nonsense", "reason": "", "path": "docs", "expiresAt": "soon"});
    let problem = client.post(&world.admin, &path, &body).await.json();
    let errors = problem["errors"].as_array().unwrap();
    let fields: Vec<_> = errors.iter().map(|error| &error["field"]).collect();
    // The order is that of the request, which serde_json sorts.
    assert_eq!(fields, ["checkId", "expiresAt", "path", "reason"]);
}

#[actix_web::test]
async fn a_waiver_is_deleted_once() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let waiver = made(&world, &client, &path).await;
    let path = format!("{path}/{}", waiver["waiverId"].as_str().unwrap());
    let delete = async || {
        client
            .send(call(actix_web::http::Method::DELETE, &world.admin, &path))
            .await
    };
    assert_eq!(delete().await.status, 204);
    assert_eq!(delete().await.status, 404);
}

#[actix_web::test]
async fn of_two_calls_with_one_key_one_makes_a_waiver() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = path(&world);
    let body = json!({"checkId": "image-alt", "reason": "Accepted."});
    let post = async || {
        let request = call(actix_web::http::Method::POST, &world.admin, &path);
        let request = request.insert_header(("Idempotency-Key", "once"));
        client.send(request.set_json(&body)).await
    };
    let (first, second) = (post().await, post().await);
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(first.json(), second.json());
    assert_eq!(second.header("Idempotency-Replayed"), Some("true"));
    let list = world.get(&path).await.json();
    assert_eq!(list["waivers"].as_array().unwrap().len(), 1);
}
