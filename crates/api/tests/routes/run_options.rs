//! The options of a run, from the request to what is shown of it.

use std::collections::BTreeMap;

use domain::audit_log::Actor;
use domain::ports::SiteStore;
use domain::run::{AskedOptions, OptionBounds, RequestHeaders};
use domain::site::SitePatch;
use rstest::rstest;
use serde_json::{Value, json};
use testkit::sample;

use crate::world::{Client, Fixture, Reply};

async fn start(client: &Client, world: &Fixture, options: &Value) -> Reply {
    let body = json!({"url": "https://example.com/", "options": options});
    client
        .post(&world.member, "/api/mcp/start-audit", &body)
        .await
}

#[rstest]
#[case::no_name("", "1")]
#[case::a_space_in_the_name("X Preview", "1")]
#[case::a_line_in_the_name("X\r\nHost", "1")]
#[case::not_ascii("Ä", "1")]
#[case::a_long_name(&"x".repeat(101), "1")]
#[case::no_value("X-Preview", "")]
#[case::white_space("X-Preview", " ")]
#[case::a_line_in_the_value("X-Preview", "1\r\nHost: internal")]
#[case::not_ascii_in_the_value("X-Preview", "é")]
#[case::a_long_value("X-Preview", &"v".repeat(4_097))]
#[case::reserved("Host", "internal")]
#[case::of_the_connection("transfer-encoding", "chunked")]
#[case::of_the_body("Content-Length", "0")]
#[case::of_a_proxy("Proxy-Authorization", "x")]
#[case::has_its_own_option("User-Agent", "x")]
#[actix_web::test]
async fn a_header_that_cannot_be_sent_is_named(#[case] name: &str, #[case] value: &str) {
    let world = Fixture::new();
    let client = world.client().await;
    let reply = start(&client, &world, &json!({"headers": {name: value}})).await;
    let shown: String = name.chars().take(100).collect();
    assert_eq!(
        (reply.status, reply.field()),
        (400, Some(format!("options.headers.{shown}"))),
        "{}",
        reply.text()
    );
    assert_eq!(reply.code(), "invalid_request");
    assert!(world.get("/api/mcp/runs").await.json()["runs"] == json!([]));
}

#[actix_web::test]
async fn headers_are_counted_and_named_once() {
    let world = Fixture::new();
    let client = world.client().await;
    let many = |count: u32| -> Value {
        (0..count)
            .map(|n| (format!("x-{n}"), "1".into()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let reply = start(&client, &world, &json!({"headers": many(21)})).await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("options.headers"))
    );
    let reply = start(
        &client,
        &world,
        &json!({"headers": {"X-A": "1", "x-a": "2"}}),
    )
    .await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("options.headers.x-a"))
    );
    let reply = start(&client, &world, &json!({"headers": many(20)})).await;
    assert_eq!(reply.status, 202, "{}", reply.text());
}

#[actix_web::test]
async fn values_of_headers_are_never_shown() {
    let world = Fixture::new();
    let client = world.client().await;
    let options = json!({"headers": {"Authorization": "Bearer hunter2", "X-Preview": "hunter2"}});
    let started = start(&client, &world, &options).await;
    assert_eq!(started.status, 202, "{}", started.text());
    let answer = started.json();
    let (run, site) = (&answer["runId"], &answer["siteId"]);
    let (run, site) = (run.as_str().unwrap(), site.as_str().unwrap());
    let hidden = json!({"authorization": "***", "x-preview": "***"});
    let mut replies = vec![started];
    for (path, pointer) in [
        (format!("/api/mcp/runs/{run}"), "/options/headers"),
        ("/api/mcp/runs".to_owned(), "/runs/0/options/headers"),
        (
            format!("/api/mcp/sites/{site}/history"),
            "/runs/0/options/headers",
        ),
        (
            "/api/mcp/sites".to_owned(),
            "/sites/0/latestRun/options/headers",
        ),
    ] {
        let reply = client.get(&world.reader, &path).await;
        assert_eq!(reply.json().pointer(pointer), Some(&hidden), "{path}");
        replies.push(reply);
    }
    let path = format!("/api/mcp/runs/{run}/cancel");
    let cancelled = client.post(&world.member, &path, &json!({})).await;
    assert_eq!(cancelled.status, 202, "{}", cancelled.text());
    replies.push(cancelled);
    for path in [
        format!("/api/mcp/runs/{run}"),
        format!("/api/mcp/runs/{run}/events"),
    ] {
        replies.push(client.get(&world.reader, &path).await);
    }
    for reply in replies {
        assert!(!reply.text().contains("hunter2"), "{}", reply.text());
    }
}

