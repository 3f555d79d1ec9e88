//! One response names every invalid field of a request, whichever step finds it.

use actix_web::http::Method;
use domain::report::Variant;
use rstest::rstest;
use serde_json::{Map, Value, json};

use crate::openapi::operations;
use crate::world::{Fixture, Reply, call};

/// The maximum number of invalid fields that a response names.
const MOST: usize = 20;

/// Field and code of every error of a problem, in order.
fn errors(reply: &Reply) -> Vec<String> {
    assert_eq!(reply.status, 400, "{}", reply.text());
    let problem = reply.problem();
    let errors = problem["errors"].as_array().cloned().unwrap_or_default();
    let shown = errors.iter().map(|error| {
        let (field, code) = (&error["field"], &error["code"]);
        format!("{} {}", field.as_str().unwrap(), code.as_str().unwrap())
    });
    shown.collect()
}

#[rstest]
#[case::values_lengths_and_dates("POST", "actions",
    r#"{"title": "", "dueDate": "2026-02-30", "priority": "x", "siteId": "q"}"#,
    &["title required", "dueDate not_a_date", "priority unknown_value"])]
#[case::a_type_and_a_date("POST", "actions",
    r#"{"dueDate": "2026-02-30", "title": 5}"#,
    &["dueDate not_a_date", "title wrong_type"])]
#[case::a_missing_field_is_last("POST", "actions",
    r#"{"foo": 1, "dueDate": "soon"}"#,
    &["foo unknown", "dueDate not_a_date", "title required"])]
#[case::a_patch("PATCH", "actions/x",
    r#"{"status": "zz", "title": " ", "dueDate": "2026-13-01", "description": 1}"#,
    &["status unknown_value", "title required", "dueDate not_a_date", "description wrong_type"])]
#[case::a_patch_of_nothing_valid("PATCH", "actions/x",
    r#"{"status": "zz"}"#,
    &["status unknown_value"])]
#[case::a_schedule("PUT", "sites/x/schedule",
    r#"{"enabled": "yes", "frequency": "zz", "timezone": "Mars/X"}"#,
    &["enabled wrong_type", "frequency unknown_value", "timezone invalid"])]
#[case::a_cron_expression_without_a_valid_frequency("PUT", "sites/x/schedule",
    r#"{"enabled": true, "frequency": "zz", "cron": "30 4 * * 1-5", "timezone": "UTC"}"#,
    &["frequency unknown_value"])]
#[case::a_wrong_cron_expression("PUT", "sites/x/schedule",
    r#"{"timezone": "Mars/X", "cron": "61 4 * * *", "frequency": "custom", "enabled": 1}"#,
    &["timezone invalid", "cron invalid", "enabled wrong_type"])]
#[case::a_missing_cron_expression("PUT", "sites/x/schedule",
    r#"{"enabled": true, "frequency": "custom", "timezone": "Mars/X"}"#,
    &["timezone invalid", "cron required"])]
#[case::a_site("POST", "sites",
    r#"{"url": "x", "name": 5, "foo": 1}"#,
    &["url invalid", "name wrong_type", "foo unknown"])]
#[case::a_handoff("POST", "actions/handoff",
    r#"{"ids": [], "format": "zz"}"#,
    &["ids out_of_range", "format unknown_value"])]
#[case::a_list_without_a_readable_entry("POST", "actions/handoff",
    r#"{"ids": [1]}"#,
    &["ids[0] wrong_type"])]
#[case::a_list_with_readable_entries("POST", "actions/handoff",
    r#"{"ids": ["act_1", 1, "act_1"]}"#,
    &["ids repeated", "ids[1] wrong_type"])]
#[case::a_comment("POST", "actions/x/comments",
    r#"{"body": "  ", "author": "me"}"#,
    &["body required", "author unknown"])]
#[case::a_waiver("POST", "sites/x/waivers",
    r#"{"checkId": "nonsense", "reason": 1, "path": "docs", "expiresAt": "2026-02-30", "foo": null}"#,
    &["checkId unknown_value", "reason wrong_type", "path invalid", "expiresAt not_a_date", "foo unknown"])]
#[case::a_webhook("POST", "webhooks",
    r#"{"events": ["zz", "run.completed", "run.failed", "run.completed"], "url": "x"}"#,
    &["events[0] unknown_value", "events[3] repeated", "url invalid"])]
