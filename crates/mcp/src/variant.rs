//! What a server offers.

use api_types::account::Account;
use api_types::report::Variant;
use serde_json::{Map, Value};

/// Which tools and dimensions there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offers {
    /// All of them.
    Everything,
    /// All but what the legacy variant does not have: the tools on action items, and AI readiness.
    NoActions,
}

/// The dimension that only some services have, as the wire spells it.
const SIXTH: &str = "aiReadiness";
/// Keys of results that the legacy variant does not have or does not use.
const ABSENT: [&str; 3] = [SIXTH, "actionId", "openActions"];

impl Offers {
    /// What the service of this account offers.
    #[must_use]
    pub const fn for_account(account: &Account) -> Self {
        match account.variant {
            Variant::Current => Self::Everything,
            Variant::Legacy => Self::NoActions,
        }
    }

    /// Whether there are action items.
    #[must_use]
    pub const fn has_actions(self) -> bool {
        matches!(self, Self::Everything)
    }

    /// A schema without what the service does not have.
    pub(crate) fn schema(self, mut schema: Map<String, Value>) -> Map<String, Value> {
        if self == Self::NoActions {
            leave_out_of_schema(&mut schema);
        }
        schema
    }

    /// A result without fields that the service does not have.
    pub(crate) fn answer(self, mut answer: Value) -> Value {
        if self == Self::NoActions {
            leave_out_of_answer(&mut answer);
        }
        answer
    }
}

fn leave_out_of_schema(schema: &mut Map<String, Value>) {
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !ABSENT.contains(&name.as_str()));
    }
    for (key, absent) in [("required", ABSENT.as_slice()), ("enum", &[SIXTH])] {
        if let Some(Value::Array(names)) = schema.get_mut(key) {
            names.retain(|name| name.as_str().is_none_or(|name| !absent.contains(&name)));
        }
    }
    for inner in schema.values_mut() {
        match inner {
            Value::Object(map) => leave_out_of_schema(map),
            Value::Array(all) => all
                .iter_mut()
                .filter_map(Value::as_object_mut)
                .for_each(leave_out_of_schema),
            _ => {}
        }
    }
}

fn leave_out_of_answer(answer: &mut Value) {
    match answer {
        Value::Object(map) => {
            map.retain(|name, _| !ABSENT.contains(&name.as_str()));
            map.values_mut().for_each(leave_out_of_answer);
        }
        Value::Array(all) => all.iter_mut().for_each(leave_out_of_answer),
        _ => {}
    }
}
