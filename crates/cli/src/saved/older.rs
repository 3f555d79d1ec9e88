//! Reports of versions that had an issue for each cause of a check.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The keys of an older issue that its cause has now.
const OF_CAUSE: [&str; 4] = [
    "fingerprint",
    "affectedPages",
    "occurrencesTotal",
    "scoreImpact",
];

/// The issues, one for each check: older ones of one check become the causes of one issue.
pub(super) fn by_check(issues: Vec<Value>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut places = BTreeMap::new();
    for issue in issues {
        let Value::Object(older) = issue else {
            found.push(issue);
            continue;
        };
        let check_id = older.get("checkId").and_then(Value::as_str);
        let (false, Some(check_id)) = (older.contains_key("causes"), check_id) else {
            found.push(Value::Object(older));
            continue;
        };
        let place = *places.entry(check_id.to_owned()).or_insert(found.len());
        match found.get_mut(place).and_then(Value::as_object_mut) {
            Some(known) => add(known, &older),
            None => found.push(Value::Object(issue_of(older))),
        }
    }
    found
}

/// The issue of an older one that is the first of its check.
fn issue_of(mut older: Map<String, Value>) -> Map<String, Value> {
    let cause = cause(&older);
    older.remove("fingerprint");
    older.remove("occurrences");
    older.insert("causesTotal".to_owned(), json!(1));
    older.insert("causes".to_owned(), json!([cause]));
    older.insert("state".to_owned(), Value::Null);
    older.insert("waived".to_owned(), json!(0));
    older
}

/// Adds another one of the same check. Pages are counted by each; how many there are together is not
/// known, but they are as many as the most of one.
fn add(issue: &mut Map<String, Value>, older: &Map<String, Value>) {
    if let Some(Value::Array(causes)) = issue.get_mut("causes") {
        causes.push(cause(older));
    }
    let number =
        |from: &Map<String, Value>, key| from.get(key).and_then(Value::as_u64).unwrap_or(0);
    let total = number(issue, "causesTotal").saturating_add(1);
    let occurrences =
        number(issue, "occurrencesTotal").saturating_add(number(older, "occurrencesTotal"));
    let pages = number(issue, "affectedPages").max(number(older, "affectedPages"));
    issue.insert("causesTotal".to_owned(), json!(total));
    issue.insert("occurrencesTotal".to_owned(), json!(occurrences));
    issue.insert("affectedPages".to_owned(), json!(pages));
    let gain = |from: &Map<String, Value>| from.get("scoreImpact").and_then(Value::as_f64);
    if let (Some(one), Some(other)) = (gain(issue), gain(older)) {
        issue.insert("scoreImpact".to_owned(), json!(one + other));
    }
}

fn cause(older: &Map<String, Value>) -> Value {
    let of = |key: &str| older.get(key).cloned().unwrap_or_default();
    let mut occurrences = of("occurrences");
    for occurrence in occurrences.as_array_mut().into_iter().flatten() {
        if let Value::Object(occurrence) = occurrence {
            occurrence.insert("artifactId".to_owned(), Value::Null);
        }
    }
    let mut cause: Map<_, _> = OF_CAUSE
        .map(|key| (key.to_owned(), of(key)))
        .into_iter()
        .collect();
    cause.insert("message".to_owned(), of("title"));
    cause.insert("state".to_owned(), Value::Null);
    cause.insert("occurrences".to_owned(), occurrences);
    Value::Object(cause)
}
