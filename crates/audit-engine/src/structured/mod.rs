//! Structured data: JSON-LD and Microdata of a page as one graph, in the schema.org vocabulary.

pub(crate) mod hierarchy;
pub(crate) mod json_ld;

use std::collections::HashMap;

use serde_json::{Map, Value as Json};

use crate::bounds::page::{
    MAX_JSON_LD_BYTES, MAX_STRUCTURED_GRAPH_BYTES, MAX_STRUCTURED_ITEMS, MAX_STRUCTURED_NAME_BYTES,
    MAX_STRUCTURED_REFERENCES, MAX_STRUCTURED_TYPES, MAX_STRUCTURED_VALUE_BYTES,
    MAX_STRUCTURED_VALUES,
};
use crate::dom::{ElementRef, NodeId};
use crate::page::{ParsedPage, Traits};
use hierarchy::is_subtype;
use json_ld::short_type;

/// The structured data of a page.
#[derive(Debug, Default)]
pub(crate) struct Structured {
    items: Vec<Entry>,
    values: usize,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    node: NodeId,
    types: Vec<Box<str>>,
    properties: Vec<(Box<str>, Value)>,
    nested: bool,
}

/// A property value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A text, number or Boolean, as written.
    Text(Box<str>),
    /// Another item of the page, by its index.
    Item(usize),
    /// A reference to an item that is not on the page.
    Elsewhere,
}

impl Value {
    /// A text, truncated to the maximum length.
    fn text(text: &str) -> Self {
        let end = text.floor_char_boundary(MAX_STRUCTURED_VALUE_BYTES);
        Self::Text(text.get(..end).unwrap_or(text).into())
    }

    const fn bytes(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Item(_) | Self::Elsewhere => 0,
        }
    }
}

/// An item of the graph.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    graph: &'a Structured,
    entry: &'a Entry,
}

impl Structured {
    /// Reads the structured data of a page.
    pub(crate) fn new(page: &ParsedPage) -> Self {
        let mut graph = Self::default();
        graph.read_json_ld(page);
        graph.read_microdata(page);
        graph
    }

