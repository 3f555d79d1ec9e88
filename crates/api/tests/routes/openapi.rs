//! The document, and that the router does what it says.

use std::collections::BTreeMap;
use std::fmt::Write;

use actix_web::http::Method;
use api_types::{
    account, action, brief, check, comment, handoff, member, report, run, schedule, site,
    start_audit, webhook,
};
use domain::report::Variant;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::world::{Fixture, call};

const METHODS: [Method; 7] = [
    Method::GET,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
    Method::TRACE,
];

fn document(variant: Variant) -> Value {
    serde_json::to_value(api::openapi(variant)).unwrap()
}

/// Method and path of every operation, with braces around parameters.
pub(crate) fn operations_with_templates(variant: Variant) -> Vec<(Method, String)> {
    let document = document(variant);
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            operations.push((method.to_uppercase().parse().unwrap(), path.clone()));
        }
    }
    operations
}

/// Method and path of every operation, with an id of nothing for each parameter.
pub(crate) fn operations(variant: Variant) -> Vec<(Method, String)> {
    let filled = operations_with_templates(variant).into_iter();
    filled
        .map(|(method, path)| {
            let parts = path.split('/');
            let parts: Vec<_> = parts
                .map(|part| if part.starts_with('{') { "x" } else { part })
                .collect();
            (method, parts.join("/"))
        })
        .collect()
}

#[actix_web::test]
async fn the_router_has_exactly_what_is_documented() {
    for world in [Fixture::new(), Fixture::legacy()] {
        the_router_is_as_documented(&world).await;
    }
}

async fn the_router_is_as_documented(world: &Fixture) {
    let client = world.client().await;
    let mut by_path: BTreeMap<String, Vec<Method>> = BTreeMap::new();
    for (method, path) in operations(world.variant) {
        by_path.entry(path).or_default().push(method);
    }
    for (path, documented) in by_path {
        for method in METHODS {
            let reply = client.send(call(method.clone(), &world.admin, &path)).await;
            let is_there = documented.contains(&method);
            assert_eq!(
                reply.status != 405,
                is_there,
                "{method} {path}: {}",
                reply.text()
            );
            if !is_there {
                assert_eq!(reply.code(), "method_not_allowed");
                let allow = reply.header("Allow").unwrap();
                let mut allowed: Vec<_> =
                    allow.split(", ").filter(|&name| name != "HEAD").collect();
                allowed.sort_unstable();
                let mut expected: Vec<_> = documented.iter().map(Method::as_str).collect();
                expected.sort_unstable();
                assert_eq!(allowed, expected, "{path}");
            }
        }
    }
}

#[test]
fn every_operation_is_named_described_and_secured() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        assert_eq!(document["openapi"], "3.1.0");
        assert_eq!(document["info"]["title"], "Assay");
        assert_eq!(
            document["components"]["securitySchemes"]["bearer"]["scheme"],
            "bearer"
        );
        let mut names = Vec::new();
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                names.push(operation["operationId"].as_str().unwrap().to_owned());
                assert!(operation["summary"].is_string(), "{operation}");
                assert!(operation["description"].is_string(), "{operation}");
                assert_eq!(operation["security"][0]["bearer"], serde_json::json!([]));
                judge_responses(operation, variant);
            }
        }
        names.sort_unstable();
        let names = names.join(" ");
        if variant == Variant::Current {
            insta::assert_snapshot!(names, @"cancel_run comment_on_action compare_reports create_action create_site create_waiver create_webhook delete_site delete_waiver delete_webhook get_account get_action get_artifact get_brief get_report get_run get_schedule get_site get_site_history get_webhook handoff_actions list_actions list_artifacts list_causes list_checks list_comments list_deliveries list_links list_members list_occurrences list_pages list_redirects list_runs list_sites list_waivers list_webhooks queue_brief set_schedule start_audit test_webhook update_action update_site update_webhook watch_run");
        } else {
            insta::assert_snapshot!(names, @"cancel_run compare_reports create_site create_waiver create_webhook delete_site delete_waiver delete_webhook get_account get_report get_run get_schedule get_site get_site_history get_webhook list_causes list_checks list_deliveries list_links list_members list_occurrences list_pages list_redirects list_runs list_sites list_waivers list_webhooks set_schedule start_audit test_webhook update_site update_webhook watch_run");
        }
    }
}

