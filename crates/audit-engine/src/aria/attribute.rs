//! The states and properties of WAI-ARIA 1.2 and their value types.

/// The type of an attribute's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// One of these tokens.
    Token(&'static [&'static str]),
    /// A space-separated list of these tokens.
    Tokens(&'static [&'static str]),
    /// An integer of at least this value.
    Integer(i64),
    /// A number.
    Number,
    /// The id of an element.
    Reference,
    /// A space-separated list of element ids.
    References,
    /// Any text.
    Text,
}

/// A state or property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AriaAttribute {
    /// The name, including the `aria-` prefix.
    pub name: &'static str,
    /// The type of its value.
    pub value: ValueType,
    /// Whether the attribute is global, that is, allowed on every element.
    pub global: bool,
}

impl AriaAttribute {
    /// All attributes.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        ATTRIBUTES.iter()
    }

    /// The attribute with this lower-case name, if the specification defines it.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        if !name.starts_with("aria-") {
            return None;
        }
        ATTRIBUTES
            .binary_search_by(|attribute| attribute.name.cmp(name))
            .ok()
            .and_then(|index| ATTRIBUTES.get(index))
    }

    /// Whether the value matches the attribute's type. An empty value is treated as a missing
    /// attribute.
    #[must_use]
    pub fn accepts(&self, value: &str) -> bool {
        let value = value.trim();
        let is_one =
            |words: &[&str], word: &str| words.iter().any(|w| w.eq_ignore_ascii_case(word));
        match self.value {
            _ if value.is_empty() => true,
            ValueType::Token(words) => is_one(words, value),
            ValueType::Tokens(words) => value
                .split_ascii_whitespace()
                .all(|word| is_one(words, word)),
            ValueType::Integer(least) => value.parse::<i64>().is_ok_and(|number| number >= least),
            ValueType::Number => is_number(value),
            ValueType::Reference => !value.contains(|c: char| c.is_ascii_whitespace()),
            ValueType::References | ValueType::Text => true,
        }
    }

    /// A description of the expected value, for evidence.
    #[must_use]
    pub fn expects(&self) -> String {
        match self.value {
            ValueType::Token(words) => format!("one of {}", words.join(", ")),
            ValueType::Tokens(words) => format!("a space-separated list of {}", words.join(", ")),
            ValueType::Integer(least) => format!("an integer of at least {least}"),
            ValueType::Number => "a number".to_owned(),
            ValueType::Reference => "one id".to_owned(),
            ValueType::References => "a list of ids".to_owned(),
            ValueType::Text => "text".to_owned(),
        }
    }
}

fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    digits.contains(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.')
        && digits.matches('.').count() <= 1
}

const BOOLEAN: ValueType = ValueType::Token(&["true", "false"]);
const BOOLEAN_OR_UNDEFINED: ValueType = ValueType::Token(&["true", "false", "undefined"]);
const TRISTATE: ValueType = ValueType::Token(&["true", "false", "mixed", "undefined"]);

const fn global(name: &'static str, value: ValueType) -> AriaAttribute {
    AriaAttribute {
        name,
        value,
        global: true,
    }
}

const fn local(name: &'static str, value: ValueType) -> AriaAttribute {
    AriaAttribute {
        name,
        value,
        global: false,
    }
}

