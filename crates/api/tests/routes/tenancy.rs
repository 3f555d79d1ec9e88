//! Every operation of the document that takes an id, with ids that are not the caller's.

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::openapi::operations_with_templates;
use crate::world::{World, call, unused_id};

/// Ids for a parameter: of another organization, of nothing, and no ids at all.
fn strange_ids(world: &World, parameter: &str) -> Vec<String> {
    let foreign = world.completed(&world.rival, "https://rival.example.com/");
    let (prefix, foreign) = match parameter {
        "runId" => ("run", foreign.run.to_string()),
        "reportId" | "against" => ("rep", foreign.report.to_string()),
        "siteId" => ("site", foreign.site.to_string()),
        other => panic!("teach this test about {other}"),
    };
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

/// The query that an operation needs before it looks at ids.
fn query(world: &World, template: &str) -> String {
    if template.ends_with("/diff") {
        let own = world.completed(&world.acme, "https://example.com/").report;
        return format!("?against={own}");
    }
    String::new()
}

/// The same for its body.
fn body(method: &Method) -> Option<Value> {
    (*method == Method::PATCH).then(|| json!({"name": "Mine"}))
}

#[actix_web::test]
async fn they_cannot_be_told_from_what_never_was() {
    let mut seen = 0;
    for (method, template) in operations_with_templates(World::new().variant) {
        let Some((before, rest)) = template.split_once('{') else {
            continue;
        };
        let (parameter, after) = rest.split_once('}').unwrap();
        seen += 1;
        let world = World::new();
        let client = world.client().await;
        let mut problems = Vec::new();
        let query = query(&world, &template);
        for id in strange_ids(&world, parameter) {
            let path = format!("{before}{id}{after}{query}");
            let Ok(_) = path.parse::<actix_web::http::Uri>() else {
                continue;
            };
            let mut request = call(method.clone(), &world.admin, &path);
            if let Some(body) = body(&method) {
                request = request.set_json(body);
            }
            let reply = client.send(request).await;
            assert_eq!(reply.status, 404, "{method} {path}: {}", reply.text());
            problems.push(reply.problem());
        }
        assert!(problems.len() > 10);
        problems.dedup();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0]["code"], "not_found");
    }
    assert!(seen >= 4);
}

#[actix_web::test]
async fn in_a_query_neither() {
    let world = World::new();
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