#[test]
fn every_operation_names_its_role_and_every_body_has_an_example() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        let schemas = &document["components"]["schemas"];
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                let role = operation["x-required-role"].as_str().unwrap();
                assert!(["read", "member", "admin"].contains(&role), "{operation}");
                let named = format!("the role `{role}`");
                assert!(operation["description"].as_str().unwrap().contains(&named));
                let body = &operation["requestBody"]["content"]["application/json"];
                if body.is_null() {
                    continue;
                }
                let reference = body["schema"]["$ref"].as_str().unwrap();
                let name = reference.rsplit('/').next().unwrap();
                let fields = schemas[name]["properties"].as_object().unwrap();
                let example = body["example"].as_object();
                let example = example.unwrap_or_else(|| panic!("{}", operation["operationId"]));
                assert!(!example.is_empty());
                for field in example.keys() {
                    assert!(fields.contains_key(field), "{name} {field}");
                }
                for field in schemas[name]["required"].as_array().into_iter().flatten() {
                    assert!(
                        example.contains_key(field.as_str().unwrap()),
                        "{name} {field}"
                    );
                }
            }
        }
    }
}

#[test]
fn schemas_have_names_of_the_domain_and_lists_of_codes() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        assert_eq!(document["servers"][0]["url"], "/");
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert!(schemas.contains_key("Subscores"));
        for name in schemas.keys() {
            assert!(!name.contains('_'), "{name}");
        }
        let reasons = schemas["Problem"]["properties"]["reason"]["enum"].to_string();
        assert!(reasons.contains("monthly_run_limit_hit"), "{reasons}");
        let codes = schemas["FieldError"]["properties"]["code"]["enum"].to_string();
        assert!(codes.contains("out_of_range"), "{codes}");
        let time = &schemas["Run"]["properties"]["createdAt"]["format"];
        assert_eq!(*time, "date-time");
    }
}

/// What a report is as a file.
const FILES: [&str; 5] = [
    "text/html",
    "text/markdown",
    "application/sarif+json",
    "application/xml",
    "text/csv",
];

/// The examples of an answer: the one there is, or those that have names.
fn examples(content: &Value) -> Vec<&Value> {
    let named = content["examples"].as_object().into_iter().flatten();
    let named = named.map(|(_, example)| &example["value"]);
    let examples = named.chain([&content["example"]]);
    examples.filter(|example| example.is_object()).collect()
}

/// Whether the operation answers files as well.
fn has_files(operation: &Value) -> bool {
    ["get_report", "list_pages", "list_links", "list_redirects"]
        .iter()
        .any(|known| operation["operationId"] == *known)
}

fn judge_responses(operation: &Value, variant: Variant) {
    let responses = operation["responses"].as_object().unwrap();
    for status in ["400", "401", "429", "500", "503"] {
        assert!(responses.contains_key(status), "{status} of {operation}");
    }
    assert_eq!(responses.contains_key("402"), variant == Variant::Legacy);
    for (status, response) in responses {
        assert!(
            response["headers"]["X-Request-Id"].is_object(),
            "{response}"
        );
        for limit in ["RateLimit", "RateLimit-Policy"] {
            let is_known = !["401", "402"].contains(&status.as_str());
            assert_eq!(response["headers"][limit].is_object(), is_known, "{status}");
        }
        let waits = ["429", "503"].contains(&status.as_str());
        assert_eq!(response["headers"]["Retry-After"].is_object(), waits);
        let content = response["content"].as_object();
        assert_eq!(content.is_none(), status == "204", "{response}");
        for (kind, content) in content.into_iter().flatten() {
            if ["text/event-stream", "image/jpeg"].contains(&kind.as_str()) {
                assert_eq!(status, "200");
                assert!(content["example"].is_string(), "{content}");
            } else if has_files(operation) && status == "200" && kind != "application/json" {
                assert!(FILES.contains(&kind.as_str()), "{kind}");
            } else if status.starts_with('2') {
                assert_eq!(kind, "application/json");
                assert!(!examples(content).is_empty(), "{content}");
            } else {
                assert_eq!(kind, "application/problem+json");
                for (code, example) in content["examples"].as_object().unwrap() {
                    assert_eq!(example["value"]["code"], code.as_str());
                    assert_eq!(example["value"]["status"].to_string(), *status);
                }
            }
        }
    }
}

