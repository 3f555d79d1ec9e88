//! JSON Schemas of what tools take and give, from the types themselves.

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::answer::{NEXT_KEY, NOTICE_KEY, TextOrigin};

/// Where OpenAPI keeps named schemas, and where JSON Schema does.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// The schema of a type, with every schema that it names.
pub(crate) fn for_type<T: ToSchema>() -> Map<String, Value> {
    let mut named: Vec<(String, RefOr<Schema>)> = Vec::new();
    T::schemas(&mut named);
    let mut root = translated(&<T as PartialSchema>::schema());
    let definitions: Map<String, Value> = named
        .iter()
        .map(|(name, schema)| (name.clone(), Value::Object(translated(schema))))
        .collect();
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// The complete schema of a tool's result, with what to call next, and with the notice if it contains untrusted text.
pub(crate) fn of_answer<T: ToSchema>(origin: TextOrigin) -> Map<String, Value> {
    let mut root = for_type::<T>();
    let keys: &[&str] = match origin {
        TextOrigin::Service => &[NEXT_KEY],
        TextOrigin::External => &[NEXT_KEY, NOTICE_KEY],
    };
    if let Value::Object(properties) = root.entry("properties").or_insert_with(|| json!({})) {
        properties.extend(
            keys.iter()
                .map(|key| ((*key).to_owned(), json!({ "type": "string" }))),
        );
    }
    if let Value::Array(required) = root.entry("required").or_insert_with(|| json!([])) {
        required.extend(keys.iter().map(|key| json!(key)));
    }
    root
}

/// The levels of objects that an announced schema of a result describes; lists count as their entries.
const LEVELS: usize = 2;
/// The most values that an announced schema lists of a field.
const MOST_CHOICES: usize = 6;

/// The schema of a result as clients get it: names and types of its upper levels. Agents read it on every
/// connection, and pay for each word; what they must know to read a result is in the tool's description.
pub(crate) fn announced(mut complete: Map<String, Value>) -> Map<String, Value> {
    let definitions = complete.remove("$defs").unwrap_or_default();
    outline(&complete, &definitions, LEVELS)
}

fn outline(schema: &Map<String, Value>, definitions: &Value, levels: usize) -> Map<String, Value> {
    let mut merged = Merged::default();
    merged.add(schema, definitions);
    let mut outline = Map::new();
    if let Some(kind) = merged.keys.get("type") {
        let kind = match merged.nullable {
            true => json!([kind, "null"]),
            false => kind.clone(),
        };
        outline.insert("type".to_owned(), kind);
    }
    if let Some(Value::Array(choices)) = merged.keys.get("enum")
        && choices.len() <= MOST_CHOICES
    {
        let null = merged.nullable.then_some(Value::Null);
        let choices = choices.iter().cloned().chain(null).collect();
        outline.insert("enum".to_owned(), choices);
    }
    if levels > 0 && !merged.properties.is_empty() {
        let properties = merged.properties.iter().filter_map(|(name, inner)| {
            let inner = outline_of(inner, definitions, levels - 1)?;
            Some((name.clone(), inner))
        });
        outline.insert("properties".to_owned(), Value::Object(properties.collect()));
    }
    if let Some(items) = merged.keys.get("items")
        && let Some(items) = outline_of(items, definitions, levels)
    {
        outline.insert("items".to_owned(), items);
    }
    outline
}

fn outline_of(schema: &Value, definitions: &Value, levels: usize) -> Option<Value> {
    let schema = schema.as_object()?;
    Some(Value::Object(outline(schema, definitions, levels)))
}

/// A schema without references, and without the choice between a value and null.
#[derive(Default)]
struct Merged {
    keys: Map<String, Value>,
    properties: Map<String, Value>,
    nullable: bool,
}

impl Merged {
    fn add(&mut self, schema: &Map<String, Value>, definitions: &Value) {
        for (key, value) in schema {
            match (key.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    self.properties.extend(properties.clone());
                }
                ("$ref", Value::String(place)) => {
                    let name = place.strip_prefix(DEFINITIONS).unwrap_or_default();
                    if let Some(Value::Object(named)) = definitions.get(name) {
                        self.add(named, definitions);
                    }
                }
                ("allOf", Value::Array(all)) => {
                    for part in all.iter().filter_map(Value::as_object) {
                        self.add(part, definitions);
                    }
                }
                ("anyOf" | "oneOf", Value::Array(choices)) => self.choose(choices, definitions),
                _ => {
                    self.keys.insert(key.clone(), value.clone());
                }
            }
        }
    }

    /// Of a choice between one schema and null, that schema; of any other choice nothing is said.
    fn choose(&mut self, choices: &[Value], definitions: &Value) {
        let choices = choices.iter().filter_map(Value::as_object);
        let (nulls, others): (Vec<_>, Vec<_>) =
            choices.partition(|choice| choice.get("type") == Some(&json!("null")));
        if let [only] = others.as_slice() {
            self.nullable = !nulls.is_empty();
            self.add(only, definitions);
        }
    }
}