/// Sorted by name. `aria-actions` comes from the ARIA 1.3 draft.
static ATTRIBUTES: [AriaAttribute; 54] = [
    global("aria-actions", ValueType::References),
    local("aria-activedescendant", ValueType::Reference),
    global("aria-atomic", BOOLEAN),
    local(
        "aria-autocomplete",
        ValueType::Token(&["inline", "list", "both", "none"]),
    ),
    global("aria-braillelabel", ValueType::Text),
    global("aria-brailleroledescription", ValueType::Text),
    global("aria-busy", BOOLEAN),
    local("aria-checked", TRISTATE),
    local("aria-colcount", ValueType::Integer(-1)),
    local("aria-colindex", ValueType::Integer(1)),
    local("aria-colindextext", ValueType::Text),
    local("aria-colspan", ValueType::Integer(1)),
    global("aria-controls", ValueType::References),
    global(
        "aria-current",
        ValueType::Token(&["page", "step", "location", "date", "time", "true", "false"]),
    ),
    global("aria-describedby", ValueType::References),
    global("aria-description", ValueType::Text),
    global("aria-details", ValueType::References),
    global("aria-disabled", BOOLEAN),
    global(
        "aria-dropeffect",
        ValueType::Tokens(&["copy", "execute", "link", "move", "none", "popup"]),
    ),
    global("aria-errormessage", ValueType::References),
    local("aria-expanded", BOOLEAN_OR_UNDEFINED),
    global("aria-flowto", ValueType::References),
    global("aria-grabbed", BOOLEAN_OR_UNDEFINED),
    global(
        "aria-haspopup",
        ValueType::Token(&["true", "false", "menu", "listbox", "tree", "grid", "dialog"]),
    ),
    global("aria-hidden", BOOLEAN_OR_UNDEFINED),
    global(
        "aria-invalid",
        ValueType::Token(&["grammar", "false", "spelling", "true"]),
    ),
    global("aria-keyshortcuts", ValueType::Text),
    global("aria-label", ValueType::Text),
    global("aria-labelledby", ValueType::References),
    local("aria-level", ValueType::Integer(1)),
    global(
        "aria-live",
        ValueType::Token(&["assertive", "off", "polite"]),
    ),
    local("aria-modal", BOOLEAN),
    local("aria-multiline", BOOLEAN),
    local("aria-multiselectable", BOOLEAN),
    local(
        "aria-orientation",
        ValueType::Token(&["horizontal", "undefined", "vertical"]),
    ),
    global("aria-owns", ValueType::References),
    local("aria-placeholder", ValueType::Text),
    local("aria-posinset", ValueType::Integer(1)),
    local("aria-pressed", TRISTATE),
    local("aria-readonly", BOOLEAN),
    global(
        "aria-relevant",
        ValueType::Tokens(&["additions", "all", "removals", "text"]),
    ),
    local("aria-required", BOOLEAN),
    global("aria-roledescription", ValueType::Text),
    local("aria-rowcount", ValueType::Integer(-1)),
    local("aria-rowindex", ValueType::Integer(1)),
    local("aria-rowindextext", ValueType::Text),
    local("aria-rowspan", ValueType::Integer(0)),
    local("aria-selected", BOOLEAN_OR_UNDEFINED),
    local("aria-setsize", ValueType::Integer(-1)),
    local(
        "aria-sort",
        ValueType::Token(&["ascending", "descending", "none", "other"]),
    ),
    local("aria-valuemax", ValueType::Number),
    local("aria-valuemin", ValueType::Number),
    local("aria-valuenow", ValueType::Number),
    local("aria-valuetext", ValueType::Text),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(name: &str, value: &str) -> bool {
        AriaAttribute::named(name).unwrap().accepts(value)
    }

    #[test]
    fn attributes_are_sorted_for_the_binary_search() {
        assert!(ATTRIBUTES.is_sorted_by(|a, b| a.name < b.name));
        assert_eq!(AriaAttribute::named("aria-labeledby"), None);
    }

    #[test]
    fn tokens_are_compared_ignoring_case() {
        assert!(accepts("aria-expanded", "TRUE"));
        assert!(!accepts("aria-expanded", "collapsed"));
    }

    #[test]
    fn an_empty_value_is_accepted() {
        assert!(accepts("aria-live", ""));
    }

    #[test]
    fn numbers_have_digits_and_at_most_one_point() {
        for (value, expected) in [
            ("1.5", true),
            ("-3", true),
            (".5", true),
            ("x", false),
            ("1.2.3", false),
            ("inf", false),
        ] {
            assert_eq!(accepts("aria-valuenow", value), expected, "{value}");
        }
        assert!(!accepts("aria-level", "0"));
        assert!(accepts("aria-rowcount", "-1"));
    }
}
