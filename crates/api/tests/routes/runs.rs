use domain::ports::{JobQueue, LeaseStatus, QueueRules, WorkerId};
use domain::run::RunError;
use testkit::sample;

use crate::world::Fixture;

#[actix_web::test]
async fn a_queued_run() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{run}")).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "createdAt": "2026-11-21T12:00:00.000Z",
      "error": null,
      "finishedAt": null,
      "options": {
        "device": "mobile",
        "exclude": [],
        "headers": null,
        "include": [],
        "maxDepth": null,
        "maxPages": 100,
        "mode": "auto",
        "respectRobots": true,
        "userAgent": null
      },
      "progress": {
        "pagesAudited": 0,
        "pagesDiscovered": 0,
        "pagesFetched": 0,
        "pagesMeasured": null,
        "pagesRendered": 0,
        "percent": 0,
        "phase": "queued",
        "secondsLeft": null
      },
      "reportId": null,
      "runId": "run_01KXZZ9Q80000000000000000A",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "startedAt": null,
      "status": "queued",
      "trigger": "api",
      "url": "https://example.com/"
    }
    "#);
    assert_eq!(reply.header("Cache-Control"), Some("no-store"));
}

#[actix_web::test]
async fn a_completed_run_names_its_report() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{}", completed.run)).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "createdAt": "2026-11-21T12:00:00.000Z",
      "error": null,
      "finishedAt": "2026-11-21T12:00:00.000Z",
      "options": {
        "device": "mobile",
        "exclude": [],
        "headers": null,
        "include": [],
        "maxDepth": null,
        "maxPages": 100,
        "mode": "auto",
        "respectRobots": true,
        "userAgent": null
      },
      "progress": {
        "pagesAudited": 60,
        "pagesDiscovered": 215,
        "pagesFetched": 62,
        "pagesMeasured": null,
        "pagesRendered": 0,
        "percent": 100,
        "phase": "done",
        "secondsLeft": null
      },
      "reportId": "rep_01KXZZ9Q80000000000000000C",
      "runId": "run_01KXZZ9Q80000000000000000A",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "startedAt": "2026-11-21T12:00:00.000Z",
      "status": "completed",
      "trigger": "api",
      "url": "https://example.com/"
    }
    "#);
}

#[actix_web::test]
async fn a_failed_run_says_why() {
    let world = Fixture::new();
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
    assert_eq!(failed.unwrap(), LeaseStatus::Held);
    let run = world.get(&format!("/api/mcp/runs/{run}")).await.json();
    assert_eq!(run["status"], "failed");
    assert_eq!(run["error"]["code"], "deadline_exceeded");
    assert_eq!(run["reportId"], serde_json::Value::Null);
}

#[actix_web::test]
async fn a_run_has_no_parameters() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let reply = world.get(&format!("/api/mcp/runs/{run}?verbose=1")).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "invalid_request",
      "detail": "verbose: Unknown parameter; this path has no parameters.",
      "errors": [
        {
          "code": "unknown",
          "field": "verbose",
          "message": "Unknown parameter; this path has no parameters."
        }
      ],
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 400,
      "title": "Invalid request",
      "type": "https://assay.example/docs/errors#invalid_request"
    }
    "#);
}
