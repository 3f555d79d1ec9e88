//! Validation of a tool's arguments by its input schema, so that one failure names all that are wrong.

use serde_json::{Map, Value};

/// The most wrong arguments that one failure names.
const MOST_ERRORS: usize = 20;

/// What is wrong with the arguments, each with its name, in the order of the arguments; missing ones come last.
///
/// It knows the keywords that [`crate::schema`] generates.
pub(crate) fn errors(arguments: &Map<String, Value>, schema: &Map<String, Value>) -> Vec<String> {
    let mut errors = Errors(Vec::new());
    errors.object("", arguments, schema);
    errors.0
}

/// The arguments without those that are null although they could be omitted: clients write both.
pub(crate) fn without_nulls(
    mut arguments: Map<String, Value>,
    schema: &Map<String, Value>,
) -> Map<String, Value> {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required =
        |name: &str| required.is_some_and(|names| names.iter().any(|one| one == name));
    let is_known = |name: &str| {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.is_some_and(|properties| properties.contains_key(name))
    };
    arguments.retain(|name, value| !value.is_null() || is_required(name) || !is_known(name));
    arguments
}

struct Errors(Vec<String>);

impl Errors {
    fn add(&mut self, path: &str, why: &str) {
        if self.0.len() < MOST_ERRORS {
            self.0.push(format!("{path}: {why}"));
        }
    }

    fn object(&mut self, path: &str, object: &Map<String, Value>, schema: &Map<String, Value>) {
        let none = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        let properties = properties.unwrap_or(&none);
        for (name, value) in object {
            match properties.get(name).and_then(Value::as_object) {
                Some(schema) => self.value(&below(path, name), value, schema),
                None => {
                    let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                    let why = format!("is no argument; known: {}", known.join(", "));
                    self.add(&below(path, &shortened(name)), &why);
                }
            }
        }
        let required = schema.get("required").and_then(Value::as_array);
        let required = required.into_iter().flatten().filter_map(Value::as_str);
        for name in required.filter(|name| !object.contains_key(*name)) {
            self.add(&below(path, name), "is required");
        }
    }

    fn value(&mut self, path: &str, value: &Value, schema: &Map<String, Value>) {
        let choices = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(*key));
        if let Some(Value::Array(choices)) = choices {
            let choices: Vec<_> = choices.iter().filter_map(Value::as_object).collect();
            let of_type = choices.iter().filter(|choice| has_type(value, choice));
            match of_type.collect::<Vec<_>>().as_slice() {
                [] => {
                    let kinds = choices.iter().filter_map(|choice| choice.get("type"));
                    let kinds = kinds.filter_map(Value::as_str).map(type_in_words);
                    let kinds = kinds.collect::<Vec<_>>().join(" or ");
                    self.add(
                        path,
                        &format!("must be {kinds}; {} was given", given(value)),
                    );
                }
                [choice] => self.value(path, value, choice),
                // The type does not decide which of the choices is meant.
                _ => {}
            }
            return;
        }
        if !has_type(value, schema) {
            let needed = schema.get("type").and_then(Value::as_str);
            let needed = type_in_words(needed.unwrap_or_default());
            let given = given(value);
            return self.add(path, &format!("must be {needed}; {given} was given"));
        }
        if let Some(Value::Array(allowed)) = schema.get("enum")
            && !allowed.contains(value)
        {
            let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
            return self.add(path, &format!("must be one of {}", allowed.join(", ")));
        }
        if let Some(why) = out_of_bounds(value, schema) {
            self.add(path, &why);
        }
        match value {
            Value::Array(items) => {
                if let Some(Value::Object(schema)) = schema.get("items") {
                    for (index, item) in items.iter().enumerate() {
                        self.value(&format!("{path}[{index}]"), item, schema);
                    }
                }
            }
            Value::Object(object) if schema.contains_key("properties") => {
                self.object(path, object, schema);
            }
            _ => {}
        }
    }
}

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

fn shortened(name: &str) -> String {
    name.chars().take(100).collect()
}

fn has_type(value: &Value, schema: &Map<String, Value>) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some("null") => value.is_null(),
        _ => true,
    }
}

fn type_in_words(kind: &str) -> &'static str {
    match kind {
        "string" => "a text",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "array" => "an array",
        "null" => "null",
        _ => "an object",
    }
}

