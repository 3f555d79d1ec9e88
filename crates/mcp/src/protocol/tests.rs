//! What the list of tools costs an agent, which reads it on every connection.

use rmcp::model::ListToolsResult;
use tiktoken_rs::CoreBPE;

use super::server::listed;
use crate::variant::Offers;

/// The most tokens of the list of all tools.
const MOST_TOKENS: usize = 9_000;
/// The most tokens of one tool, of which one can be larger than the rest.
const MOST_OF_A_TOOL: usize = 1_000;

/// The tokens of a value in the JSON that is sent.
fn tokens(encoding: &CoreBPE, value: &impl serde::Serialize) -> usize {
    let json = serde_json::to_string(value).unwrap();
    encoding.encode_ordinary(&json).len()
}

fn table(encoding: &CoreBPE, list: &ListToolsResult) -> String {
    let lines = list.tools.iter().map(|tool| {
        let (arguments, result) = (&tool.input_schema, &tool.output_schema);
        format!(
            "{}: {} (arguments {}, result {})",
            tool.name,
            tokens(encoding, tool),
            tokens(encoding, arguments),
            tokens(encoding, result)
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_list_of_tools_costs_at_most_9000_tokens() {
    let encoding = tiktoken_rs::o200k_base().unwrap();
    for offers in [Offers::Everything, Offers::NoActions] {
        let list = listed(offers);
        let total = tokens(&encoding, &list);
        let table = table(&encoding, &list);
        assert!(total <= MOST_TOKENS, "{offers:?}: {total}\n{table}");
        for tool in &list.tools {
            assert!(tokens(&encoding, tool) <= MOST_OF_A_TOOL, "{table}");
        }
    }
}

#[test]
fn results_are_announced_by_names_and_types_alone() {
    for tool in listed(Offers::Everything).tools {
        let schema = serde_json::to_string(&tool.output_schema).unwrap();
        for absent in ["\"$ref\":", "\"required\":[", "\"description\":\""] {
            assert!(!schema.contains(absent), "{}: {schema}", tool.name);
        }
    }
}
