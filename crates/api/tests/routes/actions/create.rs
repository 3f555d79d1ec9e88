use actix_web::http::Method;
use domain::ports::OrgStore;
use serde_json::json;

use super::{NO_DAYS, PATH, Row, assert_refused, row, send_text, shapes, text_of};
use crate::world::{Fixture, call, unused_id};

#[actix_web::test]
async fn a_title_is_enough() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"title": "  Ask the agency for the licence "});
    let reply = client.post(&world.member, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    201
    {
      "actionId": "act_01KXZZ9Q80000000000000YGJ1",
      "affectedPages": null,
      "assigneeId": null,
      "briefStatus": "none",
      "checkId": null,
      "commentCount": 0,
      "createdAt": "2026-11-21T12:00:00.000Z",
      "description": "",
      "dimension": null,
      "dueDate": null,
      "priority": "medium",
      "reportId": null,
      "resolvedAt": null,
      "severity": null,
      "siteId": null,
      "status": "open",
      "title": "Ask the agency for the licence",
      "updatedAt": "2026-11-21T12:00:00.000Z",
      "verifiedAt": null
    }
    "#);
    let location = reply.header("Location").unwrap().to_owned();
    assert_eq!(
        location,
        format!("{PATH}/{}", reply.json()["actionId"].as_str().unwrap())
    );
    let found = client.get(&world.reader, &location).await;
    assert_eq!((found.status, found.json()), (200, reply.json()));
}

#[actix_web::test]
async fn every_field_is_kept() {
    let world = Fixture::new();
    let site = world.completed(&world.acme, "https://example.com/").site;
    let ada = world.person(&world.acme, "ada");
    let client = world.client().await;
    let body = json!({
        "title": "Translate the order form",
        "siteId": site.as_str(),
        "description": " As it stands: <b>\nwith lines.\n",
        "priority": "high",
        "assigneeId": ada.as_str(),
        "dueDate": "2028-02-29",
    });
    let reply = client.post(&world.member, PATH, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let made = reply.json();
    for (field, value) in body.as_object().unwrap() {
        assert_eq!(made[field], *value, "{field}");
    }
    for field in [
        "checkId",
        "dimension",
        "severity",
        "reportId",
        "affectedPages",
    ] {
        assert!(made[field].is_null(), "{field}");
    }
}

#[actix_web::test]
async fn what_may_be_null_in_an_item_may_be_null_in_the_body() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"title": "Do it", "siteId": null, "assigneeId": null, "dueDate": null});
    let reply = client.post(&world.member, PATH, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    for field in ["siteId", "assigneeId", "dueDate"] {
        assert!(reply.json()[field].is_null(), "{field}");
    }
}

#[actix_web::test]
async fn texts_are_as_long_as_they_may_be() {
    let world = Fixture::new();
    let client = world.client().await;
    let (title, description) = (text_of(200), text_of(10_000));
    let body = json!({"title": format!(" {title}\t"), "description": description});
    let reply = client.post(&world.member, PATH, &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json()["title"], title.as_str());
    assert_eq!(reply.json()["description"], description.as_str());
}

#[actix_web::test]
async fn it_is_known_with_which_key_it_was_made() {
    let world = Fixture::new();
    let client = world.client().await;
    client
        .post(&world.member, PATH, &json!({"title": "Do it"}))
        .await;
    let log = world.stores.audit_log(&world.acme).unwrap();
    let line = log.iter().find(|line| line.event == "action.created");
    assert!(line.unwrap().actor.starts_with("key_"));
}

