//! `docs/agents.md`: what to paste into each agent, from one description of the server.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::NOTICE;

pub(super) const PAGE: &str = "docs/agents.md";

/// The name under which agents know the server.
const NAME: &str = "assay";
/// Where the service is, in examples.
const URL: &str = "https://assay.example.com";
/// A key, in examples. It is none.
const KEY: &str = "sk_service_…";

/// An agent, and what it reads.
struct Agent {
    name: &'static str,
    /// What to know before.
    note: &'static str,
    forms: Vec<Form>,
}

/// A file of an agent.
struct Form {
    /// How the agent reaches the server, and where the file is.
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
            // A value of texts and lists always becomes TOML.
            text: toml::to_string_pretty(value).unwrap_or_default(),
        }
    }
}

/// The server over HTTP, with the key as this agent writes a variable.
fn over_http(key: &str) -> Value {
    json!({
        "url": format!("{URL}/mcp"),
        "headers": { "Authorization": format!("Bearer {key}") },
    })
}

/// The server as a program that the agent starts.
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
            note: "With `.mcp.json` in a repository, everyone who works in it has the server; each sets `ASSAY_API_KEY` \
                   in the environment.",
            forms: vec![
                Form {
                    head: "For yourself, from a shell".to_owned(),
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
            note: "Settings → Developer → Edit Config opens the file. `assay` must be on the `PATH`, or write where it is.",
            forms: vec![Form::json(
                "`claude_desktop_config.json`",
                &json!({ "mcpServers": { NAME: over_stdio() } }),
            )],
        },
        Agent {
            name: "Cursor",
            note: "In a project, or in the home folder for all of them.",
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
            note: "It asks for the key once and keeps it.",
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
            note: "The key is read from the environment variable that is named.",
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
    text.push_str("\n## Tools\n\n| tool | what it is for |\n| --- | --- |\n");
    for (name, description) in mcp::descriptions() {
        let _ = writeln!(text, "| `{name}` | {} |", description.replace('|', "\\|"));
    }
    text.push_str(END);
    BTreeMap::from([(PAGE.to_owned(), text)])
}

const INTRODUCTION: &str = "# Assay for coding agents

An agent audits a site, takes what is to be done about it, changes the site's source, and audits again to see
that it is fixed. It does so with the tools of an MCP server, which comes in two forms:

- **HTTP**: `/mcp` of the service, with an API key as bearer token. Nothing is installed. `server.base_url` must be
  the address that agents use: requests that name another host are refused.
- **stdio**: `assay mcp`, which the agent starts. It calls the service that `ASSAY_URL` names with the key in
  `ASSAY_API_KEY`.

Both have the same tools, and can do what the key can do: `assay keys create --org org_01… --name agent --role member`
makes one that starts audits and works on action items, and changes neither sites nor schedules. Replace
`https://assay.example.com` and `sk_service_…` by your own, and keep keys out of what you commit.

Revisions 2025-11-25 and 2026-07-28 of the protocol are spoken, and those before. An answer has at most 64 KiB; lists go
on with a cursor. Text of audited sites is cut, cleaned, and marked as data that is not to be followed.

For agents that read skills, [docs/skills/assay](skills/assay/SKILL.md) is the way from audit to verified fix, by
tools or by commands.
";

const END: &str = "
Resources are the latest report of each site (`assay://reports/{reportId}`) and the pages of the checks
(`assay://checks/{checkId}`). Prompts are *Fix the worst five issues* (`fix_worst_issues`) and *Explain this score*
(`explain_score`). In the legacy variant the tools on action items, briefs and handoffs are absent.
";
