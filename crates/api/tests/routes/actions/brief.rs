use std::sync::atomic::Ordering;

use actix_web::http::Method;
use domain::id::ActionId;
use domain::ports::{ActionStore, LeaseStatus, WorkerId};
use serde_json::json;
use testkit::sample;

use super::{PATH, Row, assert_refused, path_of, row, send_text, shapes, text_of};
use crate::world::{Fixture, call};

/// Writes the brief that waits, or says why it cannot be written.
fn write(world: &Fixture, written: &Result<String, String>) {
    let (worker, now) = (WorkerId("writer".to_owned()), sample::noon());
    let claim = sample::claim_brief(&world.stores, &worker, now).unwrap();
    let held = world.stores.finish_brief(&claim, written, now).unwrap();
    assert_eq!(held, LeaseStatus::Held);
}

fn instructions(world: &Fixture, id: &ActionId) -> Option<String> {
    let brief = world.stores.brief(&world.acme, id).unwrap().unwrap();
    let words = brief.instructions?;
    Some(words.as_str().to_owned())
}

#[actix_web::test]
async fn from_nothing_to_a_brief() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/brief");
    let client = world.client().await;
    let none = client.get(&world.reader, &path).await;
    insta::assert_snapshot!(none.shown(), @r#"
    200
    {
      "actionId": "act_01KXZZ9Q80000000000000000A",
      "content": null,
      "error": null,
      "format": "markdown",
      "generatedAt": null,
      "status": "none"
    }
    "#);
    let asked = client.send(call(Method::POST, &world.member, &path)).await;
    insta::assert_snapshot!(asked.shown(), @r#"
    202
    {
      "actionId": "act_01KXZZ9Q80000000000000000A",
      "status": "queued"
    }
    "#);
    assert_eq!(world.writer_woken.load(Ordering::Relaxed), 1);
    let queued = client.get(&world.reader, &path).await.json();
    assert_eq!(queued["status"], "queued");
    write(&world, &Ok("# Brief\n".to_owned()));
    let ready = client.get(&world.reader, &path).await;
    insta::assert_snapshot!(ready.shown(), @r##"
    200
    {
      "actionId": "act_01KXZZ9Q80000000000000000A",
      "content": "# Brief\n",
      "error": null,
      "format": "markdown",
      "generatedAt": "2026-11-21T12:00:00.000Z",
      "status": "ready"
    }
    "##);
    let item = client
        .get(&world.reader, &path_of(&item.id, ""))
        .await
        .json();
    assert_eq!(item["briefStatus"], "ready");
}

#[actix_web::test]
async fn what_was_written_stays_while_another_is_asked_for() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/brief");
    let client = world.client().await;
    client.post(&world.member, &path, &json!({})).await;
    write(&world, &Ok("# Brief\n".to_owned()));
    client.post(&world.member, &path, &json!({})).await;
    write(&world, &Err("The report is gone.".to_owned()));
    let failed = client.get(&world.reader, &path).await;
    insta::assert_snapshot!(failed.shown(), @r##"
    200
    {
      "actionId": "act_01KXZZ9Q80000000000000000A",
      "content": "# Brief\n",
      "error": "The report is gone.",
      "format": "markdown",
      "generatedAt": "2026-11-21T12:00:00.000Z",
      "status": "failed"
    }
    "##);
}

#[actix_web::test]
async fn asking_twice_queues_nothing_twice() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/brief");
    let client = world.client().await;
    let mut answers = Vec::new();
    for body in [
        json!({"instructions": "For the junior."}),
        json!({}),
        json!({"instructions": "  "}),
    ] {
        let reply = client.post(&world.member, &path, &body).await;
        assert_eq!(reply.status, 202, "{}", reply.text());
        answers.push(reply.json());
        assert_eq!(
            instructions(&world, &item.id).as_deref(),
            Some("For the junior.")
        );
    }
    answers.dedup();
    assert_eq!(answers.len(), 1);
    let body = json!({"instructions": " For the senior.\n"});
    client.post(&world.member, &path, &body).await;
    assert_eq!(
        instructions(&world, &item.id).as_deref(),
        Some("For the senior.")
    );
    write(&world, &Ok("# Brief\n".to_owned()));
    let (worker, now) = (WorkerId("writer".to_owned()), sample::noon());
    let another = sample::claim_brief(&world.stores, &worker, now);
    assert_eq!(another, None);
}

#[actix_web::test]
async fn instructions_are_as_long_as_they_may_be() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let client = world.client().await;
    let words = text_of(2_000);
    let body = json!({"instructions": format!(" {words}\n")});
    let reply = client
        .post(&world.member, &path_of(&item.id, "/brief"), &body)
        .await;
    assert_eq!(reply.status, 202, "{}", reply.text());
    assert_eq!(instructions(&world, &item.id), Some(words));
}

fn bad_bodies() -> Vec<Row> {
    let mut rows = shapes();
    let long = format!("\"{}\"", text_of(2_001));
    for value in ["null", "1", "[\"a\"]", "{}", "true", "\"a\\u0000\"", &long] {
        rows.push(row(
            format!(r#"{{"instructions":{value}}}"#),
            "instructions",
        ));
    }
    rows.push(row(
        r#"{"instructions":"a","instructions":"b"}"#,
        "instructions",
    ));
    rows.push(row(r#"{"format":"markdown"}"#, "format"));
    rows.push(row(r#"{"content":"A brief."}"#, "content"));
    rows
}

#[actix_web::test]
async fn each_bad_body_is_refused_with_its_field_and_queues_nothing() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let client = world.client().await;
    for path in [path_of(&item.id, "/brief"), format!("{PATH}/nothing/brief")] {
        let to = (Method::POST, path.as_str());
        assert_refused(&client, to, &world.member, &bad_bodies()).await;
        let text = call(Method::POST, &world.member, &path)
            .insert_header(("Content-Type", "text/plain"))
            .set_payload("{}");
        assert_eq!(client.send(text).await.status, 415);
    }
    let brief = client
        .get(&world.reader, &path_of(&item.id, "/brief"))
        .await
        .json();
    assert_eq!(brief["status"], "none");
    assert_eq!(world.writer_woken.load(Ordering::Relaxed), 0);
}

#[actix_web::test]
async fn a_brief_of_nothing_wakes_nobody() {
    let world = Fixture::new();
    let client = world.client().await;
    let to = (Method::POST, "/api/mcp/actions/nothing/brief");
    let reply = send_text(&client, to, &world.member, "{}").await;
    assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"));
    assert_eq!(world.writer_woken.load(Ordering::Relaxed), 0);
}

#[actix_web::test]
async fn a_key_that_may_only_read_asks_for_none() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/brief");
    let client = world.client().await;
    let reply = client.send(call(Method::POST, &world.reader, &path)).await;
    assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    assert_eq!(world.writer_woken.load(Ordering::Relaxed), 0);
}
