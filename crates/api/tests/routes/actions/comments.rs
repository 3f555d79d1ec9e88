use actix_web::http::Method;
use api_types::comment::CommentList;
use rstest::rstest;
use serde_json::json;

use super::{PATH, Row, assert_refused, path_of, row, shapes, text_of};
use crate::world::{Fixture, call};

async fn page(world: &Fixture, path: &str) -> CommentList {
    let reply = world.get(path).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    serde_json::from_slice(&reply.body).unwrap()
}

#[actix_web::test]
async fn a_comment_is_answered_and_listed() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/comments");
    let client = world.client().await;
    let reply = client.get(&world.reader, &path).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    200
    {
      "comments": [],
      "nextCursor": null
    }
    "#);
    let body = json!({"body": "\n The texts are with <b>the editors</b>.\n\nReally. \t"});
    let reply = client.post(&world.member, &path, &body).await;
    insta::assert_snapshot!(reply.shown(), @r#"
    201
    {
      "actionId": "act_01KXZZ9Q80000000000000000A",
      "author": {
        "id": "key_01KXZZ9Q800000000000000005",
        "name": "ci",
        "type": "key"
      },
      "body": "The texts are with <b>the editors</b>.\n\nReally.",
      "commentId": "cmt_01KXZZ9Q80000000000000YGJ2",
      "createdAt": "2026-11-21T12:00:00.000Z"
    }
    "#);
    let listed = client.get(&world.reader, &path).await.json();
    assert_eq!(listed["comments"], json!([reply.json()]));
    let item = client
        .get(&world.reader, &path_of(&item.id, ""))
        .await
        .json();
    assert_eq!(item["commentCount"], 1);
    assert_eq!(item["updatedAt"], item["createdAt"]);
}

#[actix_web::test]
async fn comments_come_page_by_page_oldest_first() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/comments");
    let client = world.client().await;
    for number in 0..51 {
        let body = json!({"body": number.to_string()});
        assert_eq!(client.post(&world.member, &path, &body).await.status, 201);
    }
    let first = page(&world, &path).await;
    assert_eq!(first.comments.len(), 50);
    let cursor = first.next_cursor.unwrap();
    let last = page(&world, &format!("{path}?cursor={cursor}")).await;
    assert_eq!(last.next_cursor, None);
    let all = page(&world, &format!("{path}?limit=200")).await;
    assert_eq!(all.next_cursor, None);
    assert_eq!([first.comments, last.comments].concat(), all.comments);
    let bodies = all.comments.iter().map(|comment| comment.body.clone());
    assert!(bodies.eq((0..51).map(|number| number.to_string())));
    let one = page(&world, &format!("{path}?limit=1")).await;
    assert_eq!(one.comments, all.comments[..1]);
}

#[actix_web::test]
async fn a_comment_is_as_long_as_it_may_be() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let client = world.client().await;
    let text = text_of(10_000);
    let body = json!({"body": format!("\n{text} ")});
    let reply = client
        .post(&world.member, &path_of(&item.id, "/comments"), &body)
        .await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    assert_eq!(reply.json()["body"], text.as_str());
}

fn bad_bodies() -> Vec<Row> {
    let mut rows = shapes();
    rows.push(row("{}", "body"));
    let long = format!("\"{}\"", text_of(10_001));
    for value in [
        "null",
        "1",
        "[\"a\"]",
        "{}",
        "\"\"",
        "\" \\n\\t\"",
        "\"a\\u0000\"",
        &long,
    ] {
        rows.push(row(format!(r#"{{"body":{value}}}"#), "body"));
    }
    rows.push(row(r#"{"body":"a","body":"b"}"#, "body"));
    rows.push(row(r#"{"body":"a","author":{"type":"system"}}"#, "author"));
    rows.push(row(r#"{"body":"a","createdAt":null}"#, "createdAt"));
    rows.push(row(r#"{"body":"a","text":"b"}"#, "text"));
    rows
}

#[actix_web::test]
async fn each_bad_body_is_refused_with_its_field_and_says_nothing() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let client = world.client().await;
    let path = path_of(&item.id, "/comments");
    for path in [path.clone(), format!("{PATH}/nothing/comments")] {
        let to = (Method::POST, path.as_str());
        assert_refused(&client, to, &world.member, &bad_bodies()).await;
        let nothing = client.send(call(Method::POST, &world.member, &path)).await;
        assert_eq!(nothing.status, 400);
    }
    assert_eq!(page(&world, &path).await.comments, []);
}

#[rstest]
#[case("limit=0", "limit")]
#[case("limit=201", "limit")]
#[case("cursor=x", "cursor")]
#[case(
    "cursor=a0000001a1fdfa460001JD2Y3Z4A5B6C7D8E9F0GHJKM00000000",
    "cursor"
)]
#[case("order=newest", "order")]
#[actix_web::test]
async fn what_is_wrong_is_named(#[case] query: &str, #[case] field: &str) {
    let reply = Fixture::new()
        .get(&format!("{PATH}/x/comments?{query}"))
        .await;
    assert_eq!((reply.status, reply.field().as_deref()), (400, Some(field)));
}

#[actix_web::test]
async fn a_key_that_may_only_read_says_nothing() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let path = path_of(&item.id, "/comments");
    let client = world.client().await;
    for body in [json!({"body": "Fine."}), json!([])] {
        let reply = client.post(&world.reader, &path, &body).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"));
    }
    assert_eq!(page(&world, &path).await.comments, []);
}
