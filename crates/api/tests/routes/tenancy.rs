//! Ids that are not the caller's: in the path of every operation of the document that takes one, in
//! queries and in bodies.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::openapi::operations_with_templates;
use crate::world::{Client, Fixture, Reply, call, unused_id};

/// An id of another organization for a parameter, and what ids of its kind begin with.
fn foreign_id(world: &Fixture, parameter: &str) -> (&'static str, String) {
    let foreign = world.completed(&world.rival, "https://rival.example.com/");
    match parameter {
        "runId" => ("run", foreign.run.to_string()),
        "reportId" | "against" => ("rep", foreign.report.to_string()),
        "siteId" => ("site", foreign.site.to_string()),
        "actionId" => ("act", world.actions(&world.rival)[0].id.to_string()),
        "waiverId" => ("wvr", unused_id("wvr")),
        "webhookId" => ("whk", world.webhook(&world.rival).to_string()),
        "assigneeId" => ("mem", world.person(&world.rival, "eve").to_string()),
        other => panic!("teach this test about {other}"),
    }
}

/// Ids for a parameter: of another organization, of nothing, and no ids at all.
fn strange_ids(world: &Fixture, parameter: &str) -> Vec<String> {
    let (prefix, foreign) = foreign_id(world, parameter);
    let lower = foreign.to_lowercase();
    let never = unused_id(prefix);
    let malformed = [
        "x", "0", "null", "%00", "..", "%2e%2e", "%2F", "%zz", "%ff", "a%20b", "é", "*", "'--",
    ];
    let mut ids = vec![
        foreign,
        never,
        lower,
        prefix.to_owned(),
        format!("{prefix}_"),
    ];
    ids.extend(malformed.map(str::to_owned));
    ids.push("a".repeat(2_000));
    ids
}

/// A body that the operation takes, where it needs one.
fn valid_body(method: &Method, template: &str) -> Option<Value> {
    let body = match template.rsplit('/').next().unwrap() {
        "comments" if method == Method::POST => json!({"body": "Fine."}),
        "{actionId}" if method == Method::PATCH => json!({"status": "done"}),
        "{siteId}" if method == Method::PATCH => json!({"name": "Mine"}),
        "{webhookId}" if method == Method::PATCH => json!({"enabled": false}),
        "waivers" if method == Method::POST => {
            json!({"checkId": "image-alt", "reason": "Accepted."})
        }
        "schedule" if method == Method::PUT => {
            json!({"enabled": true, "frequency": "daily", "timezone": "UTC"})
        }
        _ => return None,
    };
    Some(body)
}

async fn send(
    client: &Client,
    world: &Fixture,
    to: (&Method, &str),
    body: Option<&Value>,
) -> Reply {
    let mut request = call(to.0.clone(), &world.admin, to.1);
    if let Some(body) = body {
        request = request.set_json(body);
    }
    client.send(request).await
}

/// The replies tell nobody which of the ids are somebody's.
fn assert_alike(replies: &[Reply], status: u16, what: &str) {
    assert!(replies.len() > 10);
    for reply in replies {
        assert_eq!(reply.status, status, "{what}: {}", reply.text());
        assert_eq!(reply.problem(), replies[0].problem(), "{what}");
    }
}

/// The query that an operation needs before it looks at ids.
fn query(world: &Fixture, template: &str) -> String {
    if template.ends_with("/diff") {
        let own = world.completed(&world.acme, "https://example.com/").report;
        return format!("?against={own}");
    }
    String::new()
}

#[actix_web::test]
async fn they_cannot_be_told_from_what_never_was() {
    let mut seen = 0;
    for (method, template) in operations_with_templates(Fixture::new().variant) {
        let Some((before, rest)) = template.split_once('{') else {
            continue;
        };
        let (parameter, after) = rest.split_once('}').unwrap();
        seen += 1;
        let world = Fixture::new();
        let client = world.client().await;
        let body = valid_body(&method, &template);
        let mut replies = Vec::new();
        let query = query(&world, &template);
        for id in strange_ids(&world, parameter) {
            let path = format!("{before}{id}{after}{query}");
            let Ok(_) = path.parse::<actix_web::http::Uri>() else {
                continue;
            };
            replies.push(send(&client, &world, (&method, &path), body.as_ref()).await);
        }
        assert_alike(&replies, 404, &format!("{method} {template}"));
        assert_eq!(replies[0].code(), "not_found");
    }
    assert!(seen >= 10);
}

