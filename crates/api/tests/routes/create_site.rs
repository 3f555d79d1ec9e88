use actix_web::http::Method;
use domain::ports::{OrgStore, SiteStore};
use domain::report::Variant;
use domain::site::MAX_SITE_NAME_CHARS;
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::{Fixture, call};

const PATH: &str = "/api/mcp/sites";

fn hosts(world: &Fixture) -> Vec<String> {
    let sites = world.stores.sites(&world.acme, Variant::Current).unwrap();
    let sites = sites.into_iter();
    sites.map(|known| known.site.host.to_string()).collect()
}

#[actix_web::test]
async fn a_url_is_enough() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "https://www.example.com/tickets?a=b#top"});
    let reply = client.post(&world.admin, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    201
    {
      "createdAt": "2026-11-21T12:00:00.000Z",
      "latestRun": null,
      "latestScore": null,
      "name": "example.com",
      "openActions": 0,
      "siteId": "site_01KXZZ9Q80000000000000YGJ1",
      "url": "https://www.example.com/"
    }
    "#);
    let id = reply.json()["siteId"].as_str().unwrap().to_owned();
    let location = format!("/api/mcp/sites/{id}");
    assert_eq!(reply.header("Location"), Some(location.as_str()));
    let listed = world.get(PATH).await.json();
    assert_eq!(listed["sites"], json!([reply.json()]));
    let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
    assert_eq!((noted.event.as_str(), noted.subject), ("site.created", id));
    assert!(noted.actor.starts_with("key_"));
}

#[actix_web::test]
async fn a_name_is_kept_without_the_white_space_around_it() {
    let world = Fixture::new();
    let client = world.client().await;
    let longest = "ä".repeat(MAX_SITE_NAME_CHARS);
    for (url, name, expected) in [
        ("https://a.example.com/", json!(" Shop "), "Shop"),
        ("https://b.example.com/", json!(longest), &longest),
        ("https://c.example.com/", json!(null), "c.example.com"),
    ] {
        let body = json!({"url": url, "name": name});
        let reply = client.post(&world.admin, PATH, &body).await;
        assert_eq!(
            (reply.status, &reply.json()["name"]),
            (201, &json!(expected))
        );
    }
}

#[actix_web::test]
async fn audits_of_its_host_go_to_it() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "https://example.com/"});
    let site = client.post(&world.admin, PATH, &body).await.json();
    let started = client
        .post(&world.member, "/api/mcp/start-audit", &body)
        .await;
    assert_eq!(started.json()["siteId"], site["siteId"]);
}

#[rstest]
#[case("https://example.com/")]
#[case("http://www.example.com/other")]
#[case("https://EXAMPLE.com.:443/")]
#[actix_web::test]
async fn a_site_of_that_host_is_there_once(#[case] again: &str) {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let reply = client
        .post(&world.admin, PATH, &json!({ "url": again }))
        .await;
    assert_eq!((reply.status, reply.code().as_str()), (409, "conflict"));
    let detail = format!("The organization already has a site with this host: {site}.");
    assert_eq!(reply.problem()["detail"], detail);
    assert_eq!(hosts(&world), ["example.com"]);
}

#[actix_web::test]
async fn another_organizations_site_is_none_of_ours() {
    let world = Fixture::new();
    world.queued(&world.rival, "https://example.com/");
    let client = world.client().await;
    let body = json!({"url": "https://example.com/"});
    assert_eq!(client.post(&world.admin, PATH, &body).await.status, 201);
}

