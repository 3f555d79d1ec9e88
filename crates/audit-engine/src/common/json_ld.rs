//! The JSON-LD entities of a page.

use serde_json::{Map, Value};

use crate::page::Page;

/// Longest list of entities that is collected from one page.
const MAX_ENTITIES: usize = 10_000;

/// The blocks of JSON-LD on a page that could be parsed.
#[derive(Debug, Clone, Default)]
pub(crate) struct JsonLd {
    blocks: Vec<Value>,
}

impl JsonLd {
    /// Parses every `script` of type `application/ld+json`; one that is not JSON is left out.
    pub(crate) fn of(page: &Page) -> Self {
        let blocks = page
            .html("script")
            .filter(|script| {
                let kind = script.attr("type").unwrap_or_default();
                let kind = kind.split(';').next().unwrap_or_default().trim();
                kind.eq_ignore_ascii_case("application/ld+json")
            })
            .filter_map(|script| serde_json::from_str(script.raw_text().trim()).ok())
            .collect();
        Self { blocks }
    }

    /// Every object that has a type, in document order, those inside others and in `@graph` too.
    pub(crate) fn entities(&self) -> Vec<Entity<'_>> {
        let mut found = Vec::new();
        let mut pending: Vec<&Value> = self.blocks.iter().rev().collect();
        while let Some(value) = pending.pop() {
            match value {
                Value::Array(items) => pending.extend(items.iter().rev()),
                Value::Object(object) => {
                    if object.contains_key("@type") && found.len() < MAX_ENTITIES {
                        found.push(Entity(object));
                    }
                    let nested = object.values().rev();
                    pending.extend(nested.filter(|value| value.is_array() || value.is_object()));
                }
                _ => {}
            }
        }
        found
    }
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

    /// Whether the property is there and says something.
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
    use super::*;

    fn types(json: &str) -> Vec<String> {
        let html = format!("<script type='application/ld+json'>{json}</script>");
        let parsed = JsonLd::of(&Page::builder().html(&html));
        let entities = parsed.entities();
        entities
            .iter()
            .flat_map(|entity| entity.types())
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn entities_in_a_graph_and_inside_others_are_found() {
        let json = r#"{"@graph":[{"@type":"WebSite","publisher":{"@type":["Organization","Corporation"]}},{"@type":"https://schema.org/Person"}]}"#;
        assert_eq!(
            types(json),
            ["WebSite", "Organization", "Corporation", "Person"]
        );
    }

    #[test]
    fn an_array_at_the_top_is_read() {
        assert_eq!(
            types(r#"[{"@type":"schema:Person"},{"name":"x"}]"#),
            ["Person"]
        );
    }

    #[test]
    fn text_that_is_not_json_is_left_out() {
        assert!(types("{oops").is_empty());
    }

    #[test]
    fn an_empty_name_says_nothing() {
        let html = r#"<script type="application/ld+json">{"@type":"Person","name":" ","url":"/"}</script>"#;
        let parsed = JsonLd::of(&Page::builder().html(html));
        let entity = parsed.entities()[0];
        assert!(!entity.has("name") && entity.has("url") && entity.is_any(&["Person"]));
    }
}