#[actix_web::test]
async fn nor_in_a_query() {
    for (path, parameter) in [("/api/mcp/runs", "siteId"), ("/api/mcp/actions", "siteId")] {
        let world = Fixture::new();
        let client = world.client().await;
        let mut replies = Vec::new();
        for id in strange_ids(&world, parameter) {
            // What is not encoded properly, or holds a NUL, is wrong by itself.
            let path = format!("{path}?{parameter}={}", id.replace('%', "%25"));
            if path.parse::<actix_web::http::Uri>().is_ok() {
                replies.push(client.get(&world.admin, &path).await);
            }
        }
        assert_alike(&replies, 404, path);
    }
}

#[actix_web::test]
async fn nor_in_a_body() {
    let own = Fixture::new().own_action(&Fixture::new().acme, "Mine").id;
    for (path, parameter, body) in [
        (
            "/api/mcp/start-audit",
            "siteId",
            json!({"url": "https://rival.example.com/", "siteId": "ID"}),
        ),
        (
            "/api/mcp/actions",
            "siteId",
            json!({"title": "Do it", "siteId": "ID"}),
        ),
        (
            "/api/mcp/actions/handoff",
            "actionId",
            json!({"ids": ["ID"]}),
        ),
        (
            "/api/mcp/actions/handoff",
            "actionId",
            json!({"ids": [own.as_str(), "ID"]}),
        ),
    ] {
        let world = Fixture::new();
        // The same in every world, since ids are counted.
        assert_eq!(world.own_action(&world.acme, "Mine").id, own);
        let client = world.client().await;
        let mut replies = Vec::new();
        for id in strange_ids(&world, parameter) {
            let body: Value = serde_json::from_str(&body.to_string().replace("ID", &id)).unwrap();
            replies.push(client.post(&world.admin, path, &body).await);
        }
        assert_alike(&replies, 404, path);
    }
}

#[actix_web::test]
async fn nobody_can_be_told_from_a_member_of_another_organization() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Mine");
    let before = world.actions(&world.acme);
    let client = world.client().await;
    let one = format!("/api/mcp/actions/{}", item.id);
    let (mut created, mut changed) = (Vec::new(), Vec::new());
    for id in strange_ids(&world, "assigneeId") {
        let body = json!({"title": "Do it", "assigneeId": id});
        created.push(client.post(&world.admin, "/api/mcp/actions", &body).await);
        let body = json!({ "assigneeId": id });
        changed.push(client.patch(&world.admin, &one, &body).await);
        let path = format!("/api/mcp/actions?assigneeId={}", id.replace('%', "%25"));
        if path.parse::<actix_web::http::Uri>().is_ok() {
            let list = client.get(&world.admin, &path).await;
            assert_eq!(list.status, 200, "{}", list.text());
            assert_eq!(list.json()["actions"], json!([]));
        }
    }
    for replies in [created, changed] {
        assert_alike(&replies, 400, "assigneeId");
        assert_eq!(replies[0].field().as_deref(), Some("assigneeId"));
    }
    assert_eq!(world.actions(&world.acme), before);
}

#[actix_web::test]
async fn in_a_query_neither() {
    let world = Fixture::new();
    let own = world.completed(&world.acme, "https://example.com/").report;
    let client = world.client().await;
    let mut problems = Vec::new();
    for id in strange_ids(&world, "against") {
        let path = format!("/api/mcp/reports/{own}/diff?against={id}");
        let Ok(_) = path.parse::<actix_web::http::Uri>() else {
            continue;
        };
        let reply = client.get(&world.admin, &path).await;
        // What cannot be read at all is a fault of the query.
        let expected = if ["%00", "%zz", "%ff"].contains(&id.as_str()) {
            400
        } else {
            404
        };
        assert_eq!(reply.status, expected, "{path}: {}", reply.text());
        if expected == 404 {
            problems.push(reply.problem());
        }
    }
    assert!(problems.len() > 10);
    problems.dedup();
    assert_eq!(problems.len(), 1, "{problems:?}");
}
