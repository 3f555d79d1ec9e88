mod bad_bodies;

use std::sync::atomic::Ordering;

use domain::id::RunId;
use domain::ports::RunStore;
use serde_json::json;

use crate::world::{Fixture, unused_id};

const PATH: &str = "/api/mcp/start-audit";

#[actix_web::test]
async fn a_url_is_enough() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "https://example.com/tickets?a=b#top"});
    let reply = client.post(&world.member, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    202
    {
      "runId": "run_01KXZZ9Q80000000000000YGJ1",
      "siteId": "site_01KXZZ9Q80000000000000YGJ2",
      "status": "queued"
    }
    "#);
    let run_id = reply.json()["runId"].as_str().unwrap().to_owned();
    let path = format!("/api/mcp/runs/{run_id}");
    assert_eq!(reply.header("Location"), Some(path.as_str()));
    assert_eq!(world.woken.load(Ordering::Relaxed), 1);
    let run = client.get(&world.reader, &path).await.json();
    assert_eq!(run["url"], "https://example.com/tickets?a=b");
    assert_eq!(run["options"]["maxPages"], 1_000);
}

#[actix_web::test]
async fn options_are_kept_and_echoed() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "https://example.com", "siteId": null, "options": {
        "maxPages": 5000, "maxDepth": 0, "mode": "static", "include": ["/a"],
        "exclude": ["*.pdf$"], "device": "desktop", "headers": null,
    }});
    let reply = client.post(&world.member, PATH, &body).await;
    let location = reply.header("Location").unwrap().to_owned();
    let run = client.get(&world.reader, &location).await.json();
    insta::assert_snapshot!(run["options"].to_string(), @r#"{"device":"desktop","exclude":["*.pdf$"],"headers":null,"include":["/a"],"maxDepth":0,"maxPages":5000,"mode":"static","respectRobots":true,"userAgent":null}"#);
}

#[actix_web::test]
async fn media_types_of_json_in_utf_8_are_fine() {
    let world = Fixture::new();
    let client = world.client().await;
    for kind in [
        "application/json",
        "Application/JSON; charset=UTF-8",
        "application/json;charset=\"utf-8\"",
        "application/json;",
    ] {
        let request = crate::world::call(actix_web::http::Method::POST, &world.member, PATH)
            .insert_header(("Content-Type", kind))
            .set_payload(r#"{"url":"https://example.com/"}"#);
        assert_eq!(client.send(request).await.status, 202, "{kind}");
    }
}

#[actix_web::test]
async fn the_site_of_the_host_is_found_again() {
    let world = Fixture::new();
    let client = world.client().await;
    let mut sites = Vec::new();
    for url in [
        "https://www.example.com/",
        "http://example.com/a",
        "https://example.com:8443/",
    ] {
        let reply = client
            .post(&world.member, PATH, &json!({ "url": url }))
            .await;
        sites.push(reply.json()["siteId"].clone());
    }
    assert_eq!(sites[0], sites[1]);
    assert_ne!(sites[0], sites[2]);
    let body = json!({"url": "https://example.com/b", "siteId": sites[0]});
    let reply = client.post(&world.member, PATH, &body).await;
    assert_eq!(reply.json()["siteId"], sites[0]);
}

#[actix_web::test]
async fn a_url_of_another_host_than_the_site_is_refused() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let body = json!({"url": "https://example.org/", "siteId": site.as_str()});
    let reply = client.post(&world.member, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "invalid_request",
      "detail": "url: The host of the URL is not the host of the site, example.com.",
      "errors": [
        {
          "code": "invalid",
          "field": "url",
          "message": "The host of the URL is not the host of the site, example.com."
        }
      ],
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 400,
      "title": "Invalid request",
      "type": "https://assay.example/docs/errors#invalid_request"
    }
    "#);
}

