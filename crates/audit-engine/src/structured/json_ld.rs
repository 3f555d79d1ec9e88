//! The JSON-LD entities of a page.

use serde_json::{Map, Value};

use crate::bounds::page::MAX_JSON_LD_BYTES;
use crate::dom::ElementRef;
use crate::page::ParsedPage;

/// Whether `is_wanted` returns true for an object with a type, in document order, including nested objects and those
/// in `@graph`. Blocks that are not valid JSON or are longer than [`MAX_JSON_LD_BYTES`] are ignored. Each block is
/// parsed separately, because a parsed block takes up to a hundred times the memory of its text.
pub(crate) fn has_entity(page: &ParsedPage, is_wanted: impl Fn(Entity<'_>) -> bool) -> bool {
    let scripts = page.html("script").filter(|script| {
        let kind = script.attr("type").unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim();
        kind.eq_ignore_ascii_case("application/ld+json")
    });
    let mut sources = scripts
        .map(ElementRef::raw_text)
        .filter(|source| source.len() <= MAX_JSON_LD_BYTES);
    sources.any(|source| {
        let block: Option<Value> = serde_json::from_str(source.trim()).ok();
        block.is_some_and(|block| holds_entity(&block, &is_wanted))
    })
}

fn holds_entity(block: &Value, is_wanted: &impl Fn(Entity<'_>) -> bool) -> bool {
    let mut pending = vec![block];
    while let Some(value) = pending.pop() {
        match value {
            Value::Array(items) => pending.extend(items.iter().rev()),
            Value::Object(object) => {
                if object.contains_key("@type") && is_wanted(Entity(object)) {
                    return true;
                }
                let nested = object.values().rev();
                pending.extend(nested.filter(|value| value.is_array() || value.is_object()));
            }
            _ => {}
        }
    }
    false
}

/// An object with a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entity<'a>(&'a Map<String, Value>);

impl<'a> Entity<'a> {
    /// Its types, without the vocabulary: `Organization` for `https://schema.org/Organization`.
    pub(crate) fn types(self) -> Vec<&'a str> {
        let declared = self.0.get("@type");
        let several = declared.and_then(Value::as_array).map(Vec::as_slice);
        several
            .unwrap_or_default()
            .iter()
            .chain(declared)
            .filter_map(Value::as_str)
            .map(short_type)
            .collect()
    }

    /// Whether it has one of these types.
    pub(crate) fn is_any(self, names: &[&str]) -> bool {
        self.types().iter().any(|found| names.contains(found))
    }

    /// Whether the property has a value that is not empty.
    pub(crate) fn has(self, property: &str) -> bool {
        match self.0.get(property) {
            None | Some(Value::Null) => false,
            Some(Value::String(text)) => !text.trim().is_empty(),
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        }
    }
}

/// The last part of a type that is written as a URL or with a prefix.
pub(crate) fn short_type(name: &str) -> &str {
    let name = name.trim().trim_end_matches('/');
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::view::Page;

    fn types(json: &str) -> Vec<String> {
        let html = format!("<script type='application/ld+json'>{json}</script>");
        let found = RefCell::new(Vec::new());
        has_entity(&Page::builder().html(&html), |entity| {
            let types = entity.types().into_iter().map(str::to_owned);
            found.borrow_mut().extend(types);
            false
        });
        found.into_inner()
    }

    #[test]
    fn entities_in_a_graph_and_nested_entities_are_found() {
        let json = r#"{"@graph":[{"@type":"WebSite","publisher":{"@type":["Organization","Corporation"]}},{"@type":"https://schema.org/Person"}]}"#;
        assert_eq!(
            types(json),
            ["WebSite", "Organization", "Corporation", "Person"]
        );
    }

    #[test]
    fn a_top_level_array_is_read() {
        assert_eq!(
            types(r#"[{"@type":"schema:Person"},{"name":"x"}]"#),
            ["Person"]
        );
    }

    #[test]
    fn invalid_json_is_ignored() {
        assert!(types("{oops").is_empty());
    }

    #[test]
    fn long_blocks_are_not_parsed() {
        let block = |spaces: usize| format!("{}{}", " ".repeat(spaces), r#"{"@type":"Person"}"#);
        let room = MAX_JSON_LD_BYTES - block(0).len();
        assert_eq!(types(&block(room)), ["Person"]);
        assert!(types(&block(room + 1)).is_empty());
    }

    #[test]
    fn an_empty_name_is_a_missing_name() {
        let html = r#"<script type="application/ld+json">{"@type":"Person","name":" ","url":"/"}</script>"#;
        assert!(has_entity(&Page::builder().html(html), |entity| {
            !entity.has("name") && entity.has("url") && entity.is_any(&["Person"])
        }));
    }
}