fn given(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(number) if number.is_f64() => "a number with a fraction or an exponent",
        Value::Number(_) => "a whole number",
        Value::String(_) => "a text",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// What a value of the right type has too little or too much of.
fn out_of_bounds(value: &Value, schema: &Map<String, Value>) -> Option<String> {
    let (least, most, size, what) = match value {
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or(i64::MAX);
            ("minimum", "maximum", number, "a whole number")
        }
        Value::String(text) => {
            let length = text.chars().count();
            ("minLength", "maxLength", signed(length), "characters")
        }
        Value::Array(items) => ("minItems", "maxItems", signed(items.len()), "entries"),
        _ => return None,
    };
    let bound = |key: &str| schema.get(key).and_then(Value::as_i64);
    let (least, most) = (bound(least), bound(most));
    let is_inside = least.is_none_or(|least| size >= least) && most.is_none_or(|most| size <= most);
    if is_inside {
        return None;
    }
    let range = match (least, most) {
        (Some(least), Some(most)) => format!("from {least} to {most}"),
        (Some(least), None) => format!("of at least {least}"),
        (None, most) => format!("of at most {}", most.unwrap_or(i64::MAX)),
    };
    Some(match value {
        Value::Number(_) => format!("must be {what} {range}"),
        _ => format!("must have a number of {what} {range}"),
    })
}

fn signed(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(arguments: Value) -> Vec<String> {
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "minLength": 1, "maxLength": 3},
                "limit": {"type": "integer", "minimum": 1, "maximum": 9},
                "depth": {"type": "integer", "minimum": -1},
                "status": {"type": "array", "maxItems": 2, "items": {"type": "string", "enum": ["open", "done"]}},
                "dimension": {"anyOf": [{"type": "null"}, {"type": "string", "enum": ["seo"]}]},
                "on": {"type": "boolean"},
                "sort": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            },
            "required": ["id", "on"],
        });
        let (Value::Object(arguments), Value::Object(schema)) = (arguments, schema) else {
            panic!("two objects");
        };
        errors(&without_nulls(arguments, &schema), &schema)
    }

    #[test]
    fn right_arguments_have_no_errors() {
        let all = json!({
            "id": "äöü", "limit": 9, "depth": -1, "status": ["open", "done"], "dimension": null, "on": true,
        });
        assert_eq!(found(all), Vec::<String>::new());
        assert_eq!(
            found(json!({"id": "a", "on": false, "dimension": "seo"})),
            Vec::<String>::new()
        );
    }

    #[test]
    fn all_wrong_arguments_are_named_at_once_in_words_of_json() {
        let mut wrong = found(json!({
            "id": "", "limit": "5", "depth": -2, "status": ["zz", 1, "open"], "dimension": "speed", "identity": 1,
            "sort": 7,
        }));
        wrong.sort();
        let expected = [
            "depth: must be a whole number of at least -1",
            "dimension: must be one of seo",
            "id: must have a number of characters from 1 to 3",
            "identity: is no argument; known: id, limit, depth, status, dimension, on, sort",
            "limit: must be a whole number; a text was given",
            "on: is required",
            "sort: must be a text or null; a whole number was given",
            "status: must have a number of entries of at most 2",
            "status[0]: must be one of open, done",
            "status[1]: must be a text; a whole number was given",
        ];
        for (wrong, expected) in wrong.iter().zip(expected) {
            // The order of known names is that of the map.
            let (wrong, expected) = match expected.split_once("known: ") {
                Some((start, _)) => (wrong.get(..start.len()).unwrap(), start),
                None => (wrong.as_str(), expected),
            };
            assert_eq!(wrong, expected);
        }
        assert_eq!(wrong.len(), expected.len(), "{wrong:?}");
        assert_eq!(
            found(json!({"id": "a", "on": true, "limit": 18_446_744_073_709_551_615_u64})),
            ["limit: must be a whole number from 1 to 9"]
        );
    }

    #[test]
    fn the_list_of_errors_is_bounded() {
        let many = (0..MOST_ERRORS + 5).map(|number| (format!("x{number}"), json!(1)));
        assert_eq!(found(Value::Object(many.collect())).len(), MOST_ERRORS);
    }
}
