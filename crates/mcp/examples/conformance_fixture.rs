//! A server with the tools, resources and prompts that the protocol's conformance suite calls by their names,
//! mounted by the adapter that mounts ours: `conformance_fixture 127.0.0.1:8123`, then `/mcp` there.
//!
//! It shows the adapter, in both ways of the protocol: with sessions, in which a server may ask the client, and
//! without. `scripts/mcp-conformance` runs the suite against it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::needless_pass_by_value,
    deprecated,
    missing_docs,
    reason = "a fixture of tests ends where something is not as expected, and has what the suite still asks for"
)]

use std::sync::Arc;
use std::time::Duration;

use actix_web::{App, HttpServer};
use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::broadcast;

/// A picture of one pixel, and a sound of no length.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

#[derive(Clone)]
struct Fixture {
    changes: broadcast::Sender<&'static str>,
}

/// A value of the library from JSON, which is how the suite describes it.
fn parse<T: DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn content(content: Value) -> CallToolResponse {
    CallToolResult::success(parse(content)).into()
}

fn elicitation(message: &str, field: &str, kind: &str) -> Value {
    json!({ "method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": { "type": "object", "properties": { field: { "type": kind } }, "required": [field] },
    } })
}

fn sampling(text: &str) -> Value {
    json!({ "method": "sampling/createMessage", "params": {
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }], "maxTokens": 100,
    } })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}

fn asks(requests: Value, state: Option<&str>) -> InputRequiredResult {
    let mut result = json!({ "resultType": "input_required", "inputRequests": requests });
    if let Some(state) = state {
        result["requestState"] = json!(state);
    }
    parse(result)
}

/// What the client answered under a name, where it is an object.
fn answered<'a>(responses: Option<&'a InputResponses>, name: &str) -> Option<&'a Value> {
    responses?.get(name).filter(|answer| answer.is_object())
}

impl Fixture {
    async fn ask(
        &self,
        context: &RequestContext<RoleServer>,
        request: Value,
    ) -> Result<Value, ErrorData> {
        let answer = context
            .peer
            .send_request(parse(request))
            .await
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        Ok(serde_json::to_value(answer).unwrap())
    }

    async fn log(&self, context: &RequestContext<RoleServer>, message: &str) {
        let param = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        let _ = context.peer.notify_logging_message(param).await;
    }
}

