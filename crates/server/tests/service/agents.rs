//! The MCP tools from an agent's view: over HTTP, and over the standard input and output of `assay mcp`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};

use rstest::rstest;
use serde_json::{Value, json};
use testkit::{LoopbackServer, TestResponse};

use crate::{Client, Home, Kind, Service};

/// A transport to the tools.
trait Talk {
    /// Sends a request of the protocol, and returns its response.
    fn ask(&mut self, method: &str, params: Value) -> Value;

    /// Calls a tool that must succeed, and returns its result.
    fn tool(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.ask(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        );
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{name}: {answer:#}");
        let size = answer.to_string().len();
        assert!(size <= 64 * 1024, "{name}: {size} bytes");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must fail, and returns its message.
    fn failure(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.ask(
            "tools/call",
            json!({ "name": name, "arguments": arguments }),
        );
        assert_eq!(answer["result"]["isError"], true, "{name}: {answer:#}");
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

/// Over HTTP, without a session.
struct Http(Client, String);

impl Http {
    fn new(service: &Service) -> Self {
        Self(service.client(), format!("Bearer {}", service.key()))
    }

    /// A request in the newest revision of the protocol, which carries the client's capabilities itself.
    fn newest(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let mut headers = vec![
            ("Authorization", self.1.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        if !name.is_empty() {
            headers.push(("Mcp-Name", name.as_str()));
        }
        let answer = self.0.raw("POST", "/mcp", &headers, body.as_bytes());
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }
}

impl Talk for Http {
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let headers = [
            ("Authorization", self.1.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let answer = self.0.raw("POST", "/mcp", &headers, body.as_bytes());
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.body
    }
}

/// Over the standard input and output of `assay mcp`.
struct Stdio_ {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    notifications: Vec<Value>,
    hello: Value,
}

impl Stdio_ {
    fn start(service: &Service) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_assay"))
            .arg("mcp")
            .env("ASSAY_URL", format!("http://{}", service.address))
            .env("ASSAY_API_KEY", service.key())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut talk = Self {
            input: child.stdin.take().unwrap(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            notifications: Vec::new(),
            hello: Value::Null,
        };
        let hello = talk.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert_eq!(hello["result"]["protocolVersion"], "2025-11-25");
        talk.hello = hello;
        talk.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        talk
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }
}

impl Talk for Stdio_ {
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        if method == "tools/call" {
            params["_meta"] = json!({ "progressToken": 1 });
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "assay mcp has ended"
            );
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == 1 {
                return message;
            }
            self.notifications.push(message);
        }
    }
}

impl Drop for Stdio_ {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A site whose files can be changed, as an agent does with its source.
fn site(files: &Arc<Mutex<Vec<(&'static str, String)>>>) -> LoopbackServer {
    let files = Arc::clone(files);
    LoopbackServer::start(move |request| {
        let files = files.lock().unwrap();
        let found = files.iter().find(|(path, _)| *path == request.target);
        match found {
            Some(("/x.png", _)) => TestResponse::new(200, "x").header("Content-Type", "image/png"),
            Some((_, html)) => TestResponse::new(200, html.clone())
                .header("Content-Type", "text/html; charset=utf-8"),
            None => TestResponse::new(404, "nothing"),
        }
    })
    .unwrap()
}

fn broken() -> Vec<(&'static str, String)> {
    let html = "<!doctype html><html><head><title>Books</title></head><body><h1>Books</h1>\
        <img src=/x.png><a href=/old>Old books, which nobody has any more</a></body></html>";
    vec![("/", html.to_owned()), ("/x.png", String::new())]
}

/// The site after an agent fixed what was reported.
fn repaired() -> Vec<(&'static str, String)> {
    let html = "<!doctype html><html lang=en><head><title>Books</title></head><body><h1>Books</h1>\
        <img src=/x.png alt='A shelf of books'></body></html>";
    vec![("/", html.to_owned()), ("/x.png", String::new())]
}

fn audited(talk: &mut impl Talk, url: &str) -> Value {
    let started = talk.tool("start_audit", json!({ "url": url }));
    loop {
        let waited = talk.tool(
            "wait_for_run",
            json!({ "runId": started["runId"], "timeoutSeconds": 20 }),
        );
        if waited["ended"] == true {
            assert_eq!(waited["run"]["status"], "completed", "{waited:#}");
            return waited;
        }
    }
}

#[rstest]
#[case::sqlite(Kind::Sqlite)]
fn an_agent_audits_fixes_and_sees_that_it_is_fixed(#[case] kind: Kind) {
    let home = Home::new(kind);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let mut talk = Http::new(&service);
    let files = Arc::new(Mutex::new(broken()));
    let site = site(&files);
    let before = audited(&mut talk, site.url("/").as_str());
    let site_id = before["run"]["siteId"].clone();
    // Three items that can be fixed by changing a file.
    let list = talk.tool(
        "list_actions",
        json!({ "siteId": site_id, "status": ["open"], "limit": 50 }),
    );
    let wanted = ["image-alt", "html-has-lang", "link-broken-internal"];
    let ids: Vec<Value> = wanted
        .iter()
        .map(|check| {
            let items = list["actions"].as_array().unwrap();
            let item = items.iter().find(|item| item["checkId"] == *check);
            item.unwrap_or_else(|| panic!("{check}: {list:#}"))["actionId"].clone()
        })
        .collect();
    let handoff = talk.tool("handoff_actions", json!({ "ids": ids }));
    let prompt = handoff["prompt"].as_str().unwrap();
    for check in wanted {
        assert!(prompt.contains(check), "{prompt}");
    }
    *files.lock().unwrap() = repaired();
    let after = audited(&mut talk, site.url("/").as_str());
    for id in ids {
        let item = talk.tool("get_action", json!({ "actionId": id }));
        assert_eq!(item["action"]["status"], "done", "{item:#}");
        assert!(item["action"]["verifiedAt"].is_string(), "{item:#}");
        assert_eq!(item["comments"][0]["author"]["type"], "system");
    }
    assert!(after["overallScore"].as_u64() > before["overallScore"].as_u64());
    let history = talk.tool("get_site_history", json!({ "siteId": site_id }));
    assert_eq!(history["runs"].as_array().unwrap().len(), 2);
}

/// Calls every tool.
fn every_tool(talk: &mut impl Talk) {
    let files = Arc::new(Mutex::new(broken()));
    let site = site(&files);
    let waited = audited(talk, site.url("/").as_str());
    let (run, report) = (&waited["run"]["runId"], &waited["run"]["reportId"]);
    let site_id = &waited["run"]["siteId"];
    assert_eq!(
        talk.tool("get_run", json!({ "runId": run }))["status"],
        "completed"
    );
    assert_eq!(
        talk.tool("list_runs", json!({ "status": ["completed"] }))["runs"][0]["runId"],
        *run
    );
    assert!(
        talk.failure("cancel_run", json!({ "runId": run }))
            .starts_with("conflict: ")
    );
    let page = talk.tool(
        "get_report",
        json!({ "reportId": report, "dimension": "accessibility" }),
    );
    assert_eq!(page["issues"][0]["dimension"], "accessibility");
    let arguments = json!({ "reportId": report, "dimension": "accessibility" });
    let explained = talk.tool("explain_score", arguments);
    assert_eq!(explained["dimensions"][0]["dimension"], "accessibility");
    assert_eq!(explained["overallScore"], page["overallScore"]);
    let arguments = json!({ "reportId": report, "against": report });
    let compared = talk.tool("compare_reports", arguments);
    assert_eq!(
        (&compared["scoreChange"], &compared["newTotal"]),
        (&json!(0), &json!(0))
    );
    let issue = &page["issues"][0]["issueId"];
    let places = talk.tool(
        "list_occurrences",
        json!({ "reportId": report, "issueId": issue, "limit": 1 }),
    );
    assert_eq!(places["evidence"].as_array().unwrap().len(), 1);
    let pages = talk.tool("list_pages", json!({ "reportId": report }));
    assert_eq!(pages["pages"][0]["status"], 200);
    assert_eq!(
        talk.tool("list_sites", json!({}))["sites"][0]["siteId"],
        *site_id
    );
    let arguments =
        json!({ "siteId": site_id, "checkId": "csp-missing", "reason": "A static site." });
    assert_eq!(talk.tool("waive", arguments)["state"], "active");
    let list = talk.tool("list_waivers", json!({ "siteId": site_id }));
    assert_eq!(list["waivers"][0]["reason"], "A static site.");
    assert_eq!(
        talk.tool("get_schedule", json!({ "siteId": site_id }))["enabled"],
        false
    );
    assert_eq!(talk.tool("get_account", json!({}))["key"]["role"], "admin");
    let list = talk.tool("list_actions", json!({ "siteId": site_id }));
    let action = &list["actions"][0]["actionId"];
    let arguments = json!({ "actionId": action, "status": "in_progress", "dueDate": "2030-01-31" });
    assert_eq!(
        talk.tool("update_action", arguments)["dueDate"],
        "2030-01-31"
    );
    let arguments = json!({ "actionId": action, "status": "dismissed" });
    let next = talk.tool("update_action", arguments)["next"].to_string();
    assert!(next.contains("waive {"), "{next}");
    let arguments = json!({ "actionId": action, "dueDate": "none" });
    assert_eq!(
        talk.tool("update_action", arguments)["dueDate"],
        Value::Null
    );
    talk.tool(
        "comment_on_action",
        json!({ "actionId": action, "body": "Begun." }),
    );
    assert_eq!(
        talk.tool("get_action", json!({ "actionId": action }))["comments"][0]["body"],
        "Begun."
    );
    talk.tool(
        "queue_brief",
        json!({ "actionId": action, "instructions": "Plain HTML." }),
    );
    while talk.tool("get_brief", json!({ "actionId": action }))["status"] != "ready" {
        std::thread::yield_now();
    }
    assert_eq!(
        talk.tool(
            "handoff_actions",
            json!({ "ids": [action], "format": "cursor" })
        )["format"],
        "cursor"
    );
    let checks = talk.tool(
        "list_checks",
        json!({ "dimension": "seo", "query": "canonical", "limit": 2 }),
    );
    assert_eq!(checks["checks"].as_array().unwrap().len(), 2);
    let check = talk.tool("get_check", json!({ "checkId": "image-alt" }));
    assert!(
        check["documentation"]
            .as_str()
            .unwrap()
            .contains("## How to fix it")
    );

    let tools = talk.ask("tools/list", json!({}));
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 26);
    let resources = talk.ask("resources/list", json!({}));
    let uri = &resources["result"]["resources"][0]["uri"];
    let read = talk.ask("resources/read", json!({ "uri": uri }));
    assert!(
        read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("json untrusted")
    );
    let read = talk.ask(
        "resources/read",
        json!({ "uri": "assay://checks/image-alt" }),
    );
    assert!(
        read["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .starts_with("# ")
    );
    for name in ["fix_worst_issues", "explain_score"] {
        let prompt = talk.ask(
            "prompts/get",
            json!({ "name": name, "arguments": { "site": site_id } }),
        );
        let text = prompt["result"]["messages"][0]["content"]["text"].as_str();
        assert!(text.unwrap_or_default().len() > 1_000, "{prompt:#}");
    }
    let completed = talk.ask(
        "completion/complete",
        json!({ "ref": { "type": "ref/resource", "uri": "assay://checks/{checkId}" }, "argument": { "name": "checkId", "value": "image-a" } }),
    );
    assert!(
        completed["result"]["completion"]["values"]
            .as_array()
            .unwrap()
            .contains(&json!("image-alt"))
    );

    assert!(
        talk.failure("get_run", json!({ "runId": "run_x" }))
            .starts_with("not_found: ")
    );
    assert!(
        talk.failure("start_audit", json!({ "url": "http://10.0.0.1/" }))
            .starts_with("target_not_allowed: ")
    );
    assert_eq!(
        talk.ask("tools/call", json!({ "name": "no_tool", "arguments": {} }))["error"]["code"],
        -32602
    );
}

#[test]
fn every_tool_works_over_http() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    every_tool(&mut Http::new(&service));
}

#[test]
fn every_tool_works_over_stdio_and_reports_progress() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&["--allow-target", "127.0.0.1"]);
    let mut talk = Stdio_::start(&service);
    every_tool(&mut talk);
    let notifications: Vec<f64> = talk
        .notifications
        .iter()
        .filter(|message| message["method"] == "notifications/progress")
        .map(|message| message["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(!notifications.is_empty());
}

#[test]
fn the_newest_revision_needs_no_session_and_no_initialize() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let http = Http::new(&service);
    let discovered = http.newest("server/discover", json!({}));
    let versions = discovered["result"]["supportedVersions"]
        .as_array()
        .unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")));
    let answer = http.newest(
        "tools/call",
        json!({ "name": "get_account", "arguments": {} }),
    );
    assert_eq!(
        answer["result"]["structuredContent"]["key"]["role"],
        "admin"
    );
}

#[test]
fn without_a_key_mcp_responds_like_the_api() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let client = service.client();
    for authorization in ["", "Basic eDp5", "Bearer sk_service_wrong", "Bearer"] {
        let headers: &[(&str, &str)] = &[
            ("Authorization", authorization),
            ("Content-Type", "application/json"),
        ];
        let headers = if authorization.is_empty() {
            &headers[1..]
        } else {
            headers
        };
        let mut of_tools = client.raw("POST", "/mcp", headers, b"{}");
        let mut of_interface = client.raw("GET", "/api/mcp/account", headers, b"");
        assert_eq!(of_tools.status, 401, "{of_tools:?}");
        assert!(
            of_tools
                .head
                .to_lowercase()
                .contains("www-authenticate: bearer")
        );
        of_tools.body["requestId"].take();
        of_interface.body["requestId"].take();
        assert_eq!(of_tools.body, of_interface.body);
    }
}

#[test]
fn hosts_and_origins_that_are_not_ours_are_refused() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let (client, key) = (service.client(), format!("Bearer {}", service.key()));
    let own = format!("http://{}", service.address);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    for (origin, status) in [
        ("https://evil.example", 403),
        ("null", 403),
        (own.as_str(), 200),
    ] {
        let headers = [
            ("Authorization", key.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Origin", origin),
        ];
        let answer = client.raw("POST", "/mcp", &headers, list.as_bytes());
        assert_eq!(answer.status, status, "{origin}: {answer:?}");
        if status == 403 {
            assert_eq!(answer.body["code"], "forbidden");
            assert!(
                answer.body["detail"]
                    .as_str()
                    .unwrap()
                    .contains("server.base_url")
            );
        }
    }
    let headers = [
        ("Authorization", key.as_str()),
        ("Accept", "text/event-stream"),
    ];
    let answer = client.raw("GET", "/mcp", &headers, b"");
    assert_eq!(answer.status, 405);
    assert!(
        answer.head.to_lowercase().contains("allow: post"),
        "{}",
        answer.head
    );
}

#[test]
fn legacy_has_no_tools_on_action_items() {
    let home = Home::new(Kind::Sqlite);
    std::fs::write(home.path("assay.toml"), "variant = \"legacy\"\n").unwrap();
    let service = home.serve(&[]);
    let mut http = Http::new(&service);
    let mut stdio = Stdio_::start(&service);
    for tools in [
        http.ask("tools/list", json!({})),
        stdio.ask("tools/list", json!({})),
    ] {
        let tools = tools["result"]["tools"].as_array().unwrap().clone();
        assert_eq!(tools.len(), 19);
        assert!(
            !tools
                .iter()
                .any(|tool| tool["name"].as_str().unwrap().contains("action"))
        );
    }
    let answer = http.ask(
        "tools/call",
        json!({ "name": "list_actions", "arguments": {} }),
    );
    assert_eq!(answer["error"]["code"], -32602, "{answer:#}");
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    for hello in [
        http.ask("initialize", hello),
        http.newest("server/discover", json!({})),
        stdio.hello.clone(),
    ] {
        let said = hello["result"]["instructions"].as_str().unwrap();
        assert!(said.contains("five dimensions"), "{said}");
        assert!(!said.contains("action"), "{said}");
    }
}

#[test]
fn a_body_that_is_no_message_is_answered_as_json_rpc_wants_it() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let (client, key) = (service.client(), format!("Bearer {}", service.key()));
    for revision in ["2025-11-25", "2026-07-28"] {
        let send = |media_type: &str, body: &str| {
            let headers = [
                ("Authorization", key.as_str()),
                ("Content-Type", media_type),
                ("Accept", "application/json, text/event-stream"),
                ("MCP-Protocol-Version", revision),
            ];
            client.raw("POST", "/mcp", &headers, body.as_bytes())
        };
        for (body, code) in [
            ("", -32700),
            ("{", -32700),
            ("{\"jsonrpc\":\"2.0\",}", -32700),
            ("\u{feff}x", -32700),
            ("[]", -32600),
            ("[1]", -32600),
            ("1", -32600),
            ("null", -32600),
            ("\"tools/list\"", -32600),
            ("{}", -32600),
            (
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"tools/list\"}",
                -32600,
            ),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":1}", -32600),
            (
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}]",
                -32600,
            ),
        ] {
            for media_type in ["application/json", "Application/JSON; charset=utf-8"] {
                let answer = send(media_type, body);
                assert_eq!(answer.status, 400, "{revision} {body}: {answer:?}");
                assert_eq!(answer.body["error"]["code"], code, "{body}: {answer:?}");
                assert_eq!(answer.body["jsonrpc"], "2.0");
                // The response contains the request id if it can be parsed.
                let id = serde_json::from_str::<Value>(body).unwrap_or_default()["id"].clone();
                assert_eq!(answer.body.get("id"), Some(&id), "{body}");
            }
            assert_eq!(send("text/plain", body).status, 415, "{body}");
        }
    }
}

#[test]
fn a_method_with_wrong_parameters_is_not_an_unknown_one() {
    let home = Home::new(Kind::Sqlite);
    let service = home.serve(&[]);
    let (client, key) = (service.client(), format!("Bearer {}", service.key()));
    let call = |method: &str, params: &Value| {
        let body = json!({ "jsonrpc": "2.0", "id": "a", "method": method, "params": params });
        let headers = [
            ("Authorization", key.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("MCP-Protocol-Version", "2025-11-25"),
        ];
        let answer = client.raw("POST", "/mcp", &headers, body.to_string().as_bytes());
        (
            answer.body["error"]["code"].clone(),
            answer.body["id"].clone(),
        )
    };
    for params in [
        json!({ "name": "get_account", "arguments": [1] }),
        json!({ "name": 7 }),
        json!({}),
    ] {
        assert_eq!(call("tools/call", &params), (json!(-32602), json!("a")));
    }
    assert_eq!(call("prompts/get", &json!({})).0, -32602);
    assert_eq!(call("tools/gall", &json!({})).0, -32601);
}