#[actix_web::test]
async fn the_cap_comes_last() {
    let world = Fixture::new();
    let client = world.client().await;
    let key = &world.rival_admin;
    let create = async |url: &str| client.post(key, PATH, &json!({ "url": url })).await;
    assert_eq!(create("https://one.example.com/").await.status, 201);
    assert_eq!(create("https://two.example.com/").await.status, 201);
    let reply = create("https://three.example.com/").await;
    insta::assert_snapshot!(reply.shown(), @r#"
    403
    {
      "code": "plan_limit_hit",
      "detail": "The plan's limit of 2 sites is reached.",
      "reason": "site_limit_hit",
      "requestId": "01KXZZ9Q80000000000000YGJ4",
      "status": 403,
      "title": "A limit of the plan is reached",
      "type": "https://assay.example/docs/errors#plan_limit_hit"
    }
    "#);
    assert_eq!(create("https://one.example.com/").await.code(), "conflict");
    assert_eq!(create("ftp://three.example.com/").await.status, 400);
}

#[actix_web::test]
async fn private_targets_are_refused_and_written_down() {
    let world = Fixture::new();
    let client = world.client().await;
    for url in [
        "http://127.0.0.1:18101/",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "http://printer.local/",
        "https://example.com:22/",
    ] {
        let reply = client
            .post(&world.admin, PATH, &json!({ "url": url }))
            .await;
        assert_eq!(
            (reply.status, reply.code().as_str()),
            (400, "target_not_allowed")
        );
        assert_eq!(reply.field().as_deref(), Some("url"));
        let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
        assert_eq!(
            (noted.event.as_str(), noted.subject.as_str()),
            ("target.refused", url)
        );
    }
    assert_eq!(hosts(&world), Vec::<String>::new());
}

#[actix_web::test]
async fn allowed_targets_are_sites() {
    let world = Fixture {
        allow: ["127.0.0.1:18101".parse().unwrap()].into_iter().collect(),
        ..Fixture::new()
    };
    let body = json!({"url": "http://127.0.0.1:18101/a"});
    let reply = world.client().await.post(&world.admin, PATH, &body).await;
    assert_eq!(
        (reply.status, &reply.json()["url"]),
        (201, &json!("http://127.0.0.1:18101/"))
    );
}

#[rstest]
#[case::nothing(json!({}), Some("url"))]
#[case::no_object(json!([]), None)]
#[case::null(json!({"url": null}), Some("url"))]
#[case::number(json!({"url": 1}), Some("url"))]
#[case::no_url(json!({"url": "nonsense"}), Some("url"))]
#[case::no_scheme(json!({"url": "example.com"}), Some("url"))]
#[case::other_scheme(json!({"url": "ftp://example.com/"}), Some("url"))]
#[case::user(json!({"url": "https://ada@example.com/"}), Some("url"))]
#[case::nul_in_url(json!({"url": "https://example.com/\0"}), Some("url"))]
#[case::empty_name(json!({"url": "https://example.com/", "name": ""}), Some("name"))]
#[case::white_name(json!({"url": "https://example.com/", "name": " \t"}), Some("name"))]
#[case::nul_in_name(json!({"url": "https://example.com/", "name": "a\0"}), Some("name"))]
#[case::line_break(json!({"url": "https://example.com/", "name": "a\nb"}), Some("name"))]
#[case::long_name(json!({"url": "https://example.com/", "name": "ä".repeat(201)}), Some("name"))]
#[case::list(json!({"url": "https://example.com/", "name": ["a"]}), Some("name"))]
#[case::options(json!({"url": "https://example.com/", "options": {}}), Some("options"))]
#[case::case(json!({"URL": "https://example.com/"}), Some("URL"))]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] body: Value, #[case] field: Option<&str>) {
    let world = Fixture::new();
    let reply = world.client().await.post(&world.admin, PATH, &body).await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, field));
    assert_eq!(hosts(&world), Vec::<String>::new());
}

#[actix_web::test]
async fn administrators_alone_write_sites() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let one = format!("{PATH}/{site}");
    for key in [&world.reader, &world.member] {
        for (method, path) in [
            (Method::POST, PATH),
            (Method::PATCH, &one),
            (Method::DELETE, &one),
        ] {
            // The role comes before the input.
            let reply = client.send(call(method, key, path)).await;
            assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
        }
    }
    assert_eq!(hosts(&world), ["example.com"]);
}
