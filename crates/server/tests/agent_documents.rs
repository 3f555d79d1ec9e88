//! The commands, configurations and tool names in the documents for agents are correct.

#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::indexing_slicing,
    reason = "a failed expectation ends the test"
)]

use clap::Parser;
use cli::Cli;
use mcp::Offers;

fn document(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// The fenced blocks of a language.
fn blocks(document: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let after = document.split(opening.as_str()).skip(1);
    after
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

/// Splits a command line into words; quoted words stay together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match (character, quote) {
            ('"' | '\'', None) => quote = Some(character),
            (end, Some(open)) if end == open => quote = None,
            (' ', None) => words.push(String::new()),
            (other, _) => words.last_mut().unwrap().push(other),
        }
    }
    words
}

#[test]
fn every_configuration_to_paste_can_be_read_and_names_the_server() {
    let page = document("docs/agents.md");
    let json = blocks(&page, "json");
    assert_eq!(json.len(), 6);
    for text in &json {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let servers = value
            .get("mcpServers")
            .or_else(|| value.get("servers"))
            .unwrap();
        let server = &servers["assay"];
        let http = server["url"]
            .as_str()
            .is_some_and(|url| url.ends_with("/mcp"));
        assert!(http || server["command"] == "assay", "{text}");
        if http {
            let header = server["headers"]["Authorization"].as_str().unwrap();
            assert!(header.starts_with("Bearer ${"), "{text}");
        }
    }
    let toml = blocks(&page, "toml");
    assert_eq!(toml.len(), 2);
    for text in &toml {
        let value: toml::Table = text.parse().unwrap();
        assert!(value["mcp_servers"]["assay"].is_table(), "{text}");
    }
}

#[test]
fn the_page_names_every_tool() {
    let page = document("docs/agents.md");
    for name in mcp::names(Offers::Everything) {
        assert!(page.contains(&format!("| `{name}` |")), "{name}");
    }
}

#[test]
fn every_command_of_the_skill_is_one() {
    let skill = document("docs/skills/assay/SKILL.md");
    let lines: Vec<String> = blocks(&skill, "sh")
        .iter()
        .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(lines.len() > 8);
    for line in lines {
        if let Err(error) = Cli::try_parse_from(words(&line)) {
            panic!("{line}\n{error}");
        }
    }
}

#[test]
fn every_tool_of_the_skill_is_one_and_its_head_is_what_agents_read() {
    let skill = document("docs/skills/assay/SKILL.md");
    let head = skill
        .strip_prefix("---\n")
        .unwrap()
        .split("---\n")
        .next()
        .unwrap();
    assert!(head.starts_with("name: assay\n"));
    let description = head
        .lines()
        .find_map(|line| line.strip_prefix("description: "))
        .unwrap();
    assert!(description.len() <= 1024);
    let known: Vec<&str> = mcp::names(Offers::Everything).collect();
    let mut named = 0;
    for quoted in skill.split('`').skip(1).step_by(2) {
        let is_call = quoted.contains('_')
            && quoted.chars().all(|c| c.is_ascii_lowercase() || c == '_')
            && quoted != "in_progress";
        if is_call {
            assert!(known.contains(&quoted), "{quoted}");
            named += 1;
        }
    }
    assert!(named >= 8, "{named}");
}

#[test]
fn every_help_has_an_example_and_every_example_is_a_command() {
    use clap::CommandFactory;
    fn leaves(command: &clap::Command, path: &str, found: &mut Vec<(String, String)>) {
        let path = format!("{path} {}", command.get_name());
        if command.get_subcommands().next().is_none() {
            let after = command.get_after_help().map(ToString::to_string);
            found.push((path, after.unwrap_or_default()));
            return;
        }
        for below in command
            .get_subcommands()
            .filter(|below| below.get_name() != "help")
        {
            leaves(below, &path, found);
        }
    }
    const REMOTE: [&str; 9] = [
        "start", "runs", "reports", "history", "schedule", "actions", "account", "webhooks", "mcp",
    ];
    let mut found = Vec::new();
    for command in Cli::command().get_subcommands() {
        if REMOTE.contains(&command.get_name()) {
            leaves(command, "assay", &mut found);
        }
    }
    assert!(found.len() > 20);
    for (path, help) in found {
        let examples: Vec<&str> = help
            .lines()
            .map(str::trim)
            .filter(|line| line.contains("assay "))
            .collect();
        assert!(!examples.is_empty(), "{path} has no example");
        for example in examples {
            let example = example
                .rsplit_once("| assay ")
                .map_or(example.to_owned(), |(_, it)| format!("assay {it}"));
            let example = example
                .split([';', '|', '>', '&'])
                .next()
                .unwrap()
                .trim()
                .to_owned();
            let start = example.find("assay ").unwrap();
            if let Err(error) = Cli::try_parse_from(words(&example[start..])) {
                panic!("{path}: {example}\n{error}");
            }
        }
    }
}
