use actix_web::http::Method;
use chrono::TimeDelta;
use domain::action::ActionStatus;
use domain::ports::OrgStore;
use rstest::rstest;
use serde_json::{Value, json};
use testkit::sample;

use super::{NO_DAYS, PATH, Row, assert_refused, path_of, row, shapes, text_of};
use crate::world::{Fixture, Reply, call, unused_id};

async fn patch(world: &Fixture, path: &str, body: &Value) -> Reply {
    let client = world.client().await;
    client.patch(&world.member, path, body).await
}

#[actix_web::test]
async fn one_field_is_enough_and_the_others_stay() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let ada = world.person(&world.acme, "ada");
    let item = world.action_of(&world.acme, "noindex");
    let path = path_of(&item.id, "");
    let mut expected = world.get(&path).await.json();
    for (field, value) in [
        ("status", json!("in_progress")),
        ("priority", json!("low")),
        ("assigneeId", json!(ada.as_str())),
        ("dueDate", json!("9999-12-31")),
        ("title", json!("Let the start page be found")),
        ("description", json!("")),
        ("dueDate", json!(null)),
        ("assigneeId", json!(null)),
    ] {
        let reply = patch(&world, &path, &json!({ field: value })).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        expected[field] = value;
        assert_eq!(reply.json(), expected, "{field}");
        assert_eq!(world.get(&path).await.json(), expected, "{field}");
    }
}

#[actix_web::test]
async fn several_fields_change_at_once() {
    let world = Fixture::new();
    world.completed(&world.acme, "https://example.com/");
    let ada = world.person(&world.acme, "ada");
    let item = world.action_of(&world.acme, "noindex");
    let body = json!({
        "status": "done", "priority": "medium", "assigneeId": ada.as_str(),
        "dueDate": "2026-12-24", "title": " Let the start page be found ", "description": "Soon.",
    });
    let reply = patch(&world, &path_of(&item.id, ""), &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "actionId": "act_01KXZZ9Q80000000000000000K",
      "affectedPages": 1,
      "assigneeId": "mem_01KXZZ9Q80000000000000000R",
      "briefStatus": "none",
      "checkId": "noindex",
      "commentCount": 0,
      "createdAt": "2026-11-21T12:00:00.000Z",
      "description": "Soon.",
      "dimension": "seo",
      "dueDate": "2026-12-24",
      "priority": "medium",
      "reportId": "rep_01KXZZ9Q80000000000000000C",
      "resolvedAt": "2026-11-21T12:00:00.000Z",
      "severity": "critical",
      "siteId": "site_01KXZZ9Q80000000000000000B",
      "status": "done",
      "title": "Let the start page be found",
      "updatedAt": "2026-11-21T12:00:00.000Z",
      "verifiedAt": null
    }
    "#);
    let log = world.stores.audit_log(&world.acme).unwrap();
    let line = log
        .iter()
        .find(|line| line.event == "action.updated")
        .unwrap();
    assert!(line.actor.starts_with("key_"));
    assert!(!line.detail.contains("start page"), "{line:?}");
}

#[actix_web::test]
async fn any_status_follows_any_other() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "");
    for before in ActionStatus::ALL {
        for after in ActionStatus::ALL {
            for status in [before, after] {
                let reply = patch(&world, &path, &json!({"status": status.as_str()})).await;
                assert_eq!(reply.status, 200, "{before} {after}");
                let shown = reply.json();
                assert_eq!(shown["status"], status.as_str());
                assert_eq!(shown["resolvedAt"].is_string(), status.is_resolved());
                assert!(shown["verifiedAt"].is_null());
            }
        }
    }
}

#[actix_web::test]
async fn a_change_to_what_it_is_changes_no_time() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "");
    let before = world.get(&path).await.json();
    world.clock.set(sample::noon() + TimeDelta::hours(1));
    let same = json!({"status": "open", "title": "Do it", "dueDate": null});
    assert_eq!(patch(&world, &path, &same).await.json(), before);
    let other = patch(&world, &path, &json!({"priority": "low"}))
        .await
        .json();
    assert_eq!(other["updatedAt"], "2026-11-21T13:00:00.000Z");
    assert_eq!(other["createdAt"], before["createdAt"]);
}

#[actix_web::test]
async fn texts_are_as_long_as_they_may_be() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let body = json!({"title": text_of(200), "description": text_of(10_000)});
    let reply = patch(&world, &path_of(&item.id, ""), &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
}

