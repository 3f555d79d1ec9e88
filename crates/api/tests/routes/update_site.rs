use std::collections::BTreeMap;

use domain::id::SiteId;
use domain::ports::{OrgStore, SiteRef, SiteStore};
use domain::run::{AskedOptions, Mode, RequestHeaders};
use rstest::rstest;
use serde_json::{Value, json};

use crate::world::Fixture;

fn defaults(world: &Fixture, site: &SiteId) -> AskedOptions {
    let found = world.stores.site_defaults(&world.acme, &SiteRef::Id(site));
    found.unwrap().unwrap().options
}

fn path(site: &SiteId) -> String {
    format!("/api/mcp/sites/{site}")
}

#[actix_web::test]
async fn a_name_is_changed_and_the_site_shown() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let client = world.client().await;
    let body = json!({"name": " Box office "});
    let reply = client
        .patch(&world.admin, &path(&completed.site), &body)
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let listed = world.get("/api/mcp/sites").await.json();
    assert_eq!(listed["sites"], json!([reply.json()]));
    let mut site = reply.json();
    assert_eq!(site["latestRun"]["runId"], completed.run.as_str());
    site["latestRun"] = json!("a run");
    insta::assert_snapshot!(site, @r#"{"createdAt":"2026-11-21T12:00:00.000Z","latestRun":"a run","latestScore":77,"name":"Box office","openActions":5,"siteId":"site_01KXZZ9Q80000000000000000B","url":"https://example.com/"}"#);
    let noted = world.stores.audit_log(&world.acme).unwrap().pop().unwrap();
    assert_eq!(noted.event, "site.changed");
    assert_eq!(noted.subject, completed.site.as_str());
}

#[actix_web::test]
async fn options_replace_those_before_and_are_never_shown() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let options = json!({
        "maxPages": 20, "mode": "static", "exclude": ["/private"],
        "headers": {"Authorization": "Bearer secret-of-the-site"},
    });
    let body = json!({"name": "Shop", "options": options});
    let reply = client.patch(&world.admin, &path(&site), &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(!reply.text().contains("private"), "{}", reply.text());
    assert!(!reply.text().contains("secret"), "{}", reply.text());
    let headers = BTreeMap::from([(
        "authorization".to_owned(),
        "Bearer secret-of-the-site".to_owned(),
    )]);
    let expected = AskedOptions {
        max_pages: Some(20),
        mode: Some(Mode::Static),
        exclude: Some(vec!["/private".to_owned()]),
        headers: Some(RequestHeaders::stored(headers)),
        ..AskedOptions::default()
    };
    assert_eq!(defaults(&world, &site), expected);
    let log = format!("{:?}", world.stores.audit_log(&world.acme).unwrap());
    assert!(!log.contains("secret"), "{log}");
    // A name alone leaves them.
    client
        .patch(&world.admin, &path(&site), &json!({"name": "Shop"}))
        .await;
    assert_eq!(defaults(&world, &site), expected);
    client
        .patch(
            &world.admin,
            &path(&site),
            &json!({"options": {"maxDepth": 2}}),
        )
        .await;
    let expected = AskedOptions {
        max_depth: Some(2),
        ..AskedOptions::default()
    };
    assert_eq!(defaults(&world, &site), expected);
    let reply = client
        .patch(&world.admin, &path(&site), &json!({"options": {}}))
        .await;
    assert_eq!(reply.status, 200);
    assert_eq!(defaults(&world, &site), AskedOptions::default());
}

#[actix_web::test]
async fn runs_begin_with_them() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let body = json!({"options": {"maxPages": 20, "exclude": ["/private"]}});
    client.patch(&world.admin, &path(&site), &body).await;
    let body = json!({"url": "https://example.com/", "options": {"maxPages": 30}});
    let started = client
        .post(&world.member, "/api/mcp/start-audit", &body)
        .await;
    let run = started.header("Location").unwrap();
    let run = client.get(&world.reader, run).await.json();
    assert_eq!(run["options"]["maxPages"], 30);
    assert_eq!(run["options"]["exclude"], json!(["/private"]));
}