#[actix_web::test]
async fn a_site_that_is_not_there_is_404_before_anything_stored_is_judged() {
    let world = Fixture::new();
    let (_, foreign) = world.queued(&world.rival, "https://example.com/");
    let client = world.client().await;
    let mut bodies = Vec::new();
    for site in [foreign.as_str(), &unused_id("site"), "nonsense", ""] {
        let body = json!({"url": "https://example.com/", "siteId": site});
        let reply = client.post(&world.member, PATH, &body).await;
        assert_eq!(reply.status, 404, "{site}");
        bodies.push(reply.problem());
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1);
}

#[actix_web::test]
async fn private_targets_name_the_flag_that_allows_them() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "http://127.0.0.1:18101/"});
    let reply = client.post(&world.member, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "target_not_allowed",
      "detail": "url: 127.0.0.1 is a loopback address; only public addresses are allowed. The operator can allow it with `--allow-target 127.0.0.1:18101`.",
      "errors": [
        {
          "code": "not_allowed",
          "field": "url",
          "message": "127.0.0.1 is a loopback address; only public addresses are allowed. The operator can allow it with `--allow-target 127.0.0.1:18101`."
        }
      ],
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 400,
      "title": "Target not allowed",
      "type": "https://assay.example/docs/errors#target_not_allowed"
    }
    "#);
    assert_eq!(world.woken.load(Ordering::Relaxed), 0);
}

#[actix_web::test]
async fn allowed_targets_are_visited() {
    let world = Fixture {
        allow: ["127.0.0.1:18101".parse().unwrap()].into_iter().collect(),
        ..Fixture::new()
    };
    let client = world.client().await;
    let body = json!({"url": "http://127.0.0.1:18101/"});
    let reply = client.post(&world.member, PATH, &body).await;
    assert_eq!(reply.status, 202, "{}", reply.text());
}

#[actix_web::test]
async fn caps_come_last_and_sites_before_runs() {
    let world = Fixture::new();
    let client = world.client().await;
    let key = &world.rival_admin;
    let start = async |url: &str| client.post(key, PATH, &json!({ "url": url })).await;
    for url in ["https://one.example.com/", "https://two.example.com/"] {
        assert_eq!(start(url).await.status, 202);
    }
    let reply = start("https://three.example.com/").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    403
    {
      "code": "plan_limit_hit",
      "detail": "The plan's limit of 2 sites is reached.",
      "reason": "site_limit_hit",
      "requestId": "01KXZZ9Q80000000000000YGJ6",
      "status": 403,
      "title": "A limit of the plan is reached",
      "type": "https://assay.example/docs/errors#plan_limit_hit"
    }
    "#);
    assert_eq!(start("https://one.example.com/").await.status, 202);
    let reply = start("https://one.example.com/").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    403
    {
      "code": "plan_limit_hit",
      "detail": "The plan's limit of 3 runs per month is reached.",
      "reason": "monthly_run_limit_hit",
      "requestId": "01KXZZ9Q80000000000000YGJC",
      "status": 403,
      "title": "A limit of the plan is reached",
      "type": "https://assay.example/docs/errors#plan_limit_hit"
    }
    "#);
    let reply = start("https://three.example.com/").await;
    assert_eq!(reply.problem()["reason"], "site_limit_hit");
    // What is wrong with the input is said before.
    let body = json!({"url": "https://one.example.com/", "siteId": unused_id("site")});
    assert_eq!(client.post(key, PATH, &body).await.status, 404);
    assert_eq!(start("ftp://one.example.com/").await.status, 400);
}

#[actix_web::test]
async fn a_key_that_may_only_read_starts_nothing() {
    let world = Fixture::new();
    let client = world.client().await;
    // The role comes before the input.
    let reply = client.post(&world.reader, PATH, &json!([])).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    403
    {
      "code": "forbidden",
      "detail": "The key has the role read; this request requires member.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 403,
      "title": "The key's role does not allow this",
      "type": "https://assay.example/docs/errors#forbidden"
    }
    "#);
}

#[actix_web::test]
async fn what_is_answered_is_stored() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "https://example.com/"});
    let reply = client.post(&world.member, PATH, &body).await.json();
    let run = RunId::parse(reply["runId"].as_str().unwrap()).unwrap();
    assert!(world.stores.run(&world.acme, &run).unwrap().is_some());
    assert!(world.stores.run(&world.rival, &run).unwrap().is_none());
}