fn bad_bodies() -> Vec<Row> {
    let mut rows = shapes();
    rows.push(("{}".to_owned(), None));
    let mut with = |field: &'static str, values: &[&str]| {
        for value in values {
            rows.push(row(format!(r#"{{"{field}":{value}}}"#), field));
            // What else is asked for does not help, nor does it happen.
            rows.push(row(
                format!(r#"{{"description":"b","{field}":{value}}}"#),
                field,
            ));
        }
    };
    let long = format!("\"{}\"", text_of(201));
    with(
        "title",
        &[
            "null",
            "1",
            "[]",
            "\"\"",
            "\" \"",
            "\"a\\u0000\"",
            "\"a\\tb\"",
            &long,
        ],
    );
    with(
        "status",
        &[
            "null",
            "\"closed\"",
            "\"Open\"",
            "\"in-progress\"",
            "\"\"",
            "1",
            "[\"open\"]",
            "{\"open\":1}",
        ],
    );
    with(
        "priority",
        &["null", "\"urgent\"", "\"CRITICAL\"", "\"\"", "0", "[]"],
    );
    with("dueDate", &NO_DAYS);
    with("dueDate", &["true", "[]", "\"2026-04-01\\u0000\""]);
    with("assigneeId", &["1", "[]", "true", "\"a\\u0000\""]);
    // What is not a person's to say.
    with("siteId", &["null", "\"site_1\""]);
    with("actionId", &["\"act_1\""]);
    with("checkId", &["\"image-alt\""]);
    with("severity", &["\"minor\""]);
    with("resolvedAt", &["null"]);
    with("verifiedAt", &["\"2026-01-01T00:00:00Z\""]);
    with("commentCount", &["0"]);
    with("due_date", &["null"]);
    let long = format!("\"{}\"", text_of(10_001));
    for value in ["null", "1", "{}", "\"a\\u0000\"", &long] {
        rows.push(row(format!(r#"{{"description":{value}}}"#), "description"));
    }
    rows.push(row(r#"{"status":"done","status":"open"}"#, "status"));
    rows
}

#[actix_web::test]
async fn each_bad_body_is_refused_with_its_field_and_changes_nothing() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let before = world.actions(&world.acme);
    let client = world.client().await;
    assert!(bad_bodies().len() > 100);
    // The input comes before the id, so it is the same for an item that is not there.
    for path in [path_of(&item.id, ""), format!("{PATH}/nothing")] {
        let to = (Method::PATCH, path.as_str());
        assert_refused(&client, to, &world.member, &bad_bodies()).await;
        let nothing = client.send(call(Method::PATCH, &world.member, &path)).await;
        assert_eq!(nothing.status, 400);
    }
    assert_eq!(world.actions(&world.acme), before);
}

#[actix_web::test]
async fn an_empty_change_says_what_is_needed() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let reply = patch(&world, &path_of(&item.id, ""), &json!({})).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "invalid_request",
      "detail": "At least one field to change is required.",
      "requestId": "01KXZZ9Q80000000000000YGJ0",
      "status": 400,
      "title": "Invalid request",
      "type": "https://assay.example/docs/errors#invalid_request"
    }
    "#);
}

#[rstest]
#[case::unknown("mem")]
#[case::malformed("nobody")]
#[actix_web::test]
async fn the_item_comes_before_the_assignee(#[case] assignee: &str) {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let before = world.actions(&world.acme);
    let assignee = match assignee {
        "mem" => unused_id("mem"),
        other => other.to_owned(),
    };
    let body = json!({"status": "done", "assigneeId": assignee});
    for id in [unused_id("act"), "x".to_owned()] {
        let reply = patch(&world, &format!("{PATH}/{id}"), &body).await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    }
    let reply = patch(&world, &path_of(&item.id, ""), &body).await;
    assert_eq!(
        (reply.status, reply.field().as_deref()),
        (400, Some("assigneeId"))
    );
    assert_eq!(world.actions(&world.acme), before);
}

#[actix_web::test]
async fn a_key_that_may_only_read_changes_nothing() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let before = world.actions(&world.acme);
    let client = world.client().await;
    for body in [json!({"status": "done"}), json!([])] {
        let reply = client
            .patch(&world.reader, &path_of(&item.id, ""), &body)
            .await;
        assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    }
    assert_eq!(world.actions(&world.acme), before);
}
