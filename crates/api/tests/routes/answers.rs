//! What holds for every answer.

use std::collections::BTreeSet;

use actix_web::http::Method;
use actix_web::test::TestRequest;

use crate::openapi::operations;
use crate::world::{Fixture, call};

const PATHS: [&str; 13] = [
    "/api/mcp/account",
    "/api/mcp/actions",
    "/api/mcp/actions/handoff",
    "/api/mcp/nothing",
    "/api/mcp/start-audit",
    "/healthz",
    "/openapi.json",
    "/docs",
    "/docs/",
    "/docs/errors",
    "/nothing",
    "/dl/nothing",
    "/dl/reports/rep_1.pdf",
];

#[actix_web::test]
async fn a_request_id_of_ours_and_headers_that_make_browsers_careful() {
    let world = Fixture::new();
    let client = world.client().await;
    let mut ids = BTreeSet::new();
    for path in PATHS {
        for key in ["", &world.admin] {
            let request = call(Method::GET, key, path).insert_header(("X-Request-Id", "forged"));
            let reply = client.send(request).await;
            let id = reply.header("X-Request-Id").unwrap();
            assert_eq!(id.len(), 26, "{path}");
            assert!(ids.insert(id.to_owned()), "{path}");
            assert_eq!(reply.header("X-Content-Type-Options"), Some("nosniff"));
            assert_eq!(reply.header("Referrer-Policy"), Some("no-referrer"));
            assert_eq!(reply.header("Cache-Control"), Some("no-store"));
            let policy = reply.header("Content-Security-Policy").unwrap();
            assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
            assert_eq!(reply.header("Access-Control-Allow-Origin"), None);
        }
    }
}

#[actix_web::test]
async fn versions_are_neither_in_headers_nor_in_paths() {
    let world = Fixture::new();
    let client = world.client().await;
    for (method, path) in operations(world.variant) {
        assert!(
            path.starts_with("/api/mcp/") && !path.contains("/v1"),
            "{path}"
        );
        let plain = client.send(call(method.clone(), &world.admin, &path)).await;
        let mut names = plain.headers.keys().map(|name| name.as_str());
        let named = names.find(|name| name.contains("version"));
        assert_eq!(named, None, "{method} {path}");
        // A version that a client asks for changes nothing.
        let asking = call(method.clone(), &world.admin, &path)
            .insert_header(("X-API-Version", "1999-01-01"))
            .insert_header(("Accept-Version", "7"));
        let asking = client.send(asking).await;
        assert_eq!(asking.status, plain.status, "{method} {path}");
    }
}

#[actix_web::test]
async fn head_is_get_without_a_body() {
    let world = Fixture::new();
    let client = world.client().await;
    for path in [
        "/api/mcp/account",
        "/api/mcp/actions",
        "/api/mcp/actions/x/brief",
        "/api/mcp/sites",
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/docs/",
        "/docs/errors",
        "/nothing",
        "/dl/reports/rep_1.pdf",
        "/api/mcp/runs/x",
    ] {
        let get = client.get(&world.admin, path).await;
        let request =
            call(Method::HEAD, &world.admin, path).insert_header(("Accept-Encoding", "br, gzip"));
        let head = client.send(request).await;
        assert_eq!(head.status, get.status, "{path}");
        assert_eq!(head.body, b"", "{path}");
        assert_eq!(head.header("Content-Type"), get.header("Content-Type"));
        assert_eq!(head.header("Content-Encoding"), None, "{path}");
    }
}

#[actix_web::test]
async fn long_answers_are_compressed_as_the_caller_wishes() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let client = world.client().await;
    let report = format!("/api/mcp/reports/{}", completed.report);
    let plain = client.get(&world.admin, &report).await;
    for (wish, expected) in [
        ("br", None),
        ("gzip", Some("gzip")),
        ("gzip, deflate, br, zstd", Some("gzip")),
        ("gzip;q=0.1, br;q=1", Some("gzip")),
        ("deflate", None),
        ("identity;q=0, *;q=0", None),
        ("nonsense", None),
        ("", None),
    ] {
        for path in [report.as_str(), "/openapi.json"] {
            let request =
                call(Method::GET, &world.admin, path).insert_header(("Accept-Encoding", wish));
            let reply = client.send(request).await;
            assert_eq!(reply.status, 200, "{wish}");
            assert_eq!(reply.header("Content-Encoding"), expected, "{wish} {path}");
            if path == report {
                assert_eq!(reply.body.len() < plain.body.len(), expected.is_some());
            }
        }
    }
}

#[actix_web::test]
async fn short_answers_are_not_compressed() {
    let world = Fixture::new();
    let client = world.client().await;
    for (key, path) in [
        (world.admin.as_str(), "/api/mcp/account"),
        ("", "/api/mcp/account"),
        ("", "/nothing"),
    ] {
        let request = TestRequest::with_uri(path)
            .insert_header(("Authorization", format!("Bearer {key}")))
            .insert_header(("Accept-Encoding", "gzip"));
        let reply = client.send(request).await;
        assert_eq!(reply.header("Content-Encoding"), None);
        reply.json();
    }
}
