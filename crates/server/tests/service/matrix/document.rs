//! The operations of the OpenAPI document, with requests that are valid except for what a test changes.

use serde_json::{Map, Value, json};

use super::Belongings;

/// The part of a request that contains an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum IdLocation {
    /// In the path.
    Path(String),
    /// In the query.
    Query(String),
    /// In the body.
    Body(String),
}

impl IdLocation {
    fn name(&self) -> &str {
        match self {
            Self::Path(name) | Self::Query(name) | Self::Body(name) => name,
        }
    }

    /// The kind of the id.
    pub(super) fn kind(&self) -> &'static str {
        match self.name() {
            "runId" => "run",
            "reportId" | "against" => "report",
            "issueId" => "issue",
            "siteId" => "site",
            "actionId" | "ids" => "action",
            "webhookId" => "webhook",
            "waiverId" => "waiver",
            other => panic!("what does {other} name?"),
        }
    }
}

/// An operation.
#[derive(Debug, Clone)]
pub(super) struct Operation {
    pub(super) name: String,
    pub(super) method: String,
    template: String,
    /// The ids in the request that must belong to the caller.
    pub(super) places: Vec<IdLocation>,
    /// Required query parameters.
    needed_query: Vec<String>,
    /// A small valid body, except for ids.
    body: Option<Map<String, Value>>,
}

/// A request, ready to be sent.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) body: String,
}

impl Operation {
    /// Returns all operations. URLs in bodies become `url`, so that no other site is audited.
    pub(super) fn all(document: &Value, url: &str) -> Vec<Self> {
        let mut all = Vec::new();
        for (template, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                all.push(Self::new(document, url, template, method, operation));
            }
        }
        assert!(!all.is_empty());
        all
    }

    fn new(document: &Value, url: &str, template: &str, method: &str, operation: &Value) -> Self {
        let mut places = Vec::new();
        let mut needed_query = Vec::new();
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap().to_owned();
            match parameter["in"].as_str().unwrap() {
                // It is the number of a picture in its report, and belongs to nobody.
                "path" if name == "artifactId" => {}
                "path" => places.push(IdLocation::Path(name)),
                "query" => {
                    if parameter["required"] == true {
                        needed_query.push(name.clone());
                    }
                    // An unknown assignee gives an empty list.
                    if matches!(name.as_str(), "siteId" | "against") {
                        places.push(IdLocation::Query(name));
                    }
                }
                _ => {}
            }
        }
        let content = &operation["requestBody"]["content"]["application/json"];
        let body = content.is_object().then(|| {
            let schema = resolved(document, &content["schema"]);
            let known = schema["properties"].as_object();
            for name in ["siteId", "ids"] {
                if known.is_some_and(|known| known.contains_key(name)) {
                    places.push(IdLocation::Body(name.to_owned()));
                }
            }
            small_body(document, url, &schema, &content["example"])
        });
        Self {
            name: operation["operationId"].as_str().unwrap().to_owned(),
            method: method.to_uppercase(),
            template: template.replace("{artifactId}", "art_1"),
            places,
            needed_query,
            body,
        }
    }

    /// Creates a request about these resources, with a different id in one part.
    pub(super) fn request(&self, own: &Belongings, other: Option<(&IdLocation, &str)>) -> Request {
        let id = |place: &IdLocation| match other {
            Some((changed, id)) if changed == place => id.to_owned(),
            _ => own[place.kind()].clone(),
        };
        let mut path = self.template.clone();
        let mut query = Vec::new();
        let mut body = self.body.clone();
        for place in &self.places {
            let is_changed = other.is_some_and(|(changed, _)| changed == place);
            match place {
                IdLocation::Path(name) => path = path.replace(&format!("{{{name}}}"), &id(place)),
                IdLocation::Query(name) if is_changed || self.needed_query.contains(name) => {
                    query.push(format!("{name}={}", id(place)));
                }
                IdLocation::Body(name) if is_changed || name == "ids" => {
                    let value = match name.as_str() {
                        "ids" => json!([id(place)]),
                        _ => json!(id(place)),
                    };
                    body.as_mut().unwrap().insert(name.clone(), value);
                }
                IdLocation::Query(_) | IdLocation::Body(_) => {}
            }
        }
        if !query.is_empty() {
            path = format!("{path}?{}", query.join("&"));
        }
        Request {
            method: self.method.clone(),
            path,
            body: body.map_or_else(String::new, |body| Value::Object(body).to_string()),
        }
    }
}

fn resolved(document: &Value, schema: &Value) -> Value {
    match schema["$ref"].as_str() {
        Some(reference) => {
            let pointer = reference.trim_start_matches('#');
            resolved(document, document.pointer(pointer).unwrap())
        }
        None => schema.clone(),
    }
}

/// A text of which a schema says nothing.
const ANY_TEXT: &str = "Something";

/// The required fields, or one field if none is required. Texts are those of the example, if it has them.
fn small_body(document: &Value, url: &str, schema: &Value, example: &Value) -> Map<String, Value> {
    let required: Vec<&str> = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut fields = schema["properties"].as_object().unwrap().iter();
    let filled = |(name, field): (&String, &Value)| {
        let value = match (sample(document, url, field), example.get(name)) {
            (any, Some(text)) if any == ANY_TEXT => text.clone(),
            (value, _) => value,
        };
        (name.clone(), value)
    };
    if required.is_empty() {
        return fields
            .find(|(name, _)| *name != "siteId")
            .map(filled)
            .into_iter()
            .collect();
    }
    fields
        .filter(|(name, _)| required.contains(&name.as_str()))
        .map(filled)
        .collect()
}

/// Creates a value that matches a schema.
fn sample(document: &Value, url: &str, schema: &Value) -> Value {
    let schema = resolved(document, schema);
    if schema["format"] == "uri" {
        return json!(url);
    }
    if let Some(value) = schema["enum"].as_array().and_then(|values| values.first()) {
        return value.clone();
    }
    if let Some(example) = schema.get("example") {
        return example.clone();
    }
    for any in ["oneOf", "anyOf", "allOf"] {
        if let Some(schemas) = schema[any].as_array() {
            let one = schemas.iter().find(|schema| schema["type"] != "null");
            return sample(document, url, one.unwrap());
        }
    }
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds[0].as_str().unwrap().to_owned(),
        kind => kind.as_str().unwrap_or("object").to_owned(),
    };
    match kind.as_str() {
        "string" => json!(ANY_TEXT),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(true),
        "array" => json!([sample(document, url, &schema["items"])]),
        _ => json!({}),
    }
}
