use actix_web::http::Method;
use api_types::run::{Run, RunStatus};
use domain::id::RunId;
use domain::ports::{JobQueue, LeaseStatus, QueueRules, WorkerId};
use testkit::sample;

use crate::world::{Fixture, Reply, call};

async fn cancel(world: &Fixture, key: &str, run: &RunId) -> Reply {
    let path = format!("/api/mcp/runs/{run}/cancel");
    let request = call(Method::POST, key, &path);
    world.client().await.send(request).await
}

fn read(reply: &Reply) -> Run {
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn a_queued_run_is_cancelled_once() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = cancel(&world, &world.member, &run).await;
    assert_eq!(reply.status, 202, "{}", reply.text());
    let cancelled = read(&reply);
    assert_eq!(cancelled.run_id, run.as_str());
    assert_eq!(cancelled.status, RunStatus::Cancelled);
    assert_eq!(cancelled.started_at, None);
    assert_eq!(
        cancelled.finished_at.as_deref(),
        Some("2026-11-21T12:00:00.000Z")
    );
    let again = cancel(&world, &world.member, &run).await;
    assert_eq!((again.status, read(&again)), (200, cancelled.clone()));
    let looked_up = world.get(&format!("/api/mcp/runs/{run}")).await;
    assert_eq!(read(&looked_up), cancelled);
}

#[actix_web::test]
async fn a_running_run_is_lost_to_its_worker_and_still_counts() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let worker = WorkerId("worker".to_owned());
    let claim = world
        .stores
        .claim(&worker, &QueueRules::DEFAULT, sample::noon());
    let claim = claim.unwrap().unwrap();
    let reply = cancel(&world, &world.admin, &run).await;
    assert_eq!(reply.status, 202);
    assert!(read(&reply).started_at.is_some());
    assert_eq!(world.stores.holds(&claim).unwrap(), LeaseStatus::Lost);
    let account = world.get("/api/mcp/account").await.json();
    assert_eq!(account["plan"]["usage"]["monthlyRuns"], 1);
}

#[actix_web::test]
async fn a_run_that_ended_otherwise_is_a_conflict() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let reply = cancel(&world, &world.admin, &completed.run).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    409
    {
      "code": "conflict",
      "detail": "The run has already ended as `completed` and cannot be cancelled.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 409,
      "title": "The request conflicts with the current state",
      "type": "https://assay.example/docs/errors#conflict"
    }
    "#);
}

#[actix_web::test]
async fn a_key_that_may_only_read_cancels_nothing() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = cancel(&world, &world.reader, &run).await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    let looked_up = world.get(&format!("/api/mcp/runs/{run}")).await;
    assert_eq!(read(&looked_up).status, RunStatus::Queued);
}

#[actix_web::test]
async fn a_run_of_another_organization_goes_on() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = cancel(&world, &world.rival_admin, &run).await;
    assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    let looked_up = world.get(&format!("/api/mcp/runs/{run}")).await;
    assert_eq!(read(&looked_up).status, RunStatus::Queued);
}