/// The fields and codes of the errors of a reply.
fn errors(reply: &crate::world::Reply) -> Vec<(String, String)> {
    let problem = reply.json();
    let errors = problem["errors"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    errors
        .map(|error| (text(&error["field"]), text(&error["code"])))
        .collect()
}

#[actix_web::test]
async fn every_invalid_option_is_named_at_once() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let options = json!({
        "maxPages": 5001, "mode": "rendered", "include": ["docs", "/fine", ""], "exclude": vec!["/"; 51],
        "headers": {"Host": "a", "X-A": "\n", "X-B": "1", "x-b": "2"}, "userAgent": "Me", "respectRobots": false,
    });
    let wrong = [
        ("options.headers.Host", "not_allowed"),
        ("options.headers.X-A", "invalid"),
        ("options.headers.x-b", "repeated"),
        ("options.maxPages", "out_of_range"),
        ("options.mode", "not_allowed"),
        ("options.include[0]", "invalid"),
        ("options.include[2]", "invalid"),
        ("options.exclude", "out_of_range"),
        ("options.userAgent", "not_allowed"),
        ("options.respectRobots", "not_allowed"),
    ];
    let wrong = wrong.map(|(field, code)| (field.to_owned(), code.to_owned()));
    let body = json!({"url": "https://example.com/", "options": options});
    let reply = client.post(&world.admin, PATH, &body).await;
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (400, "invalid_request")
    );
    assert_eq!(errors(&reply), wrong);
    for (url, code, field_code) in [
        ("nonsense", "invalid_request", "invalid"),
        ("http://127.0.0.1/", "target_not_allowed", "not_allowed"),
    ] {
        let body = json!({"url": url, "options": options});
        let reply = client.post(&world.admin, PATH, &body).await;
        assert_eq!((reply.status, reply.code().as_str()), (400, code));
        let all = errors(&reply);
        assert_eq!(all[0], ("url".to_owned(), field_code.to_owned()));
        assert_eq!(all[1..], wrong);
    }
    let body = json!({"name": " ", "options": options});
    let path = format!("/api/mcp/sites/{site}");
    let reply = client.patch(&world.admin, &path, &body).await;
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (400, "invalid_request")
    );
    let all = errors(&reply);
    assert_eq!(all[0], ("name".to_owned(), "invalid".to_owned()));
    // The order is that of the request, which serde_json sorts.
    let mut wrong = wrong.to_vec();
    wrong.sort();
    assert_eq!(all[1..], wrong);
}

#[actix_web::test]
async fn wrong_types_and_wrong_values_are_named_together() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "nonsense", "site": 1, "options": {
        "maxPages": "10", "mode": "fast", "include": ["docs", 7], "headers": {"Host": "a", "X-A": 1},
    }});
    let reply = client.post(&world.admin, PATH, &body).await;
    let mut all = errors(&reply);
    all.sort();
    let expected = [
        ("options.headers.Host", "not_allowed"),
        ("options.headers.X-A", "wrong_type"),
        ("options.include[0]", "invalid"),
        ("options.include[1]", "wrong_type"),
        ("options.maxPages", "wrong_type"),
        ("options.mode", "unknown_value"),
        ("site", "unknown"),
        ("url", "invalid"),
    ];
    let expected = expected.map(|(field, code)| (field.to_owned(), code.to_owned()));
    assert_eq!(all, expected, "{}", reply.text());
}

#[actix_web::test]
async fn at_most_twenty_fields_are_named() {
    let world = Fixture::new();
    let client = world.client().await;
    let include: Vec<String> = (0..40).map(|number| format!("docs{number}")).collect();
    let body = json!({"url": "https://example.com/", "options": {"include": include}});
    let reply = client.post(&world.admin, PATH, &body).await;
    assert_eq!(errors(&reply).len(), 20);
}
