//! What is measured, and who may see it.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::test::TestRequest;

use crate::world::{Fixture, Reply, Tally, call};

fn measuring() -> (Fixture, Arc<Tally>) {
    let tally = Arc::new(Tally::default());
    let world = Fixture {
        meter: Some(Arc::clone(&tally)),
        ..Fixture::new()
    };
    (world, tally)
}

async fn asked(world: &Fixture, authorization: Option<&str>) -> Reply {
    let mut request = TestRequest::with_uri("/metrics");
    if let Some(value) = authorization {
        request = request.insert_header(("Authorization", value));
    }
    world.client().await.send(request).await
}

#[actix_web::test]
async fn measurements_that_are_off_are_as_unknown_as_any_other_path() {
    let world = Fixture::new();
    for authorization in [None, Some("Bearer open sesame")] {
        let off = asked(&world, authorization).await;
        let unknown = world
            .client()
            .await
            .send(TestRequest::with_uri("/nothing"))
            .await;
        assert_eq!(off.status, 404);
        assert_eq!(off.problem(), unknown.problem());
    }
    let posted = TestRequest::with_uri("/metrics").method(Method::POST);
    assert_eq!(world.client().await.send(posted).await.status, 404);
}

#[actix_web::test]
async fn measurements_need_their_token() {
    let (world, _) = measuring();
    let key = format!("Bearer {}", world.admin);
    for wrong in [
        None,
        Some("Bearer "),
        Some("Bearer closed"),
        Some("Basic open sesame"),
        Some(&key),
    ] {
        let refused = asked(&world, wrong).await;
        assert_eq!(refused.status, 401, "{wrong:?}");
        assert_eq!(refused.code(), "unauthorized");
        assert_eq!(refused.header("WWW-Authenticate"), Some("Bearer"));
    }
    let shown = asked(&world, Some("Bearer open sesame")).await;
    assert_eq!((shown.status, shown.text().as_str()), (200, "up 1\n"));
    let kind = shown.header("Content-Type");
    assert_eq!(kind, Some("text/plain; version=0.0.4; charset=utf-8"));
    let head = call(Method::HEAD, "open sesame", "/metrics");
    assert_eq!(world.client().await.send(head).await.status, 200);
    let posted = call(Method::POST, "open sesame", "/metrics");
    assert_eq!(world.client().await.send(posted).await.status, 405);
}

#[actix_web::test]
async fn every_answer_is_measured_under_its_template() {
    let (world, tally) = measuring();
    let run = world.queued(&world.acme, "https://example.com/").0;
    let client = world.client().await;
    for (method, key, path) in [
        ("GET", "", "/healthz"),
        ("GET", world.admin.as_str(), "/api/mcp/runs/run_1"),
        ("HEAD", &world.admin, "/api/mcp/runs?siteId=secret"),
        ("GET", "", "/api/mcp/runs/run_1"),
        ("GET", &world.admin, "/api/mcp/nothing/run_1"),
        ("GET", "", "/secret?a=secret"),
        ("BREW", "", "/secret"),
        ("PATCH", &world.admin, "/api/mcp/runs/run_1"),
        ("GET", "", "/docs/index.css"),
        ("GET", "", "/dl/reports/secret.pdf?sig=secret"),
        ("POST", &world.admin, &format!("/api/mcp/runs/{run}/cancel")),
        ("POST", &world.admin, &format!("/api/mcp/runs/{run}/cancel")),
    ] {
        client.send(call(method.parse().unwrap(), key, path)).await;
    }
    let lines = tally.0.lock().unwrap().join("\n");
    insta::assert_snapshot!(lines, @r#"
    GET /healthz 200
    GET /api/mcp/runs/{runId} 404
    HEAD /api/mcp/runs 404
    GET /api/mcp/runs/{runId} 401
    GET unknown 404
    GET unknown 404
    OTHER unknown 404
    PATCH /api/mcp/runs/{runId} 405
    GET /docs/{file:.*} 200
    GET /dl/reports/{reportId}.pdf 403
    cancelled
    POST /api/mcp/runs/{runId}/cancel 202
    POST /api/mcp/runs/{runId}/cancel 200
    "#);
}