    /// The items that have a type and at least one property, in document order, including nested items.
    pub(crate) fn items(&self) -> impl Iterator<Item = Item<'_>> {
        self.items
            .iter()
            .filter(|entry| !entry.types.is_empty() && !entry.properties.is_empty())
            .map(|entry| Item { graph: self, entry })
    }

    fn start(&mut self, node: NodeId, types: Vec<Box<str>>, nested: bool) -> Option<usize> {
        if self.items.len() >= MAX_STRUCTURED_ITEMS {
            return None;
        }
        self.items.push(Entry {
            node,
            types,
            properties: Vec::new(),
            nested,
        });
        Some(self.items.len() - 1)
    }

    fn add(&mut self, item: usize, property: &str, value: Value) {
        let bytes = property.len() + value.bytes();
        if self.values < MAX_STRUCTURED_VALUES
            && property.len() <= MAX_STRUCTURED_NAME_BYTES
            && self.bytes + bytes <= MAX_STRUCTURED_GRAPH_BYTES
            && let Some(entry) = self.items.get_mut(item)
        {
            self.values += 1;
            self.bytes += bytes;
            entry.properties.push((property.into(), value));
        }
    }

    fn read_json_ld(&mut self, page: &ParsedPage) {
        let mut ids: HashMap<String, usize> = HashMap::new();
        let mut references: Vec<(usize, String, String)> = Vec::new();
        for script in page.html("script") {
            let kind = script.attr("type").unwrap_or_default();
            let kind = kind.split(';').next().unwrap_or_default().trim();
            if !kind.eq_ignore_ascii_case("application/ld+json") {
                continue;
            }
            let source = script.raw_text();
            if source.len() > MAX_JSON_LD_BYTES {
                continue;
            }
            let Ok(block) = serde_json::from_str::<Json>(source.trim()) else {
                continue;
            };
            let mut reading = JsonLd {
                graph: self,
                ids: &mut ids,
                references: &mut references,
                node: script.id(),
            };
            reading.top(&block, false);
        }
        for (item, property, id) in references {
            let value = ids.get(&id).map_or(Value::Elsewhere, |at| Value::Item(*at));
            self.add(item, &property, value);
        }
    }

    fn read_microdata(&mut self, page: &ParsedPage) {
        let mut places: HashMap<NodeId, usize> = HashMap::new();
        let mut referring: Vec<(usize, ElementRef<'_>)> = Vec::new();
        for element in page.elements_with(Traits::ITEM) {
            if element.has_attr("itemscope") {
                let nested = element.has_attr("itemprop");
                let Some(place) = self.start(element.id(), schema_types(element), nested) else {
                    return;
                };
                places.insert(element.id(), place);
                if element.has_attr("itemref") {
                    referring.push((place, element));
                }
            }
            if element.has_attr("itemprop")
                && let Some(owner) = element
                    .ancestors()
                    .find_map(|ancestor| places.get(&ancestor.id()).copied())
            {
                self.add_element(owner, element, &places);
            }
        }
        let mut room = MAX_STRUCTURED_REFERENCES;
        for (place, element) in referring {
            self.refer(page, place, element, &places, &mut room);
        }
    }

    /// Adds the properties of the elements that the item references with `itemref`.
    fn refer(
        &mut self,
        page: &ParsedPage,
        place: usize,
        element: ElementRef<'_>,
        places: &HashMap<NodeId, usize>,
        room: &mut usize,
    ) {
        let ids = element.attr("itemref").unwrap_or_default();
        for root in ids.split_ascii_whitespace().filter_map(|id| page.by_id(id)) {
            let below = std::iter::once(root).chain(root.descendants());
            for found in below {
                if *room == 0 {
                    return;
                }
                *room -= 1;
                let owned = found.id() != root.id()
                    && found
                        .ancestors()
                        .take_while(|ancestor| ancestor.id() != root.id())
                        .chain([root])
                        .any(|ancestor| ancestor.has_attr("itemscope"));
                if found.has_attr("itemprop") && !owned {
                    self.add_element(place, found, places);
                }
            }
        }
    }

    fn add_element(
        &mut self,
        owner: usize,
        element: ElementRef<'_>,
        places: &HashMap<NodeId, usize>,
    ) {
        let value = match places.get(&element.id()) {
            Some(place) => Value::Item(*place),
            None => Value::text(&microdata_text(element)),
        };
        let names = element.attr("itemprop").unwrap_or_default();
        for name in names.split_ascii_whitespace() {
            if self.values >= MAX_STRUCTURED_VALUES || self.bytes >= MAX_STRUCTURED_GRAPH_BYTES {
                break;
            }
            self.add(owner, short_property(name), value.clone());
        }
    }
}

/// Reads blocks of JSON-LD into a graph. The JSON parser limits the nesting depth.
struct JsonLd<'a> {
    graph: &'a mut Structured,
    ids: &'a mut HashMap<String, usize>,
    /// Item, property and `@id` of references that are not yet resolved.
    references: &'a mut Vec<(usize, String, String)>,
    node: NodeId,
}