#[test]
fn every_post_honours_a_key_and_says_so_everywhere() {
    let document = document(Variant::Current);
    for item in document["paths"].as_object().unwrap().values() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = &operation["responses"];
            let mut parameters = operation["parameters"].as_array().into_iter().flatten();
            let header = parameters.find(|parameter| parameter["name"] == "Idempotency-Key");
            let codes = [
                ("409", "idempotency_in_progress"),
                ("422", "idempotency_key_reused"),
            ];
            for (status, code) in codes {
                let examples =
                    &responses[status]["content"]["application/problem+json"]["examples"];
                assert_eq!(examples[code].is_object(), header.is_some(), "{operation}");
            }
            assert_eq!(header.is_some(), method == "post", "{operation}");
            let Some(header) = header else {
                continue;
            };
            assert_eq!(header["in"], "header");
            assert_eq!(header["required"], false);
            assert_eq!(header["schema"]["minLength"], 1);
            assert_eq!(header["schema"]["maxLength"], 255);
            let made = responses.as_object().unwrap().iter();
            for (_, made) in made.filter(|(status, _)| status.starts_with('2')) {
                assert!(made["headers"]["Idempotency-Replayed"].is_object());
            }
        }
    }
}

/// What each reference points at is there.
#[test]
fn no_reference_dangles() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        let text = document.to_string();
        let mut found = 0;
        for rest in text.split("\"#/components/schemas/").skip(1) {
            let name = rest.split('"').next().unwrap();
            assert!(
                document["components"]["schemas"][name].is_object(),
                "{name}"
            );
            found += 1;
        }
        assert!(found > 10);
    }
}

#[test]
fn the_sixth_dimension_is_in_one_variant_alone() {
    assert!(
        !document(Variant::Legacy)
            .to_string()
            .contains("aiReadiness")
    );
    let current = document(Variant::Current);
    let subscores = &current["components"]["schemas"]["Subscores"];
    let properties = subscores["properties"].as_object().unwrap();
    assert_eq!(properties.len(), 6);
    assert_eq!(subscores["required"].as_array().unwrap().len(), 6);
    assert_eq!(properties["aiReadiness"]["type"], "integer");
}

#[test]
fn examples_have_the_keys_of_their_schemas() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        for item in document["paths"].as_object().unwrap().values() {
            for operation in item.as_object().unwrap().values() {
                for status in ["200", "201", "202"] {
                    let content = &operation["responses"][status]["content"]["application/json"];
                    for example in examples(content) {
                        judge_example(&document, &content["schema"], example, "");
                    }
                }
            }
        }
    }
}

