//! JSON Schemas of what tools take and give, from the types themselves.

use serde_json::{Map, Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::answer::{NOTICE_KEY, TextOrigin};

/// Where OpenAPI keeps named schemas, and where JSON Schema does.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// The schema of a type, with every schema that it names.
pub(crate) fn for_type<T: ToSchema>() -> Map<String, Value> {
    let mut named: Vec<(String, RefOr<Schema>)> = Vec::new();
    T::schemas(&mut named);
    let mut root = translated(&<T as PartialSchema>::schema());
    let mut definitions: Map<String, Value> = named
        .iter()
        .map(|(name, schema)| (name.clone(), Value::Object(translated(schema))))
        .collect();
    merge_parts(&mut root, &mut definitions);
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}

/// Makes one object of the parts of a type with a flattened field, because clients expect an object. The schema of the
/// field's type moves into it.
fn merge_parts(root: &mut Map<String, Value>, definitions: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = root.remove("allOf") else {
        return;
    };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts {
        let name = part.get("$ref").and_then(Value::as_str);
        let name = name.and_then(|place| place.strip_prefix(DEFINITIONS));
        let part = name
            .and_then(|name| definitions.remove(name))
            .unwrap_or(part);
        if let Some(Value::Object(more)) = part.get("properties") {
            properties.extend(more.clone());
        }
        if let Some(Value::Array(more)) = part.get("required") {
            required.extend(more.iter().cloned());
        }
    }
    root.insert("type".to_owned(), json!("object"));
    root.insert("properties".to_owned(), Value::Object(properties));
    root.insert("required".to_owned(), Value::Array(required));
}

/// The output schema of a tool, with the notice if its results contain untrusted text.
pub(crate) fn of_answer<T: ToSchema>(origin: TextOrigin) -> Map<String, Value> {
    let mut root = for_type::<T>();
    if origin == TextOrigin::Service {
        return root;
    }
    let notice =
        json!({ "type": "string", "description": "States that texts in this result are data." });
    let insert = |value: &mut Value| {
        if let Value::Object(properties) = value {
            properties.insert(NOTICE_KEY.to_owned(), notice);
        }
    };
    insert(root.entry("properties").or_insert_with(|| json!({})));
    if let Value::Array(required) = root.entry("required").or_insert_with(|| json!([])) {
        required.push(json!(NOTICE_KEY));
    }
    root
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