impl JsonLd<'_> {
    /// Reads top-level objects. Objects without schema.org in their context are ignored.
    fn top(&mut self, value: &Json, in_context: bool) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| self.top(item, in_context)),
            Json::Object(object) => {
                let in_context = in_context || object.get("@context").is_some_and(is_schema);
                if !in_context {
                    return;
                }
                if let Some(graph) = object.get("@graph") {
                    self.top(graph, true);
                }
                if object.contains_key("@type") {
                    self.object(object, false);
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, object: &Map<String, Json>, nested: bool) -> Option<usize> {
        let types = json_types(object);
        let id = object.get("@id").and_then(Json::as_str);
        let known = id.and_then(|id| self.ids.get(id).copied());
        let place = match known {
            Some(place) => {
                // Several objects with the same `@id` describe one item.
                let entry = self.graph.items.get_mut(place)?;
                entry.nested &= nested;
                for name in types {
                    if entry.types.len() < MAX_STRUCTURED_TYPES && !entry.types.contains(&name) {
                        entry.types.push(name);
                    }
                }
                place
            }
            None => {
                let place = self.graph.start(self.node, types, nested)?;
                if let Some(id) = id {
                    self.ids.insert(id.to_owned(), place);
                }
                place
            }
        };
        for (name, value) in object.iter().filter(|(name, _)| !name.starts_with('@')) {
            self.value(place, short_property(name), value);
        }
        Some(place)
    }

    fn value(&mut self, item: usize, property: &str, value: &Json) {
        match value {
            Json::Null => {}
            Json::Bool(truth) => self.text(item, property, &truth.to_string()),
            Json::Number(number) => self.text(item, property, &number.to_string()),
            Json::String(text) => self.text(item, property, text),
            Json::Array(values) => {
                for value in values {
                    self.value(item, property, value);
                }
            }
            Json::Object(object) => self.nested(item, property, object),
        }
    }

    fn nested(&mut self, item: usize, property: &str, object: &Map<String, Json>) {
        let inner = ["@value", "@list", "@set"]
            .iter()
            .find_map(|key| object.get(*key));
        if let Some(inner) = inner {
            self.value(item, property, inner);
            return;
        }
        if let (Some(id), 1) = (object.get("@id").and_then(Json::as_str), object.len()) {
            if self.references.len() >= MAX_STRUCTURED_VALUES {
                return;
            }
            self.references
                .push((item, property.to_owned(), id.to_owned()));
            return;
        }
        // The main entity of a page counts as a top-level item.
        let nested = property != "mainEntity";
        if let Some(place) = self.object(object, nested) {
            self.graph.add(item, property, Value::Item(place));
        }
    }

    fn text(&mut self, item: usize, property: &str, text: &str) {
        self.graph.add(item, property, Value::text(text));
    }
}

/// Whether a context includes the schema.org vocabulary.
fn is_schema(context: &Json) -> bool {
    match context {
        Json::String(text) => text.contains("schema.org"),
        Json::Array(several) => several.iter().any(is_schema),
        Json::Object(terms) => terms.get("@vocab").is_some_and(is_schema),
        _ => false,
    }
}

fn json_types(object: &Map<String, Json>) -> Vec<Box<str>> {
    let declared = object.get("@type");
    let several = declared.and_then(Json::as_array).map(Vec::as_slice);
    several
        .unwrap_or_default()
        .iter()
        .chain(declared)
        .filter_map(Json::as_str)
        .map(short_type)
        .filter(|name| name.len() <= MAX_STRUCTURED_NAME_BYTES)
        .take(MAX_STRUCTURED_TYPES)
        .map(Box::from)
        .collect()
}

/// The schema.org types of a Microdata item.
fn schema_types(element: ElementRef<'_>) -> Vec<Box<str>> {
    let types = element.attr("itemtype").unwrap_or_default();
    types
        .split_ascii_whitespace()
        .filter(|name| name.contains("schema.org/"))
        .map(short_type)
        .filter(|name| name.len() <= MAX_STRUCTURED_NAME_BYTES)
        .take(MAX_STRUCTURED_TYPES)
        .map(Box::from)
        .collect()
}

/// The property name without the schema.org prefix.
fn short_property(name: &str) -> &str {
    ["https://schema.org/", "http://schema.org/", "schema:"]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name)
}

/// The value of a property (HTML Standard, Values). `content` is read on every element, as search
/// engines do.
fn microdata_text(element: ElementRef<'_>) -> String {
    let attribute = match element.name() {
        "audio" | "embed" | "iframe" | "img" | "source" | "track" | "video" => "src",
        "a" | "area" | "link" => "href",
        "object" => "data",
        "data" | "meter" => "value",
        "time" => "datetime",
        _ => "content",
    };
    element
        .attr("content")
        .or_else(|| element.attr(attribute))
        .map_or_else(
            || element.text_start(MAX_STRUCTURED_VALUE_BYTES),
            |value| value.trim().to_owned(),
        )
}

impl<'a> Item<'a> {
    /// Whether it has one of these types.
    pub(crate) fn is_any(self, names: &[&str]) -> bool {
        self.entry.types.iter().any(|name| names.contains(&&**name))
    }