#[actix_web::test]
async fn who_asks_and_how_is_the_operators_choice() {
    let asked = [
        ("userAgent", json!("Mozilla/5.0 (preview)")),
        ("respectRobots", json!(false)),
    ];
    let world = Fixture::new();
    let client = world.client().await;
    for (name, value) in &asked {
        let reply = start(&client, &world, &json!({ *name: value })).await;
        assert_eq!(
            (reply.status, reply.field()),
            (400, Some(format!("options.{name}")))
        );
    }
    let reply = start(&client, &world, &json!({"respectRobots": true})).await;
    assert_eq!(reply.status, 202, "what holds anyway can be asked for");

    let world = Fixture {
        bounds: OptionBounds {
            user_agent: true,
            ignore_robots: true,
            ..world.bounds
        },
        ..Fixture::new()
    };
    let client = world.client().await;
    for (name, value) in &asked {
        let reply = start(&client, &world, &json!({ *name: value })).await;
        let path = reply.header("Location").unwrap().to_owned();
        let run = client.get(&world.reader, &path).await.json();
        assert_eq!(run["options"][*name], *value);
    }
    for wrong in ["", " x", "a\r\nHost: b", "é"] {
        let reply = start(&client, &world, &json!({"userAgent": wrong})).await;
        assert_eq!(
            (reply.status, reply.field().as_deref()),
            (400, Some("options.userAgent")),
            "{wrong:?}"
        );
    }
}

#[actix_web::test]
async fn what_is_not_asked_for_has_the_default_of_the_site() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let headers = BTreeMap::from([("X-Preview".to_owned(), "hunter2".to_owned())]);
    let patch = SitePatch {
        name: None,
        options: Some(AskedOptions {
            max_pages: Some(7),
            max_depth: Some(2),
            headers: Some(RequestHeaders::parse(headers).unwrap()),
            ..AskedOptions::default()
        }),
    };
    let by = Actor::CommandLine;
    let patched = world
        .stores
        .patch_site(&world.acme, &site, &patch, sample::noon(), &by);
    assert!(patched.unwrap());
    let client = world.client().await;
    for (options, max_pages) in [(json!({}), 7), (json!({"maxPages": 9}), 9)] {
        for site_id in [Value::Null, json!(site.as_str())] {
            let body =
                json!({"url": "https://example.com/", "siteId": site_id, "options": options});
            let reply = client
                .post(&world.member, "/api/mcp/start-audit", &body)
                .await;
            let path = reply.header("Location").unwrap().to_owned();
            let reply = client.get(&world.reader, &path).await;
            let run = reply.json();
            assert_eq!(run["options"]["maxPages"], max_pages);
            assert_eq!(run["options"]["maxDepth"], 2);
            assert_eq!(run["options"]["headers"], json!({"x-preview": "***"}));
            assert!(!reply.text().contains("hunter2"));
        }
    }
    let body = json!({"url": "https://example.org/"});
    let reply = client
        .post(&world.member, "/api/mcp/start-audit", &body)
        .await;
    let path = reply.header("Location").unwrap().to_owned();
    let run = client.get(&world.reader, &path).await.json();
    assert_eq!(
        run["options"]["maxPages"], 1_000,
        "another site has its own"
    );
}