#[case::a_webhook_without_events("PATCH", "webhooks/x",
    r#"{"url": "x", "events": [], "enabled": "no"}"#,
    &["url invalid", "events out_of_range", "enabled wrong_type"])]
#[case::options_of_a_site("PATCH", "sites/x",
    r#"{"name": "", "options": {"maxPages": 0, "maxDepth": -1, "include": ["docs", 1], "foo": 1}}"#,
    &["name invalid", "options.maxPages out_of_range", "options.maxDepth out_of_range",
      "options.include[0] invalid", "options.include[1] wrong_type", "options.foo unknown"])]
#[case::an_audit("POST", "start-audit",
    r#"{"options": {"mode": "fast", "exclude": ["docs"]}, "url": "x"}"#,
    &["options.mode unknown_value", "options.exclude[0] invalid", "url invalid"])]
#[case::a_brief("POST", "actions/x/brief?foo=1",
    r#"{"instructions": 1}"#,
    &["instructions wrong_type", "foo unknown"])]
#[actix_web::test]
async fn all_invalid_fields_of_a_body_are_named_in_their_order(
    #[case] method: Method,
    #[case] path: &str,
    #[case] body: &str,
    #[case] expected: &[&str],
) {
    let world = Fixture::new();
    let client = world.client().await;
    let request = call(method, &world.admin, &format!("/api/mcp/{path}"));
    let request = request.insert_header(("Content-Type", "application/json"));
    let reply = client.send(request.set_payload(body.to_owned())).await;
    assert_eq!(errors(&reply), expected, "{}", reply.text());
}

#[rstest]
#[case("actions?status=zz&priority=yy&limit=900", &["status unknown_value", "priority unknown_value", "limit out_of_range"])]
#[case("actions?status=zz&foo=1&limit=900&siteId=q", &["status unknown_value", "foo unknown", "limit out_of_range"])]
#[case("runs?cursor=x&status=open&limit=0", &["cursor invalid", "status unknown_value", "limit out_of_range"])]
#[case("reports/x/pages?sort=zz&status=1&q=&limit=x&cursor=y&format=xml", &[
    "sort unknown_value", "status unknown_value", "q required", "limit out_of_range", "cursor invalid", "format unknown_value",
])]
#[case("reports/x/pages?format=csv&limit=5&cursor=x", &["limit not_allowed", "cursor not_allowed"])]
#[case("reports/x/links?kind=zz&cursor=y", &["kind unknown_value", "cursor invalid"])]
#[case("reports/x/redirects?limit=201&cursor=y", &["limit out_of_range", "cursor invalid"])]
#[case("reports/x/issues/y/occurrences?limit=201&cursor=y", &["limit out_of_range", "cursor invalid"])]
#[case("reports/x/issues/y/causes?cursor=y&limit=201", &["cursor invalid", "limit out_of_range"])]
#[case("reports/x/diff?foo=1", &["foo unknown", "against required"])]
#[case("reports/x?format=zz&foo=1", &["format invalid", "foo unknown"])]
#[case("sites/x/history?limit=101&limit=5", &["limit repeated"])]
#[actix_web::test]
async fn all_invalid_parameters_are_named_in_their_order(
    #[case] path: &str,
    #[case] expected: &[&str],
) {
    let world = Fixture::new();
    let reply = world.get(&format!("/api/mcp/{path}")).await;
    assert_eq!(errors(&reply), expected, "{}", reply.text());
}

/// The properties of the body that an operation documents.
fn properties(document: &Value, operation: &Value) -> Option<Map<String, Value>> {
    let mut schema = operation.pointer("/requestBody/content/application~1json/schema")?;
    let choices = schema["oneOf"].as_array().into_iter().flatten();
    for choice in choices {
        if choice.get("$ref").is_some() {
            schema = choice;
        }
    }
    if let Some(name) = schema["$ref"].as_str() {
        schema = document.pointer(name.trim_start_matches('#'))?;
    }
    schema["properties"].as_object().cloned()
}

