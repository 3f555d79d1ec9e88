//! Stores that fail, and other faults of ours.

use std::sync::Arc;

use api::ApiState;
use chrono::{DateTime, Utc};
use domain::audit_log::Actor;
use domain::ports::{Clock, OrgStore, StoreError};
use serde_json::json;
use testkit::sample;

use crate::openapi::operations;
use crate::world::{Client, Fixture, call};

#[actix_web::test]
async fn every_operation_is_503_while_the_database_is_away() {
    let world = Fixture::new();
    let client = world.client().await;
    let error = StoreError::Unavailable("connection to 10.1.2.3 refused".to_owned());
    world.stores.break_with(Some(error));
    for (method, path) in operations(world.variant) {
        let reply = client.send(call(method, &world.admin, &path)).await;
        assert_eq!((reply.status, reply.code().as_str()), (503, "unavailable"));
        assert_eq!(reply.header("Retry-After"), Some("5"));
        assert!(!reply.text().contains("10.1.2.3"));
    }
    world.stores.break_with(None);
    assert_eq!(
        client.get(&world.admin, "/api/mcp/account").await.status,
        200
    );
}

#[actix_web::test]
async fn a_mistyped_key_needs_no_database() {
    let world = Fixture::new();
    world
        .stores
        .break_with(Some(StoreError::Unavailable(String::new())));
    let reply = world
        .client()
        .await
        .get("sk_service_x", "/api/mcp/account")
        .await;
    assert_eq!(reply.status, 401);
}

#[actix_web::test]
async fn a_database_that_refuses_is_500() {
    let world = Fixture::new();
    let error = StoreError::Failed("constraint runs_site_id".to_owned());
    world.stores.break_with(Some(error));
    let reply = world.get("/api/mcp/account").await;
    assert!(!reply.text().contains("constraint"));
    insta::assert_snapshot!(reply.shown(), @r#"
    500
    {
      "code": "internal",
      "detail": "Internal error. The operator finds the cause in the log by the request id.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 500,
      "title": "Internal error",
      "type": "https://assay.example/docs/errors#internal"
    }
    "#);
}

#[actix_web::test]
async fn a_plan_that_is_not_configured_is_500_where_it_matters() {
    let world = Fixture::new();
    let by = Actor::CommandLine;
    assert!(
        world
            .stores
            .set_plan(&world.acme, "gone", sample::noon(), &by)
            .unwrap()
    );
    let client = world.client().await;
    let body = json!({"url": "https://example.com/"});
    let reply = client
        .post(&world.admin, "/api/mcp/start-audit", &body)
        .await;
    assert_eq!((reply.status, reply.code().as_str()), (500, "internal"));
    assert!(!reply.text().contains("gone"));
    assert_eq!(
        client.get(&world.admin, "/api/mcp/account").await.status,
        500
    );
    assert_eq!(client.get(&world.admin, "/api/mcp/sites").await.status, 200);
}

struct BrokenClock;

impl Clock for BrokenClock {
    fn steady(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    fn now(&self) -> DateTime<Utc> {
        panic!("the clock of this test is broken")
    }
}

#[actix_web::test]
async fn a_panic_is_500_and_the_next_call_works() {
    let world = Fixture::new();
    let state = ApiState {
        clock: Arc::new(BrokenClock),
        ..world.state()
    };
    let client = Client::new(&state).await;
    let reply = client.get(&world.admin, "/api/mcp/account").await;
    assert_eq!((reply.status, reply.code().as_str()), (500, "internal"));
    assert!(!reply.text().contains("clock"));
    assert_eq!(client.get("", "/healthz").await.status, 200);
}