#[rstest]
#[case::nothing(json!({}), None)]
#[case::null(json!({"name": null, "options": null}), None)]
#[case::no_object(json!([{"name": "a"}]), None)]
#[case::number(json!({"name": 1}), Some("name"))]
#[case::empty(json!({"name": ""}), Some("name"))]
#[case::white_space(json!({"name": " "}), Some("name"))]
#[case::nul(json!({"name": "a\0"}), Some("name"))]
#[case::control(json!({"name": "a\u{1b}b"}), Some("name"))]
#[case::too_long(json!({"name": "a".repeat(201)}), Some("name"))]
#[case::url(json!({"url": "https://example.org/"}), Some("url"))]
#[case::id(json!({"siteId": "site_1"}), Some("siteId"))]
#[case::options_list(json!({"options": []}), Some("options"))]
#[case::options_unknown(json!({"options": {"pages": 1}}), Some("options.pages"))]
#[case::no_pages(json!({"options": {"maxPages": 0}}), Some("options.maxPages"))]
#[case::many_pages(json!({"options": {"maxPages": 5001}}), Some("options.maxPages"))]
#[case::fraction(json!({"options": {"maxPages": 1.5}}), Some("options.maxPages"))]
#[case::no_browser(json!({"options": {"mode": "rendered"}}), Some("options.mode"))]
#[case::no_mode(json!({"options": {"mode": "fast"}}), Some("options.mode"))]
#[case::pattern(json!({"options": {"include": ["/a", "b"]}}), Some("options.include[1]"))]
#[case::user_agent(json!({"options": {"userAgent": "me"}}), Some("options.userAgent"))]
#[case::robots(json!({"options": {"respectRobots": false}}), Some("options.respectRobots"))]
#[case::header(json!({"options": {"headers": {"a b": "c"}}}), Some("options.headers.a b"))]
#[case::reserved(json!({"options": {"headers": {"Host": "a"}}}), Some("options.headers.Host"))]
#[case::break_in_header(json!({"options": {"headers": {"a": "b\r\nc"}}}), Some("options.headers.a"))]
#[actix_web::test]
async fn what_is_wrong_is_named_and_nothing_is_changed(
    #[case] body: Value,
    #[case] field: Option<&str>,
) {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let client = world.client().await;
    let before = world.get("/api/mcp/sites").await.json();
    // The input comes before the id.
    for path in [path(&site), "/api/mcp/sites/x".to_owned()] {
        let reply = client.patch(&world.admin, &path, &body).await;
        assert_eq!((reply.status, reply.field().as_deref()), (400, field));
    }
    assert_eq!(world.get("/api/mcp/sites").await.json(), before);
    assert_eq!(defaults(&world, &site), AskedOptions::default());
}

#[actix_web::test]
async fn one_wrong_field_changes_nothing_of_the_others() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let body = json!({"name": "Shop", "options": {"maxPages": 0}});
    let client = world.client().await;
    assert_eq!(
        client.patch(&world.admin, &path(&site), &body).await.status,
        400
    );
    let sites = world.get("/api/mcp/sites").await.json();
    assert_eq!(sites["sites"][0]["name"], "example.com");
}

#[actix_web::test]
async fn another_organizations_site_stays_as_it_is() {
    let world = Fixture::new();
    let (_, foreign) = world.queued(&world.rival, "https://example.com/");
    let client = world.client().await;
    let body = json!({"name": "Mine"});
    let reply = client.patch(&world.admin, &path(&foreign), &body).await;
    assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    let sites = client.get(&world.rival_admin, "/api/mcp/sites").await;
    assert_eq!(sites.json()["sites"][0]["name"], "example.com");
}

#[actix_web::test]
async fn a_body_is_needed() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let request = crate::world::call(actix_web::http::Method::PATCH, &world.admin, &path(&site));
    let reply = world.client().await.send(request).await;
    assert_eq!(
        (reply.status, reply.code().as_str()),
        (400, "invalid_request")
    );
}