#[actix_web::test]
async fn every_body_names_all_fields_of_a_wrong_type_with_unknown_fields_and_parameters() {
    let world = Fixture::new();
    let client = world.client().await;
    let document = serde_json::to_value(api::openapi(Variant::Current)).unwrap();
    let mut bodies = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let Some(properties) = properties(&document, operation) else {
                assert!(operation.get("requestBody").is_none(), "{method} {path}");
                continue;
            };
            // No field is a number with a fraction.
            let wrong = properties.keys().map(|name| (name.clone(), json!(1.5)));
            let mut body: Map<String, Value> = wrong.collect();
            body.insert("foo".to_owned(), json!(1));
            let filled = path
                .split('/')
                .map(|part| if part.starts_with('{') { "x" } else { part });
            let url = format!("{}?bar=1", filled.collect::<Vec<_>>().join("/"));
            let method: Method = method.to_uppercase().parse().unwrap();
            let request = call(method, &world.admin, &url)
                .insert_header(("Idempotency-Key", "not one key"))
                .set_json(&body);
            let mut expected: Vec<String> = body
                .keys()
                .map(|name| match name.as_str() {
                    "foo" => "foo unknown".to_owned(),
                    name => format!("{name} wrong_type"),
                })
                .collect();
            expected.push("bar unknown".to_owned());
            if operation.to_string().contains("Idempotency-Key") {
                expected.push("Idempotency-Key invalid".to_owned());
            }
            expected.sort();
            let mut found = errors(&client.send(request).await);
            found.sort();
            assert_eq!(found, expected, "{path}");
            bodies += 1;
        }
    }
    assert!(bodies > 10);
}

#[actix_web::test]
async fn every_operation_names_all_unknown_parameters() {
    let world = Fixture::new();
    let client = world.client().await;
    for (method, path) in operations(Variant::Current) {
        let url = format!("{path}?foo=1&bar=");
        let reply = client.send(call(method.clone(), &world.admin, &url)).await;
        assert_eq!(reply.status, 400, "{method} {path}");
        let text = reply.text();
        // An operation with a body has none here, and says so first.
        let has_body = text.contains("The request body must be a JSON object.");
        assert!(
            has_body || (text.contains("\"foo\"") && text.contains("\"bar\"")),
            "{method} {path}: {text}"
        );
    }
}

#[actix_web::test]
async fn the_list_of_errors_is_bounded_over_all_steps() {
    let world = Fixture::new();
    let client = world.client().await;
    let events: Vec<&str> = (0..MOST + 10).map(|_| "run.completed").collect();
    let body = json!({"events": events, "url": "x", "foo": 1});
    let reply = client.post(&world.admin, "/api/mcp/webhooks", &body).await;
    assert_eq!(errors(&reply).len(), MOST, "{}", reply.text());
}

#[actix_web::test]
async fn a_forbidden_target_beside_other_errors_keeps_its_code() {
    let world = Fixture::new();
    let client = world.client().await;
    let body = json!({"url": "http://127.0.0.1/", "name": 5});
    let reply = client.post(&world.admin, "/api/mcp/sites", &body).await;
    assert_eq!(errors(&reply), ["name wrong_type", "url not_allowed"]);
    assert_eq!(reply.code(), "target_not_allowed");
}

#[actix_web::test]
async fn a_negative_number_says_the_range_and_an_expiry_what_is_missing() {
    let world = Fixture::new();
    let client = world.client().await;
    let path = "/api/mcp/start-audit";
    let body =
        json!({"url": "https://example.com/", "options": {"maxDepth": -1, "maxPages": "10"}});
    let problem = client.post(&world.admin, path, &body).await.problem();
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("options.maxDepth: Must be a whole number from 0 to 4294967295"),
        "{detail}"
    );
    assert!(
        detail.contains("options.maxPages: Must be a whole number from 1 to "),
        "{detail}"
    );
    assert!(
        detail.contains("a text in quotation marks was given"),
        "{detail}"
    );
    for (expiry, expected) in [
        ("2027-01-31", "The time of day is missing"),
        ("2026-02-30", "There is no such day in the calendar."),
    ] {
        let body = json!({"checkId": "image-alt", "reason": "x", "expiresAt": expiry});
        let path = "/api/mcp/sites/x/waivers";
        let problem = client.post(&world.admin, path, &body).await.problem();
        let message = problem["errors"][0]["message"].as_str().unwrap();
        assert!(message.starts_with(expected), "{message}");
    }
}