    /// Its types.
    pub(crate) fn types(self) -> impl Iterator<Item = &'a str> {
        self.entry.types.iter().map(|name| &**name)
    }

    /// The first of its types that is one of these or a subtype of one.
    pub(crate) fn type_below(self, bases: &[&str]) -> Option<&'a str> {
        let mut types = self.entry.types.iter().map(|name| &**name);
        types.find(|name| bases.iter().any(|base| is_subtype(name, base)))
    }

    /// Whether it is nested in another item.
    pub(crate) const fn is_nested(self) -> bool {
        self.entry.nested
    }

    /// The values of the property, in order.
    pub(crate) fn values<'b>(
        self,
        property: &'b str,
    ) -> impl Iterator<Item = &'a Value> + use<'a, 'b> {
        self.entry
            .properties
            .iter()
            .filter(move |(name, _)| **name == *property)
            .map(|(_, value)| value)
    }

    /// The texts of the property that are not empty.
    pub(crate) fn texts<'b>(
        self,
        property: &'b str,
    ) -> impl Iterator<Item = &'a str> + use<'a, 'b> {
        self.values(property).filter_map(|value| match value {
            Value::Text(text) => Some(text.trim()).filter(|text| !text.is_empty()),
            Value::Item(_) | Value::Elsewhere => None,
        })
    }

    /// The items of the property.
    pub(crate) fn items<'b>(self, property: &'b str) -> impl Iterator<Item = Self> + use<'a, 'b> {
        self.values(property).filter_map(move |value| match value {
            Value::Item(place) => self.graph.items.get(*place).map(|entry| Self {
                graph: self.graph,
                entry,
            }),
            Value::Text(_) | Value::Elsewhere => None,
        })
    }

    /// Whether the property has a value that is not empty.
    pub(crate) fn has(self, property: &str) -> bool {
        self.values(property).any(|value| match value {
            Value::Text(text) => !text.trim().is_empty(),
            Value::Item(_) | Value::Elsewhere => true,
        })
    }

    /// The properties with their values, in order.
    pub(crate) fn properties(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let properties = self.entry.properties.iter();
        properties.map(|(name, value)| (&**name, value))
    }

    /// Its label: name, headline or title.
    pub(crate) fn label(self) -> Option<&'a str> {
        ["name", "headline", "title"]
            .iter()
            .find_map(|property| self.texts(property).next())
    }

    /// The element that contains it.
    pub(crate) fn element(self, page: &ParsedPage) -> Option<ElementRef<'_>> {
        page.element(self.entry.node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Page;

    fn graph(html: &str) -> Structured {
        Structured::new(&Page::builder().html(html))
    }

    fn json(block: &str) -> String {
        format!("<script type='application/ld+json'>{block}</script>")
    }

    fn first<'a>(graph: &'a Structured, name: &str) -> Item<'a> {
        graph.items().find(|item| item.is_any(&[name])).unwrap()
    }

    #[test]
    fn json_ld_and_microdata_give_the_same_graph() {
        let data = json(
            r#"{"@context":"https://schema.org","@type":"Product","name":"Mug","offers":{"@type":"Offer","price":12.5}}"#,
        );
        let micro = "<div itemscope itemtype='https://schema.org/Product'><h2 itemprop=name> Mug </h2>\
             <p itemprop=offers itemscope itemtype='http://schema.org/Offer'><b itemprop=price content=12.5>€</b></div>";
        for html in [&*data, micro] {
            let graph = graph(html);
            let product = first(&graph, "Product");
            assert_eq!(product.label(), Some("Mug"));
            assert!(!product.is_nested());
            let offer = product.items("offers").next().unwrap();
            assert_eq!(offer.texts("price").next(), Some("12.5"));
            assert!(offer.is_nested());
        }
    }

    #[test]
    fn references_resolve_across_blocks_or_become_elsewhere() {
        let html = json(
            r##"{"@context":"https://schema.org","@graph":[{"@type":"WebPage","about":{"@id":"#x"},"author":{"@id":"#y"}}]}"##,
        ) + &json(
            r##"{"@context":["https://schema.org"],"@id":"#x","@type":"Person","name":"Ada"}"##,
        );
        let graph = graph(&html);
        let page = first(&graph, "WebPage");
        assert_eq!(page.items("about").next().unwrap().label(), Some("Ada"));
        assert_eq!(page.values("author").next(), Some(&Value::Elsewhere));
        assert!(page.has("author"));
    }

    #[test]
    fn objects_with_the_same_id_are_one_item() {
        let html = json(
            r##"[{"@context":"http://schema.org","@id":"#x","@type":"Person","name":"Ada"},{"@context":"http://schema.org","@id":"#x","@type":"Person","url":"/a"}]"##,
        );
        let graph = graph(&html);
        assert_eq!(graph.items().count(), 1);
        assert!(first(&graph, "Person").has("url"));
    }

    #[test]
    fn other_vocabularies_are_ignored() {
        let html = json(r#"{"@context":"https://other.example/","@type":"Product","name":"x"}"#)
            + &json(r#"{"@type":"Product","name":"x"}"#)
            + "<p itemscope itemtype='https://other.example/Product'><b itemprop=name>x</b>";
        assert_eq!(graph(&html).items().count(), 0);
    }

    #[test]
    fn lists_and_typed_values_are_plain_values() {
        let html = json(
            r#"{"@context":"https://schema.org","@type":"Recipe","image":{"@list":["a","b"]},"name":{"@value":"Soup","@language":"en"}}"#,
        );
        let graph = graph(&html);
        let recipe = first(&graph, "Recipe");
        assert_eq!(recipe.texts("image").count(), 2);
        assert_eq!(recipe.label(), Some("Soup"));
    }

    #[test]
    fn itemref_adds_properties_to_the_item() {
        let html = "<div itemscope itemtype='https://schema.org/Event' itemref='a b'></div>\
             <p id=a><time itemprop=startDate datetime=2026-01-01>New year</time></p>\
             <div id=b itemprop=location itemscope itemtype='https://schema.org/Place'><b itemprop=name>Hall</b></div>";
        let graph = graph(html);
        let event = first(&graph, "Event");
        assert_eq!(event.texts("startDate").next(), Some("2026-01-01"));
        assert_eq!(
            event.items("location").next().unwrap().label(),
            Some("Hall")
        );
        assert!(!event.has("name"));
    }

    #[test]
    fn empty_values_are_ignored() {
        let html = json(
            r#"{"@context":"https://schema.org","@type":"Person","name":" ","url":null,"email":[]}"#,
        );
        let graph = graph(&html);
        let person = first(&graph, "Person");
        assert!(!person.has("name") && !person.has("url") && !person.has("email"));
    }

    #[test]
    fn many_itemrefs_to_a_large_element_are_bounded() {
        let mut html = format!("<div id=a>{}</div>", "<b itemprop=name>x</b>".repeat(2_000));
        html += &"<p itemscope itemtype='https://schema.org/Thing' itemref=a></p>".repeat(2_000);
        assert!(graph(&html).values <= MAX_STRUCTURED_REFERENCES);
    }

    #[test]
    fn a_long_text_under_many_names_is_bounded_by_the_graph_size() {
        let names: Vec<String> = (0..20_000).map(|n| format!("n{n}")).collect();
        let html = format!(
            "<div itemscope itemtype=https://schema.org/Thing><p itemprop='{}'>{}</p></div>",
            names.join(" "),
            "word ".repeat(100_000)
        );
        let graph = graph(&html);
        assert!(graph.bytes <= MAX_STRUCTURED_GRAPH_BYTES);
        assert!(
            graph.values > 500 && graph.values < 2_000,
            "{}",
            graph.values
        );
    }

    #[test]
    fn types_of_one_item_are_bounded() {
        let types: Vec<String> = (0..1_000).map(|n| format!("\"T{n}\"")).collect();
        let html = json(&format!(
            r#"{{"@context":"https://schema.org","@type":[{}],"name":"x"}}"#,
            types.join(",")
        ));
        assert_eq!(graph(&html).items[0].types.len(), MAX_STRUCTURED_TYPES);
    }
}
