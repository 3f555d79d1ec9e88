//! What needs no key.

use std::sync::Arc;

use actix_web::test::TestRequest;
use domain::ports::StoreError;
use rstest::rstest;

use crate::world::{Fixture, Reply};

/// What a browser accepts.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

async fn open(world: &Fixture, path: &str) -> Reply {
    let request = TestRequest::with_uri(path);
    world.client().await.send(request).await
}

#[actix_web::test]
async fn healthy_and_ready() {
    let world = Fixture::new();
    assert_eq!(open(&world, "/healthz").await.text(), r#"{"status":"ok"}"#);
    assert_eq!(
        open(&world, "/readyz").await.text(),
        r#"{"status":"ready"}"#
    );
}

#[actix_web::test]
async fn alive_but_not_ready() {
    let world = Fixture::new();
    let error = StoreError::Failed("no table secrets".to_owned());
    world.stores.break_with(Some(error));
    assert_eq!(open(&world, "/healthz").await.status, 200);
    let reply = open(&world, "/readyz").await;
    assert_eq!(reply.header("Retry-After"), Some("5"));
    assert!(!reply.text().contains("secrets"));
    insta::assert_snapshot!(reply.shown(), @r#"
    503
    {
      "code": "unavailable",
      "detail": "The database returned an error.",
      "reason": "database_failed",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 503,
      "title": "The service is unavailable",
      "type": "https://assay.example/docs/errors#unavailable"
    }
    "#);
}

#[actix_web::test]
async fn the_explorer_comes_from_here_alone() {
    let world = Fixture::new();
    let reply = open(&world, "/docs").await;
    assert_eq!(
        (reply.status, reply.header("Location")),
        (308, Some("/docs/"))
    );
    let index = open(&world, "/docs/").await;
    assert_eq!(index.status, 200);
    assert!(
        index
            .header("Content-Type")
            .unwrap()
            .starts_with("text/html")
    );
    assert!(
        !index.text().contains("<script>"),
        "the policy allows no inline script"
    );
    for file in [
        "index.html",
        "swagger-ui.css",
        "index.css",
        "swagger-ui-bundle.js",
        "swagger-ui-standalone-preset.js",
        "favicon-32x32.png",
    ] {
        let reply = open(&world, &format!("/docs/{file}")).await;
        assert_eq!(reply.status, 200, "{file}");
        let policy = reply.header("Content-Security-Policy").unwrap();
        assert!(policy.contains("script-src 'self';"), "{policy}");
    }
    let script = open(&world, "/docs/swagger-initializer.js").await.text();
    assert!(script.contains("../openapi.json"), "{script}");
    assert!(!script.contains("https://"), "{script}");
    assert!(script.contains(r#""validatorUrl": "none""#), "{script}");
}

#[rstest]
#[case("/healthz", "POST", 405, "method_not_allowed")]
#[case("/docs/nothing.js", "GET", 404, "not_found")]
#[case("/nothing", "GET", 404, "not_found")]
#[case("/metrics", "GET", 401, "unauthorized")]
#[actix_web::test]
async fn errors_are_pages_for_browsers_and_problems_for_programs(
    #[case] path: &str,
    #[case] method: &str,
    #[case] status: u16,
    #[case] code: &str,
) {
    let mut world = Fixture::new();
    world.meter = Some(Arc::default());
    let client = world.client().await;
    for (accept, is_page) in [
        (Some(BROWSER), true),
        (Some("application/json"), false),
        (Some("*/*"), false),
        (None, false),
    ] {
        let mut request = TestRequest::with_uri(path).method(method.parse().unwrap());
        if let Some(accept) = accept {
            request = request.insert_header(("Accept", accept));
        }
        let reply = client.send(request).await;
        assert_eq!(reply.status, status, "{accept:?}");
        let allow = (status == 405).then_some("GET, HEAD");
        assert_eq!(reply.header("Allow"), allow, "{accept:?}");
        let challenge = (status == 401).then_some("Bearer");
        assert_eq!(reply.header("WWW-Authenticate"), challenge, "{accept:?}");
        let id = reply.header("X-Request-Id").unwrap();
        if is_page {
            assert_eq!(reply.header("Content-Type"), Some("text/html"));
            assert_eq!(reply.text(), format!("<p>{code} {id}"));
        } else {
            assert_eq!(reply.code(), code, "{accept:?}");
        }
    }
}

#[rstest]
#[case("/api/mcp/nothing")]
#[case("/api/mcp")]
#[case("/mcp")]
#[case("/mcp/nothing")]
#[case("/dl/reports/rep_1.pdf")]
#[case("/dl/nothing")]
#[actix_web::test]
async fn errors_of_paths_for_programs_are_problems_for_browsers_too(#[case] path: &str) {
    let world = Fixture::new();
    let client = world.client().await;
    let request = TestRequest::with_uri(path).insert_header(("Accept", BROWSER));
    let reply = client.send(request).await;
    assert!(reply.status >= 400);
    assert_eq!(
        reply.header("Content-Type"),
        Some("application/problem+json")
    );
}

#[actix_web::test]
async fn the_page_of_a_failed_probe_says_when_to_come_back() {
    let world = Fixture::new();
    let error = StoreError::Failed("no table".to_owned());
    world.stores.break_with(Some(error));
    let request = TestRequest::with_uri("/readyz").insert_header(("Accept", BROWSER));
    let reply = world.client().await.send(request).await;
    assert_eq!(
        (reply.status, reply.header("Retry-After")),
        (503, Some("5"))
    );
    assert!(
        reply.text().starts_with("<p>unavailable "),
        "{}",
        reply.text()
    );
}