#[actix_web::test]
async fn real_answers_have_the_keys_of_their_schemas_and_examples() {
    let world = Fixture::new();
    let completed = world.completed(&world.acme, "https://example.com/");
    let own = world.own_action(&world.acme, "Write the texts");
    world.webhook(&world.acme);
    world.person(&world.acme, "Ada");
    let document = document(world.variant);
    let mut judged = 0;
    for (template, item) in document["paths"].as_object().unwrap() {
        let content = &item["get"]["responses"]["200"]["content"]["application/json"];
        if content.is_null() || template.contains("{webhookId}") || template.contains("{issueId}") {
            continue;
        }
        let mut path = template
            .replace("{runId}", completed.run.as_str())
            .replace("{reportId}", completed.report.as_str())
            .replace("{siteId}", completed.site.as_str())
            .replace("{actionId}", own.id.as_str());
        if path.ends_with("/diff") {
            write!(path, "?against={}", completed.report).unwrap();
        }
        let reply = world.get(&path).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        let answer = reply.json();
        judge_example(&document, &content["schema"], &answer, template);
        let keys =
            |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
        let example = examples(content)
            .into_iter()
            .find(|example| keys(example) == keys(&answer));
        assert!(example.is_some(), "{template}");
        judged += 1;
    }
    assert!(judged >= 16, "{judged}");
}

/// A schema's properties are exactly the keys of what it describes, all the way down.
fn judge_example(document: &Value, schema: &Value, example: &Value, at: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return judge_example(
            document,
            &document["components"]["schemas"][name],
            example,
            at,
        );
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let choice = choices
            .iter()
            .find(|choice| fits(document, choice, example));
        if let (Some(choice), false) = (choice, example.is_null()) {
            judge_example(document, choice, example, at);
        }
        return;
    }
    if let (Some(items), Some(schema)) = (example.as_array(), schema.get("items")) {
        for item in items {
            judge_example(document, schema, item, at);
        }
        return;
    }
    let mut properties = BTreeMap::new();
    let mut required = Vec::new();
    collect(document, schema, &mut properties, &mut required);
    if let Some(object) = example.as_object().filter(|_| !properties.is_empty()) {
        let mut keys: Vec<_> = object.keys().cloned().collect();
        keys.sort_unstable();
        required.sort_unstable();
        assert_eq!(required, keys, "required keys of {at}");
        for (key, value) in object {
            judge_example(document, &properties[key], value, &format!("{at}.{key}"));
        }
    }
}

/// Whether a choice refers to a type that has the first key of an example.
fn fits(document: &Value, choice: &Value, example: &Value) -> bool {
    let Some(reference) = choice["$ref"].as_str() else {
        return false;
    };
    let name = reference.rsplit('/').next().unwrap();
    let (mut properties, mut required) = (BTreeMap::new(), Vec::new());
    let schema = &document["components"]["schemas"][name];
    collect(document, schema, &mut properties, &mut required);
    let keys = example.as_object().map(|object| object.keys());
    properties.is_empty()
        || keys.is_none_or(|mut keys| keys.all(|key| properties.contains_key(key)))
}

/// The properties of an object, also where it is made of several.
fn collect(
    document: &Value,
    schema: &Value,
    properties: &mut BTreeMap<String, Value>,
    required: &mut Vec<String>,
) {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        let schema = &document["components"]["schemas"][name];
        return collect(document, schema, properties, required);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        collect(document, part, properties, required);
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        properties.insert(name.clone(), property.clone());
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        required.push(name.as_str().unwrap().to_owned());
    }
}

