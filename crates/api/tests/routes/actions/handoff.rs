use actix_web::http::Method;
use domain::action::ActionItem;
use serde_json::{Value, json};
use testkit::sample;

use super::{Row, assert_refused, row, shapes};
use crate::world::{Fixture, Reply, call, unused_id};

const HANDOFF: &str = "/api/mcp/actions/handoff";

async fn hand_over(world: &Fixture, body: &Value) -> Reply {
    world
        .client()
        .await
        .post(&world.reader, HANDOFF, body)
        .await
}

fn ids(items: &[&ActionItem]) -> Vec<String> {
    items.iter().map(|item| item.id.to_string()).collect()
}

/// An item of an audit whose check is documented, one whose check is not, and one of a person.
fn items(world: &Fixture) -> [ActionItem; 3] {
    let result = sample::audit_result();
    world.completed_with(&world.acme, "https://example.com/", &result);
    [
        world.action_of(&world.acme, "image-alt"),
        world.action_of(&world.acme, "noindex"),
        world.own_action(&world.acme, "Ask the agency"),
    ]
}

#[actix_web::test]
async fn a_prompt_for_any_agent() {
    let world = Fixture::new();
    let [documented, retired, own] = items(&world);
    let ids = ids(&[&documented, &own, &retired]);
    let reply = hand_over(&world, &json!({ "ids": ids })).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let handoff = reply.json();
    assert_eq!(handoff["format"], "markdown");
    assert_eq!(handoff["actionIds"], json!(ids));
    assert_eq!(handoff.as_object().unwrap().len(), 3);
    insta::assert_snapshot!(handoff["prompt"].as_str().unwrap());
}

#[actix_web::test]
async fn a_prompt_for_cursor() {
    let world = Fixture::new();
    let [documented, retired, _] = items(&world);
    let ids = ids(&[&retired, &documented]);
    let reply = hand_over(&world, &json!({ "ids": ids, "format": "cursor" })).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    let handoff = reply.json();
    assert_eq!(handoff["format"], "cursor");
    assert_eq!(handoff["actionIds"], json!(ids));
    insta::assert_snapshot!(handoff["prompt"].as_str().unwrap());
}

#[actix_web::test]
async fn items_stand_in_the_order_given() {
    let world = Fixture::new();
    let [one, two, three] = items(&world);
    for order in [[&one, &two, &three], [&three, &one, &two]] {
        for format in ["markdown", "cursor"] {
            let ids = ids(&order);
            let body = json!({ "ids": ids, "format": format });
            let handoff = hand_over(&world, &body).await.json();
            assert_eq!(handoff["actionIds"], json!(ids));
            let prompt = handoff["prompt"].as_str().unwrap();
            let places: Vec<_> = ids.iter().map(|id| prompt.find(id).unwrap()).collect();
            assert!(places.is_sorted(), "{places:?}");
        }
    }
}

#[actix_web::test]
async fn ten_items_are_not_too_many() {
    let world = Fixture::new();
    let items: Vec<_> = (0..10)
        .map(|number| world.own_action(&world.acme, &format!("Item {number}")))
        .collect();
    let ids = ids(&items.iter().collect::<Vec<_>>());
    let reply = hand_over(&world, &json!({ "ids": ids })).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert_eq!(reply.json()["actionIds"].as_array().unwrap().len(), 10);
}

fn bad_bodies() -> Vec<Row> {
    let mut rows = shapes();
    let eleven: Vec<_> = (0..11).map(|number| number.to_string()).collect();
    for body in [
        json!({}),
        json!({"format": "markdown"}),
        json!({"ids": null}),
        json!({"ids": "act_1"}),
        json!({"ids": {"0": "act_1"}}),
        json!({"ids": 1}),
        json!({"ids": []}),
        json!({"ids": eleven}),
        json!({"ids": ["act_1", "act_1"]}),
        json!({"ids": ["a", "b", "a"]}),
    ] {
        rows.push(row(body.to_string(), "ids"));
    }
    rows.push(row(r#"{"ids":["a"],"ids":["b"]}"#, "ids"));
    rows.push(row(r#"{"ids":[1]}"#, "ids[0]"));
    rows.push(row(r#"{"ids":["a",null]}"#, "ids[1]"));
    rows.push(row(r#"{"ids":["a",["b"]]}"#, "ids[1]"));
    rows.push(row(r#"{"ids":["a\u0000"]}"#, "ids[0]"));
    for format in [
        "null",
        "\"html\"",
        "\"Markdown\"",
        "\"\"",
        "1",
        "[\"cursor\"]",
        "{\"cursor\":1}",
    ] {
        rows.push(row(
            format!(r#"{{"ids":["a"],"format":{format}}}"#),
            "format",
        ));
    }
    rows.push(row(r#"{"ids":["a"],"actionIds":["b"]}"#, "actionIds"));
    rows
}

#[actix_web::test]
async fn each_bad_body_is_refused_with_its_field_before_an_id_is_looked_up() {
    let world = Fixture::new();
    let client = world.client().await;
    assert_refused(
        &client,
        (Method::POST, HANDOFF),
        &world.reader,
        &bad_bodies(),
    )
    .await;
    let nothing = client
        .send(call(Method::POST, &world.reader, HANDOFF))
        .await;
    assert_eq!(nothing.status, 400);
}

#[actix_web::test]
async fn one_id_of_nothing_refuses_all() {
    let world = Fixture::new();
    let own = world.own_action(&world.acme, "Do it");
    let foreign = world.own_action(&world.rival, "Do it");
    for id in [foreign.id.as_str(), &unused_id("act"), "x", ""] {
        for ids in [json!([own.id.as_str(), id]), json!([id, own.id.as_str()])] {
            let reply = hand_over(&world, &json!({ "ids": ids })).await;
            assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
        }
    }
}

#[actix_web::test]
async fn handing_over_changes_nothing() {
    let world = Fixture::new();
    let items = items(&world);
    let before = world.actions(&world.acme);
    hand_over(
        &world,
        &json!({ "ids": ids(&items.iter().collect::<Vec<_>>()) }),
    )
    .await;
    assert_eq!(world.actions(&world.acme), before);
}

/// `handoff` is not the id of an item.
#[actix_web::test]
async fn the_path_is_its_own() {
    let world = Fixture::new();
    let client = world.client().await;
    for method in [Method::GET, Method::PATCH, Method::DELETE] {
        let reply = client.send(call(method, &world.admin, HANDOFF)).await;
        assert_eq!((reply.status, reply.header("Allow")), (405, Some("POST")));
    }
    for path in ["/api/mcp/actions/handoffs", "/api/mcp/actions/Handoff"] {
        assert_eq!(client.get(&world.admin, path).await.status, 404);
    }
}
