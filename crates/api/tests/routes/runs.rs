use domain::ports::{Held, JobQueue, QueueRules, WorkerId};
use domain::run::RunError;
use testkit::sample;

use crate::world::World;

#[actix_web::test]
async fn a_queued_run() {
    let world = World::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{run}")).await;
    insta::assert_snapshot!(reply.shown(), @"");
    assert_eq!(reply.header("Cache-Control"), Some("no-store"));
}

#[actix_web::test]
async fn a_completed_run_names_its_report() {
    let world = World::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{}", completed.run)).await;
    insta::assert_snapshot!(reply.shown(), @"");
}

#[actix_web::test]
async fn a_failed_run_says_why() {
    let world = World::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let worker = WorkerId("worker".to_owned());
    let claim = world
        .stores
        .claim(&worker, &QueueRules::DEFAULT, sample::noon());
    let failed = world.stores.fail(
        &claim.unwrap().unwrap(),
        &RunError::past_deadline(),
        sample::noon(),
    );
    assert_eq!(failed.unwrap(), Held::Yes);
    let run = world.get(&format!("/api/mcp/runs/{run}")).await.json();
    assert_eq!(run["status"], "failed");
    assert_eq!(run["error"]["code"], "deadline_exceeded");
    assert_eq!(run["reportId"], serde_json::Value::Null);
}

#[actix_web::test]
async fn a_run_has_no_parameters() {
    let world = World::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{run}?verbose=1")).await;
    insta::assert_snapshot!(reply.shown(), @"");
}