#[test]
fn examples_are_what_clients_read() {
    fn reads<T: DeserializeOwned>(document: &Value, path: &str, method: &str, status: &str) {
        let response = &document["paths"][path][method]["responses"][status];
        let content = &response["content"]["application/json"];
        assert!(!examples(content).is_empty(), "{path}");
        for example in examples(content) {
            if let Err(error) = serde_json::from_value::<T>(example.clone()) {
                panic!("{path}: {error}");
            }
        }
    }
    let document = document(Variant::Current);
    reads::<account::Account>(&document, "/api/mcp/account", "get", "200");
    let actions = "/api/mcp/actions";
    reads::<action::ActionList>(&document, actions, "get", "200");
    reads::<action::ActionItem>(&document, actions, "post", "201");
    let one = "/api/mcp/actions/{actionId}";
    reads::<action::ActionItem>(&document, one, "get", "200");
    reads::<action::ActionItem>(&document, one, "patch", "200");
    let comments = "/api/mcp/actions/{actionId}/comments";
    reads::<comment::CommentList>(&document, comments, "get", "200");
    reads::<comment::ActionComment>(&document, comments, "post", "201");
    let brief = "/api/mcp/actions/{actionId}/brief";
    reads::<brief::ActionBrief>(&document, brief, "get", "200");
    reads::<brief::QueuedBrief>(&document, brief, "post", "202");
    let handoff = "/api/mcp/actions/handoff";
    reads::<handoff::Handoff>(&document, handoff, "post", "200");
    reads::<check::CheckList>(&document, "/api/mcp/checks", "get", "200");
    reads::<member::MemberList>(&document, "/api/mcp/members", "get", "200");
    reads::<report::ReportAnswer>(&document, "/api/mcp/reports/{reportId}", "get", "200");
    reads::<report::ReportDiff>(&document, "/api/mcp/reports/{reportId}/diff", "get", "200");
    reads::<report::PageList>(&document, "/api/mcp/reports/{reportId}/pages", "get", "200");
    reads::<report::CauseList>(
        &document,
        "/api/mcp/reports/{reportId}/issues/{issueId}/causes",
        "get",
        "200",
    );
    reads::<report::OccurrenceList>(
        &document,
        "/api/mcp/reports/{reportId}/issues/{issueId}/occurrences",
        "get",
        "200",
    );
    reads::<run::Run>(&document, "/api/mcp/runs/{runId}", "get", "200");
    reads::<run::Run>(&document, "/api/mcp/runs/{runId}/cancel", "post", "202");
    reads::<run::RunList>(&document, "/api/mcp/runs", "get", "200");
    reads::<site::SiteList>(&document, "/api/mcp/sites", "get", "200");
    reads::<site::Site>(&document, "/api/mcp/sites", "post", "201");
    reads::<site::Site>(&document, "/api/mcp/sites/{siteId}", "patch", "200");
    reads::<site::SiteHistory>(&document, "/api/mcp/sites/{siteId}/history", "get", "200");
    reads::<schedule::Schedule>(&document, "/api/mcp/sites/{siteId}/schedule", "get", "200");
    let path = "/api/mcp/sites/{siteId}/schedule";
    reads::<schedule::Schedule>(&document, path, "put", "200");
    let (all, one) = ("/api/mcp/webhooks", "/api/mcp/webhooks/{webhookId}");
    reads::<webhook::WebhookList>(&document, all, "get", "200");
    reads::<webhook::CreatedWebhook>(&document, all, "post", "201");
    reads::<webhook::Webhook>(&document, one, "get", "200");
    reads::<webhook::Webhook>(&document, one, "patch", "200");
    reads::<webhook::Delivery>(
        &document,
        "/api/mcp/webhooks/{webhookId}/test",
        "post",
        "202",
    );
    let deliveries = "/api/mcp/webhooks/{webhookId}/deliveries";
    reads::<webhook::DeliveryList>(&document, deliveries, "get", "200");
    reads::<start_audit::StartAuditResponse>(&document, "/api/mcp/start-audit", "post", "202");
}

