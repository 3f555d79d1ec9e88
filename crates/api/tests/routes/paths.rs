//! Paths and methods that are not there.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use rstest::rstest;

use crate::world::{Fixture, call};

#[rstest]
#[case("/api/mcp")]
#[case("/api/mcp/")]
#[case("/api/mcp/nothing")]
#[case("/api/mcp/account/")]
#[case("/api/mcp//account")]
#[case("/api/mcp/Account")]
#[case("/api/mcp/run")]
#[case("/api/mcp/runs/")]
#[case("/api/mcp/runs/a/b")]
#[case("/api/mcp/actions/")]
#[case("/api/mcp/actions/a/b")]
#[case("/api/mcp/actions/handoff/a")]
#[case("/api/mcp/actions/handoff/")]
#[case("/api/mcp/action")]
#[case("/api/mcp/sites/site_1/nothing")]
#[case("/dl")]
#[case("/dl/")]
#[case("/dl/reports")]
#[case("/dl/reports/")]
#[case("/dl/reports/rep_1")]
#[case("/dl/reports/rep_1.PDF")]
#[case("/dl/reports/.pdf")]
#[case("/dl/reports/rep_1.pdf/")]
#[case("/dl/reports/a/rep_1.pdf")]
#[case("/dl/sites/site_1.pdf")]
#[case("/api/mcp/../healthz")]
#[case("/nothing")]
#[case("/")]
#[case("/api")]
#[case("/api/mcpx")]
#[case("/API/MCP/account")]
#[case("/healthz/")]
#[case("/docs/nothing.js")]
#[case("/docs/../healthz")]
#[case("/docs/%2e%2e/Cargo.toml")]
#[case("/%zz")]
#[case("/%ff")]
#[case("/%00")]
#[actix_web::test]
async fn unknown_paths_are_404(#[case] path: &str) {
    let world = Fixture::new();
    let reply = world.get(path).await;
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (404, "not_found"),
        "{}",
        reply.text()
    );
    let request = call(Method::POST, &world.admin, path);
    let reply = world.client().await.send(request).await;
    // The explorer has files of any name, to be read alone.
    let expected = if path.starts_with("/docs/") { 405 } else { 404 };
    assert_eq!(reply.status, expected);
}

#[actix_web::test]
async fn the_same_words_for_paths_and_ids() {
    let world = Fixture::new();
    let path = world.get("/api/mcp/nothing").await.problem();
    let id = world.get("/api/mcp/runs/nothing").await.problem();
    assert_eq!(path, id);
    insta::assert_snapshot!(serde_json::to_string_pretty(&path).unwrap(), @r#"
    {
      "code": "not_found",
      "detail": "The path does not exist, or the organization has no object with this id.",
      "status": 404,
      "title": "Not found",
      "type": "https://assay.example/docs/errors#not_found"
    }
    "#);
}

#[rstest]
#[case("/healthz")]
#[case("/readyz")]
#[case("/openapi.json")]
#[case("/docs")]
#[case("/docs/")]
#[actix_web::test]
async fn pages_are_read_alone(#[case] path: &str) {
    let client = Fixture::new().client().await;
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "BREW"] {
        let request = TestRequest::with_uri(path).method(method.parse().unwrap());
        let reply = client.send(request).await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (405, "method_not_allowed")
        );
        assert_eq!(reply.header("Allow"), Some("GET, HEAD"));
    }
}

#[actix_web::test]
async fn methods_that_are_not_there_name_those_that_are() {
    let world = Fixture::new();
    let client = world.client().await;
    let reply = client
        .send(call(Method::DELETE, &world.reader, "/api/mcp/account"))
        .await;
    insta::assert_snapshot!(reply.shown(), @r#"
    405
    {
      "code": "method_not_allowed",
      "detail": "This path supports only GET, HEAD.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 405,
      "title": "Method not allowed",
      "type": "https://assay.example/docs/errors#method_not_allowed"
    }
    "#);
    assert_eq!(reply.header("Allow"), Some("GET, HEAD"));
    let reply = client.get(&world.reader, "/api/mcp/start-audit?a=b").await;
    assert_eq!((reply.status, reply.header("Allow")), (405, Some("POST")));
}