fn bad_bodies() -> Vec<Row> {
    let mut rows = shapes();
    for title in [
        "null",
        "1",
        "true",
        "[\"a\"]",
        "{}",
        "\"\"",
        "\"  \\n \"",
        "\"a\\u0000\"",
        "\"a\\nb\"",
        "\"a\\u001bb\"",
        "\"a\\u007fb\"",
        "\"a\\u0085b\"",
    ] {
        rows.push(row(format!(r#"{{"title":{title}}}"#), "title"));
    }
    rows.push(row(json!({"title": text_of(201)}).to_string(), "title"));
    rows.push(row("{}", "title"));
    rows.push(row(r#"{"description":"a"}"#, "title"));
    rows.push(row(r#"{"title":"a","title":"b"}"#, "title"));
    let mut with = |field: &'static str, values: &[&str]| {
        for value in values {
            rows.push(row(format!(r#"{{"title":"a","{field}":{value}}}"#), field));
        }
    };
    let long = format!("\"{}\"", text_of(10_001));
    with("description", &["null", "1", "[]", "\"a\\u0000\"", &long]);
    with(
        "priority",
        &[
            "null",
            "\"urgent\"",
            "\"High\"",
            "\"\"",
            "1",
            "[\"high\"]",
            "{\"high\":null}",
        ],
    );
    with("dueDate", &NO_DAYS);
    with("dueDate", &["true", "{}", "\"2026-04-01\\u0000\""]);
    with("siteId", &["1", "[]", "\"a\\u0000\""]);
    with("assigneeId", &["1", "[]", "\"a\\u0000\""]);
    // What is not a person's to say.
    with("status", &["\"open\""]);
    with("actionId", &["\"act_1\""]);
    with("checkId", &["\"image-alt\""]);
    with("organizationId", &["\"org_1\""]);
    with("createdAt", &["\"2026-01-01T00:00:00Z\""]);
    with("site_id", &["\"site_1\""]);
    with("__proto__", &["{}"]);
    rows
}

#[actix_web::test]
async fn each_bad_body_is_refused_with_its_field_and_makes_nothing() {
    let world = Fixture::new();
    let client = world.client().await;
    assert!(bad_bodies().len() > 60);
    assert_refused(&client, (Method::POST, PATH), &world.member, &bad_bodies()).await;
    let nothing = client.send(call(Method::POST, &world.member, PATH)).await;
    assert_eq!(nothing.status, 400);
    let form = call(Method::POST, &world.member, PATH)
        .insert_header(("Content-Type", "application/x-www-form-urlencoded"))
        .set_payload("title=a");
    assert_eq!(client.send(form).await.status, 415);
    let huge = format!(r#"{{"title":"{}"}}"#, "a".repeat(256 * 1_024));
    let reply = send_text(&client, (Method::POST, PATH), &world.member, &huge).await;
    assert_eq!(reply.status, 413);
    assert_eq!(world.actions(&world.acme), []);
}

#[actix_web::test]
async fn the_input_comes_before_the_site_and_the_site_before_the_assignee() {
    let world = Fixture::new();
    let foreign = world
        .completed(&world.rival, "https://rival.example.com/")
        .site;
    let client = world.client().await;
    for site in [foreign.as_str(), &unused_id("site"), "nonsense", ""] {
        for assignee in ["nobody", &unused_id("mem")] {
            let body = json!({"title": "Do it", "siteId": site, "assigneeId": assignee});
            let reply = client.post(&world.member, PATH, &body).await;
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
            let body = json!({
                "title": "Do it", "dueDate": "soon", "siteId": site, "assigneeId": assignee,
            });
            let reply = client.post(&world.member, PATH, &body).await;
            assert_eq!(
                (reply.status, reply.field().as_deref()),
                (400, Some("dueDate"))
            );
        }
    }
    let body = json!({"title": "Do it", "assigneeId": "nobody"});
    let reply = client.post(&world.member, PATH, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    400
    {
      "code": "invalid_request",
      "detail": "assigneeId: The organization has no such member.",
      "errors": [
        {
          "code": "invalid",
          "field": "assigneeId",
          "message": "The organization has no such member."
        }
      ],
      "requestId": "01KXZZ9Q80000000000000YGJW",
      "status": 400,
      "title": "Invalid request",
      "type": "https://assay.example/docs/errors#invalid_request"
    }
    "#);
    assert_eq!(world.actions(&world.acme), []);
}

#[actix_web::test]
async fn a_key_that_may_only_read_makes_nothing() {
    let world = Fixture::new();
    let client = world.client().await;
    // The role comes before the input.
    let reply = client.post(&world.reader, PATH, &json!([])).await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    let reply = client
        .post(&world.reader, PATH, &json!({"title": "Do it"}))
        .await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    assert_eq!(world.actions(&world.acme), []);
}

#[actix_web::test]
async fn every_invalid_field_is_named_and_a_day_that_does_not_exist_says_so() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"title": " ", "dueDate": "2027-02-30", "description": "x".repeat(10_001)});
    let reply = client.post(&world.member, PATH, &body).await;
    let problem = reply.problem();
    let errors = problem["errors"].as_array().unwrap();
    let found: Vec<_> = errors
        .iter()
        .map(|error| {
            (
                error["field"].as_str().unwrap(),
                error["code"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("description", "too_long"),
        ("dueDate", "not_a_date"),
        ("title", "required"),
    ];
    // The order is that of the request, which serde_json sorts.
    assert_eq!(found, expected);
    assert_eq!(
        errors[1]["message"],
        "There is no such day in the calendar."
    );
}