/// What callers may send of action items, and how much.
#[test]
fn what_is_asked_of_action_items_has_its_limits() {
    let document = document(Variant::Current);
    let schemas = &document["components"]["schemas"];
    let mut shown = String::new();
    for name in [
        "CreateActionRequest",
        "UpdateActionRequest",
        "AddCommentRequest",
        "QueueBriefRequest",
        "HandoffRequest",
    ] {
        let mut schema = schemas[name].clone();
        for property in schema["properties"].as_object_mut().unwrap().values_mut() {
            property.as_object_mut().unwrap().remove("description");
        }
        let (properties, required) = (&schema["properties"], &schema["required"]);
        writeln!(
            shown,
            "{name} {required} {}",
            schema["additionalProperties"]
        )
        .unwrap();
        for (name, property) in properties.as_object().unwrap() {
            writeln!(shown, "  {name} {property}").unwrap();
        }
    }
    insta::assert_snapshot!(shown, @r##"
    CreateActionRequest ["title"] false
      assigneeId {"type":["string","null"]}
      description {"maxLength":10000,"type":"string"}
      dueDate {"format":"date","type":["string","null"]}
      priority {"$ref":"#/components/schemas/Priority"}
      siteId {"type":["string","null"]}
      title {"maxLength":200,"minLength":1,"type":"string"}
    UpdateActionRequest null false
      assigneeId {"type":["string","null"]}
      description {"maxLength":10000,"type":"string"}
      dueDate {"format":"date","type":["string","null"]}
      priority {"$ref":"#/components/schemas/Priority"}
      status {"$ref":"#/components/schemas/ActionStatus"}
      title {"maxLength":200,"minLength":1,"type":"string"}
    AddCommentRequest ["body"] false
      body {"maxLength":10000,"minLength":1,"type":"string"}
    QueueBriefRequest null false
      instructions {"maxLength":2000,"type":"string"}
    HandoffRequest ["ids"] false
      format {"$ref":"#/components/schemas/HandoffFormat"}
      ids {"items":{"type":"string"},"maxItems":10,"minItems":1,"type":"array","uniqueItems":true}
    "##);
    let body = &document["paths"]["/api/mcp/actions/{actionId}/brief"]["post"]["requestBody"];
    assert_eq!(schemas["UpdateActionRequest"]["minProperties"], 1);
    insta::assert_snapshot!(body.to_string(), @r##"{"content":{"application/json":{"example":{"instructions":"The site is built with Hugo."},"schema":{"$ref":"#/components/schemas/QueueBriefRequest"}}},"description":"Optional."}"##);
}

#[test]
fn the_older_variant_knows_nothing_of_action_items() {
    let document = document(Variant::Legacy);
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(!path.contains("action"), "{path}");
    }
    for schema in document["components"]["schemas"]
        .as_object()
        .unwrap()
        .keys()
        .filter(|schema| !schema.starts_with("Waiver"))
    {
        for word in [
            "Action", "Comment", "Brief", "Handoff", "Priority", "Author",
        ] {
            assert!(!schema.contains(word), "{schema}");
        }
    }
}

#[test]
fn a_report_is_documented_in_all_of_its_forms() {
    for variant in [Variant::Current, Variant::Legacy] {
        let document = document(variant);
        let operation = &document["paths"]["/api/mcp/reports/{reportId}"]["get"];
        let parameters = operation["parameters"].as_array().unwrap();
        let format = parameters.iter().find(|known| known["name"] == "format");
        let format = format.unwrap();
        assert_eq!(format["required"], false);
        assert!(
            format["schema"].to_string().contains(
                r#""enum":["pdf_url","html","markdown","sarif","junit","csv","json","llm"]"#
            ),
            "{format}"
        );
        let content = &operation["responses"]["200"]["content"]["application/json"];
        let choices = content["schema"]["oneOf"].as_array().unwrap();
        let choices: Vec<_> = choices.iter().map(|choice| &choice["$ref"]).collect();
        assert_eq!(
            choices,
            ["#/components/schemas/Report", "#/components/schemas/PdfUrl"]
        );
        let examples: Vec<_> = content["examples"].as_object().unwrap().keys().collect();
        assert_eq!(examples, ["default", "pdf_url"]);
        let contents = operation["responses"]["200"]["content"]
            .as_object()
            .unwrap();
        assert!(FILES.iter().all(|kind| contents.contains_key(*kind)));
        assert!(operation["description"].as_str().unwrap().contains("/dl"));
    }
}

#[actix_web::test]
async fn the_document_is_served_in_the_variant_of_the_server() {
    for world in [Fixture::new(), Fixture::legacy()] {
        let reply = world.client().await.get("", "/openapi.json").await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json(), document(world.variant));
    }
}