const TOOLS: [&str; 24] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_error_handling",
    "test_tool_with_progress",
    "test_sampling",
    "test_elicitation",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_tampered_state",
    "test_input_required_result_capabilities",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_logging_tool",
    "test_trigger_tool_change",
];

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = parse(json!({
            "tools": { "listChanged": true }, "prompts": { "listChanged": true },
            "resources": { "subscribe": true }, "logging": {}, "completions": {},
        }));
        ServerConfig::new(capabilities).with_server_info(Implementation::new("fixture", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema: JsonObject = parse(json!({ "type": "object", "properties": {} }));
        let tools = TOOLS.map(|name| Tool::new(name, "A tool of the suite.", schema.clone()));
        Ok(ListToolsResult::with_all_items(tools.to_vec()))
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(call.arguments.unwrap_or_default());
        let responses = call.input_responses.as_ref();
        let state = call.request_state.as_deref();
        let picture = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
        let ok = |name: &str| elicitation("Please confirm", name, "boolean");
        Ok(match &*call.name {
            "test_simple_text" => text("This is a simple text response for testing."),
            "test_image_content" => content(json!([picture])),
            "test_audio_content" => {
                content(json!([{ "type": "audio", "data": WAV, "mimeType": "audio/wav" }]))
            }
            "test_embedded_resource" => content(json!([{ "type": "resource", "resource": {
                "uri": "test://embedded-resource", "mimeType": "text/plain",
                "text": "This is an embedded resource content.",
            } }])),
            "test_multiple_content_types" => content(json!([
                { "type": "text", "text": "Multiple content types test:" },
                picture,
                { "type": "resource", "resource": {
                    "uri": "test://mixed-content-resource", "mimeType": "application/json",
                    "text": "{\"test\":\"data\",\"value\":123}",
                } },
            ])),
            "test_tool_with_logging" => {
                for message in [
                    "Tool execution started",
                    "Tool processing data",
                    "Tool execution completed",
                ] {
                    self.log(&context, message).await;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                text("done")
            }
            "test_logging_tool" => {
                if context
                    .meta
                    .get("io.modelcontextprotocol/logLevel")
                    .is_some()
                {
                    self.log(&context, "asked for").await;
                }
                text("done")
            }
            "test_error_handling" => {
                let message = "This tool intentionally returns an error for testing";
                CallToolResult::error(vec![ContentBlock::text(message)]).into()
            }
            "test_tool_with_progress" => {
                for done in [0.0, 50.0, 100.0] {
                    if let Some(token) = context.meta.get_progress_token() {
                        let param = ProgressNotificationParam::new(token, done).with_total(100.0);
                        let _ = context.peer.notify_progress(param).await;
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                text("done")
            }
            "test_sampling" => {
                let answer = self
                    .ask(
                        &context,
                        sampling(arguments["prompt"].as_str().unwrap_or("Hi")),
                    )
                    .await?;
                text(format!("LLM response: {answer}"))
            }
            "test_elicitation" => {
                let message = arguments["message"].as_str().unwrap_or("Who?");
                let request = json!({ "method": "elicitation/create", "params": {
                    "mode": "form", "message": message,
                    "requestedSchema": { "type": "object", "properties": {
                        "username": { "type": "string", "description": "User's response" },
                        "email": { "type": "string", "description": "User's email address" },
                    }, "required": ["username", "email"] },
                } });
                let answer = self.ask(&context, request).await?;
                text(format!("User response: {answer}"))
            }
            "test_elicitation_sep1034_defaults" => {
                let request = json!({ "method": "elicitation/create", "params": {
                    "mode": "form", "message": "Defaults",
                    "requestedSchema": { "type": "object", "properties": {
                        "name": { "type": "string", "default": "John Doe" },
                        "age": { "type": "integer", "default": 30 },
                        "score": { "type": "number", "default": 95.5 },
                        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
                        "verified": { "type": "boolean", "default": true },
                    }, "required": [] },
                } });
                let answer = self.ask(&context, request).await?;
                text(format!("Elicitation completed: {answer}"))
            }
            "test_elicitation_sep1330_enums" => {
                let titled = |noun: &str| {
                    json!([
                        { "const": "value1", "title": format!("First {noun}") },
                        { "const": "value2", "title": format!("Second {noun}") },
                        { "const": "value3", "title": format!("Third {noun}") },
                    ])
                };
                let options = json!(["option1", "option2", "option3"]);
                let request = json!({ "method": "elicitation/create", "params": {
                    "mode": "form", "message": "Enums",
                    "requestedSchema": { "type": "object", "properties": {
                        "untitledSingle": { "type": "string", "enum": options },
                        "titledSingle": { "type": "string", "oneOf": titled("Option") },
                        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"],
                            "enumNames": ["Option One", "Option Two", "Option Three"] },
                        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": options } },
                        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
                    }, "required": [] },
                } });
                let answer = self.ask(&context, request).await?;
                text(format!("Elicitation completed: {answer}"))
            }
            "test_input_required_result_elicitation" | "test_streaming_elicitation" => {
                match answered(responses, "user_name") {
                    Some(answer) => text(format!(
                        "Hello, {}!",
                        answer["content"]["name"].as_str().unwrap_or("you")
                    )),
                    None => asks(
                        json!({ "user_name": elicitation("What is your name?", "name", "string") }),
                        None,
                    )
                    .into(),
                }
            }
            "test_input_required_result_sampling" => {
                match answered(responses, "capital_question") {
                    Some(answer) => text(answer.to_string()),
                    None => asks(
                        json!({ "capital_question": sampling("What is the capital of France?") }),
                        None,
                    )
                    .into(),
                }
            }
            "test_input_required_result_list_roots" => match answered(responses, "client_roots") {
                Some(answer) => text(answer.to_string()),
                None => asks(json!({ "client_roots": roots() }), None).into(),
            },
            "test_input_required_result_request_state"
            | "test_input_required_result_tampered_state" => match state {
                Some("state-1") if answered(responses, "confirm").is_some() => text("state-ok"),
                Some(_) => return Err(ErrorData::invalid_params("The state was altered", None)),
                None => asks(json!({ "confirm": ok("ok") }), Some("state-1")).into(),
            },
            "test_input_required_result_multiple_inputs" => {
                let names = ["user_name", "greeting", "client_roots"];
                if names.iter().all(|name| answered(responses, name).is_some()) {
                    text("done")
                } else {
                    let requests = json!({
                        "user_name": elicitation("What is your name?", "name", "string"),
                        "greeting": sampling("Generate a greeting"),
                        "client_roots": roots(),
                    });
                    asks(requests, Some("state-1")).into()
                }
            }
            "test_input_required_result_multi_round" => match state {
                None => {
                    let step = elicitation("Step 1: What is your name?", "name", "string");
                    asks(json!({ "step1": step }), Some("round-1")).into()
                }
                Some("round-1") => {
                    let step =
                        elicitation("Step 2: What is your favorite color?", "color", "string");
                    asks(json!({ "step2": step }), Some("round-2")).into()
                }
                Some(_) => text("done"),
            },
            "test_input_required_result_capabilities" => {
                let capabilities = context.client_capabilities().unwrap_or_default();
                let mut requests = json!({});
                if capabilities.elicitation.is_some() {
                    requests["name"] = elicitation("What is your name?", "name", "string");
                }
                if capabilities.sampling.is_some() {
                    requests["question"] = sampling("What is the capital of France?");
                }
                if capabilities.roots.is_some() {
                    requests["roots"] = roots();
                }
                if responses.is_some() || requests == json!({}) {
                    text("done")
                } else {
                    asks(requests, None).into()
                }
            }
            "test_missing_capability" => {
                let capabilities = context.client_capabilities().unwrap_or_default();
                if capabilities.sampling.is_none() {
                    let needed = parse(json!({ "sampling": {} }));
                    return Err(ErrorData::missing_required_client_capability(needed));
                }
                text("done")
            }
            "test_trigger_tool_change" => {
                let _ = self.changes.send("tools");
                text("done")
            }
            name => {
                return Err(ErrorData::invalid_params(
                    format!("Unknown tool: {name}"),
                    None,
                ));
            }
        })
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: rmcp::service::SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.changes.subscribe();
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                change = changes.recv() => {
                    if change.is_ok() {
                        let _ = context.sink().notify_tool_list_changed().await;
                    }
                }
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = [
            "test://static-text",
            "test://static-binary",
            "test://watched-resource",
        ]
        .map(|uri| Resource::new(uri, uri).with_description("A resource of the suite."));
        Ok(ListResourcesResult::with_all_items(resources.to_vec()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new("test://template/{id}/data", "template");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        read: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = read.uri.as_str();
        let contents = if let Some(rest) = uri.strip_prefix("test://template/") {
            let id = rest.trim_end_matches("/data");
            let data =
                json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            json!({ "uri": uri, "mimeType": "application/json", "text": data.to_string() })
        } else {
            match uri {
                "test://static-text" | "test://watched-resource" => json!({
                    "uri": uri, "mimeType": "text/plain",
                    "text": "This is the content of the static text resource.",
                }),
                "test://static-binary" => {
                    json!({ "uri": uri, "mimeType": "image/png", "blob": PNG })
                }
                _ => {
                    let data = Some(json!({ "uri": uri }));
                    return Err(ErrorData::resource_not_found("Resource not found", data));
                }
            }
        };
        Ok(ReadResourceResult::new(parse(json!([contents]))).into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let prompt = |name: &str, arguments: &[&str]| {
            let arguments = arguments.iter().map(|name| {
                PromptArgument::new(*name)
                    .with_description("An argument.")
                    .with_required(true)
            });
            Prompt::new(
                name,
                Some("A prompt of the suite."),
                Some(arguments.collect()),
            )
        };
        Ok(ListPromptsResult::with_all_items(vec![
            prompt("test_simple_prompt", &[]),
            prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
            prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
            prompt("test_prompt_with_image", &[]),
            prompt("test_input_required_result_prompt", &[]),
        ]))
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = Value::Object(asked.arguments.clone().unwrap_or_default());
        let said = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
        let message = |content: Value| json!({ "role": "user", "content": content });
        let words = |text: &str| message(json!({ "type": "text", "text": text }));
        let messages = match asked.name.as_str() {
            "test_simple_prompt" => json!([words("This is a simple prompt for testing.")]),
            "test_prompt_with_arguments" => {
                json!([words(&format!(
                    "Prompt with arguments: arg1='{}', arg2='{}'",
                    said("arg1"),
                    said("arg2")
                ))])
            }
            "test_prompt_with_embedded_resource" => json!([
                message(json!({ "type": "resource", "resource": {
                    "uri": said("resourceUri"), "mimeType": "text/plain",
                    "text": "Embedded resource content for testing.",
                } })),
                words("Please process the embedded resource above."),
            ]),
            "test_prompt_with_image" => json!([
                message(json!({ "type": "image", "data": PNG, "mimeType": "image/png" })),
                words("Please analyze the image above."),
            ]),
            "test_input_required_result_prompt" => {
                if answered(asked.input_responses.as_ref(), "user_context").is_none() {
                    let question =
                        elicitation("What context should the prompt use?", "context", "string");
                    return Ok(asks(json!({ "user_context": question }), None).into());
                }
                json!([words("With context.")])
            }
            name => {
                return Err(ErrorData::invalid_params(
                    format!("Unknown prompt: {name}"),
                    None,
                ));
            }
        };
        Ok(GetPromptResult::new(parse(messages)).into())
    }
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args()
        .nth(1)
        .expect("usage: conformance_fixture ADDRESS:PORT");
    let fixture = Fixture {
        changes: broadcast::Sender::new(16),
    };
    let mounted = mcp::adapter::mount_service(Arc::new(move || fixture.clone()));
    HttpServer::new(move || App::new().configure(&mounted))
        .workers(2)
        .bind(address)?
        .run()
        .await
}
