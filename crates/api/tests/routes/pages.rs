//! What needs no key.

use actix_web::test::TestRequest;
use domain::ports::StoreError;
use httpkit::problem::Code;

use crate::world::{Fixture, Reply};

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

#[actix_web::test]
async fn every_code_is_explained_where_its_type_points() {
    let page = open(&Fixture::new(), "/docs/errors").await;
    assert_eq!(
        page.header("Content-Type"),
        Some("text/html; charset=utf-8")
    );
    for code in Code::ALL {
        let anchor = format!("id=\"{}\"", code.as_str());
        assert!(page.text().contains(&anchor), "{code:?}");
    }
}