/// A schema of a tool's arguments: one object, with nothing beside it to be looked up.
pub(crate) fn of_arguments<T: ToSchema>() -> Map<String, Value> {
    let mut root = for_type::<T>();
    let definitions = root.remove("$defs").unwrap_or_default();
    let mut whole = Value::Object(root);
    inline(&mut whole, &definitions);
    let Value::Object(mut whole) = whole else {
        return Map::new();
    };
    // The tool's own description says what the arguments are of.
    whole.remove("description");
    whole.entry("type").or_insert_with(|| json!("object"));
    whole.entry("properties").or_insert_with(|| json!({}));
    whole.insert("additionalProperties".to_owned(), json!(false));
    whole
}

fn translated(schema: &RefOr<Schema>) -> Map<String, Value> {
    let mut value = serde_json::to_value(schema).unwrap_or_default();
    translate(&mut value);
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// Leaves out what JSON Schema does not know or what not every validator does.
fn translate(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let is_number_format = |format: &Value| {
                format.as_str().is_some_and(|name| {
                    matches!(
                        name,
                        "int32" | "int64" | "uint32" | "uint64" | "float" | "double"
                    )
                })
            };
            if map.get("format").is_some_and(is_number_format) {
                map.remove("format");
            }
            map.remove("example");
            split(map);
            for (key, inner) in map.iter_mut() {
                if key == "$ref"
                    && let Value::String(place) = inner
                {
                    *place = place.replace(COMPONENTS, DEFINITIONS);
                } else {
                    translate(inner);
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(translate),
        _ => {}
    }
}

/// A list of types becomes a choice of schemas, each of one type: some clients map every schema onto a dialect in
/// which a type is one word. What describes the value stays with it, and what bounds it goes with its type.
fn split(map: &mut Map<String, Value>) {
    let Some(Value::Array(types)) = map.get("type") else {
        return;
    };
    let types = types.clone();
    map.remove("type");
    let kept: Map<String, Value> = ["description", "default", "title"]
        .into_iter()
        .filter_map(|key| map.remove(key).map(|value| (key.to_owned(), value)))
        .collect();
    let bounds = std::mem::replace(map, kept);
    let choices = types.into_iter().map(|kind| {
        let mut choice = Map::new();
        if kind != "null" {
            choice.extend(bounds.clone());
        }
        choice.insert("type".to_owned(), kind);
        Value::Object(choice)
    });
    map.insert("anyOf".to_owned(), choices.collect());
}

/// Inlines named schemas. Keys beside the reference, such as a description, are kept.
fn inline(value: &mut Value, definitions: &Value) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(place)) = map.remove("$ref") {
                let name = place.strip_prefix(DEFINITIONS).unwrap_or_default();
                if let Some(Value::Object(named)) = definitions.get(name) {
                    for (key, inner) in named {
                        map.entry(key.clone()).or_insert_with(|| inner.clone());
                    }
                }
            }
            // A name with a description is a list of one.
            if let Some(Value::Array(all)) = map
                .get("allOf")
                .filter(|all| all.as_array().is_some_and(|all| all.len() == 1))
            {
                let lone = all.first().cloned();
                map.remove("allOf");
                if let Some(Value::Object(lone)) = lone {
                    for (key, inner) in lone {
                        map.entry(key).or_insert(inner);
                    }
                }
                return inline(value, definitions);
            }
            map.values_mut()
                .for_each(|inner| inline(inner, definitions));
        }
        Value::Array(all) => all.iter_mut().for_each(|inner| inline(inner, definitions)),
        _ => {}
    }
}
