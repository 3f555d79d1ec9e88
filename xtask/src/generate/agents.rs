//! `docs/agents.md`: the configuration for each agent, generated from one description of the server.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::NOTICE;

pub(super) const PAGE: &str = "docs/agents.md";

/// The name of the server in the configuration of agents.
const NAME: &str = "assay";
/// The URL of the service in examples.
const URL: &str = "https://assay.example.com";
/// A placeholder for a key in examples.
const KEY: &str = "sk_service_…";

/// An agent and its configuration files.
struct Agent {
    name: &'static str,
    /// A sentence above the configuration.
    note: &'static str,
    forms: Vec<Form>,
}

/// A configuration file of an agent.
struct Form {
    /// The transport and the path of the file.
    head: String,
    language: &'static str,
    text: String,
}

impl Form {
    fn json(head: &str, value: &Value) -> Self {
        Self {
            head: head.to_owned(),
            language: "json",
            text: format!("{value:#}\n"),
        }
    }

    fn toml(head: &str, value: &Value) -> Self {
        Self {
            head: head.to_owned(),
            language: "toml",
            // A value of strings and lists can always be written as TOML.
            text: toml::to_string_pretty(value).unwrap_or_default(),
        }
    }
}

/// The server over HTTP. `key` refers to the key in this agent's syntax for variables.
fn over_http(key: &str) -> Value {
    json!({
        "url": format!("{URL}/mcp"),
        "headers": { "Authorization": format!("Bearer {key}") },
    })
}

/// The server over stdio, as a program that the agent starts.
fn over_stdio() -> Value {
    json!({
        "command": "assay",
        "args": ["mcp"],
        "env": { "ASSAY_URL": URL, "ASSAY_API_KEY": KEY },
    })
}

fn typed(mut server: Value, kind: &str) -> Value {
    if let Some(fields) = server.as_object_mut() {
        fields.insert("type".to_owned(), json!(kind));
    }
    server
}

fn agents() -> Vec<Agent> {
    vec![
        Agent {
            name: "Claude Code",
            note: "With `.mcp.json` in a repository, all its developers have the server; each sets `ASSAY_API_KEY` in the \
                   environment.",
            forms: vec![
                Form {
                    head: "For your user, from a shell".to_owned(),
                    language: "sh",
                    text: format!(
                        "claude mcp add --transport http {NAME} {URL}/mcp --header \"Authorization: Bearer $ASSAY_API_KEY\"\n"
                    ),
                },
                Form::json(
                    "For a repository: `.mcp.json`",
                    &json!({ "mcpServers": { NAME: typed(over_http("${ASSAY_API_KEY}"), "http") } }),
                ),
                Form::json(
                    "The same over stdio",
                    &json!({ "mcpServers": { NAME: typed(over_stdio(), "stdio") } }),
                ),
            ],
        },
        Agent {
            name: "Claude Desktop",
            note: "Settings → Developer → Edit Config opens the file. `assay` must be on the `PATH`; otherwise use its full \
                   path.",
            forms: vec![Form::json(
                "`claude_desktop_config.json`",
                &json!({ "mcpServers": { NAME: over_stdio() } }),
            )],
        },
        Agent {
            name: "Cursor",
            note: "Put the file in a project, or in the home folder for all projects.",
            forms: vec![
                Form::json(
                    "`.cursor/mcp.json`",
                    &json!({ "mcpServers": { NAME: over_http("${env:ASSAY_API_KEY}") } }),
                ),
                Form::json(
                    "The same over stdio",
                    &json!({ "mcpServers": { NAME: over_stdio() } }),
                ),
            ],
        },
        Agent {
            name: "VS Code",
            note: "VS Code prompts for the key once and stores it.",
            forms: vec![Form::json(
                "`.vscode/mcp.json`",
                &json!({
                    "inputs": [{
                        "type": "promptString",
                        "id": "assay-api-key",
                        "description": "Assay API key",
                        "password": true,
                    }],
                    "servers": { NAME: typed(over_http("${input:assay-api-key}"), "http") },
                }),
            )],
        },
        Agent {
            name: "Codex",
            note: "Over HTTP, Codex reads the key from the environment variable `ASSAY_API_KEY`.",
            forms: vec![
                Form::toml(
                    "`~/.codex/config.toml`",
                    &json!({ "mcp_servers": { NAME: {
                        "url": format!("{URL}/mcp"),
                        "bearer_token_env_var": "ASSAY_API_KEY",
                    } } }),
                ),
                Form::toml(
                    "The same over stdio",
                    &json!({ "mcp_servers": { NAME: over_stdio() } }),
                ),
            ],
        },
    ]
}

pub(super) fn page() -> BTreeMap<String, String> {
    let mut text = format!("{NOTICE}\n\n{INTRODUCTION}\n");
    for agent in agents() {
        let _ = write!(text, "\n## {}\n\n{}\n", agent.name, agent.note);
        for form in agent.forms {
            let _ = write!(
                text,
                "\n{}:\n\n```{}\n{}```\n",
                form.head, form.language, form.text
            );
        }
    }
    text.push_str("\n## Tools\n\n| tool | purpose |\n| --- | --- |\n");
    for (name, description) in mcp::descriptions() {
        let _ = writeln!(text, "| `{name}` | {} |", description.replace('|', "\\|"));
    }
    text.push_str(END);
    BTreeMap::from([(PAGE.to_owned(), text)])
}

const INTRODUCTION: &str = "# Assay for coding agents

A coding agent audits a site, gets the action items, fixes the site's source, and audits again to verify
the fixes. It uses the tools of an MCP server, which has two transports:

- **HTTP**: `/mcp` of the service, with an API key as bearer token. No installation is needed. `server.base_url` must be
  the URL that agents use: the service refuses requests for other hosts.
- **stdio**: `assay mcp`, which the agent starts. It calls the service at `ASSAY_URL` with the key in
  `ASSAY_API_KEY`.

Both have the same tools and the permissions of the key. `assay keys create --org org_01… --name agent --role member`
creates a key that can start audits and work on action items, but cannot change sites or schedules. Replace
`https://assay.example.com` and `sk_service_…` with your own values, and do not commit keys.

The server supports protocol revisions 2026-07-28, 2025-11-25 and earlier ones. A tool response has at most 64 KiB; lists
have a cursor for the next page. Text of audited sites is truncated, sanitized, and marked as untrusted data.

For agents that support skills, [docs/skills/assay](skills/assay/SKILL.md) describes the workflow from audit to verified fix,
with tools or with commands.
";

const END: &str = "
Resources are the latest report of each site (`assay://reports/{reportId}`) and the documentation of the checks
(`assay://checks/{checkId}`). Prompts are *Fix the worst issues* (`fix_worst_issues`) and *Explain this score*
(`explain_score`). The legacy variant has no tools for action items, briefs and handoffs.
";
