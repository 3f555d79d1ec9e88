//! Messages of the parsers of TOML and JSON in words that need no knowledge of Rust.

/// What a text is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Configuration and waivers.
    Toml,
    /// Reports.
    Json,
}

impl Notation {
    /// What has keys.
    const fn table(self) -> &'static str {
        match self {
            Self::Toml => "a table",
            Self::Json => "an object",
        }
    }

    /// The message of the parser without its place: what was found and what is expected, or which key is missing. A
    /// text that was found is not repeated: it may be a password in the wrong place. Other messages are returned
    /// unchanged.
    #[must_use]
    pub fn in_words(self, message: &str) -> String {
        if let Some(key) = message.strip_prefix("missing field ") {
            return format!("the key {key} is missing");
        }
        if let Some(key) = message.strip_prefix("duplicate field ") {
            return format!("the key {key} is there twice");
        }
        if message.starts_with("invalid length ") {
            return format!("expected {}, found a list", self.table());
        }
        let wrong = message
            .strip_prefix("invalid type: ")
            .or_else(|| message.strip_prefix("invalid value: "));
        match wrong.and_then(|wrong| wrong.rsplit_once(", expected ")) {
            Some((found, expected)) => {
                format!(
                    "expected {}, found {}",
                    self.noun(expected),
                    self.found(found)
                )
            }
            None => message.to_owned(),
        }
    }

    /// What was found, for example ``integer `3` ``: the kind, then the value in backquotes.
    fn found(self, found: &str) -> &str {
        let value = found
            .split_once('`')
            .map(|(_, value)| value.trim_end_matches('`'));
        match (found, value) {
            ("map", _) => self.table(),
            ("sequence", _) => "a list",
            ("null" | "unit value", _) => "nothing",
            (text, _) if text.starts_with("string ") => "a text",
            (_, Some(value)) => value,
            (kind, None) => kind,
        }
    }

    fn noun(self, expected: &str) -> String {
        let most = match expected {
            "u8" => u64::from(u8::MAX),
            "u16" => u64::from(u16::MAX),
            "u32" => u64::from(u32::MAX),
            "u64" | "usize" => return "a whole number, 0 or above".to_owned(),
            "i32" | "i64" | "isize" => return "a whole number".to_owned(),
            "f32" | "f64" => return "a number".to_owned(),
            "a boolean" | "bool" => return "true or false".to_owned(),
            "a string" | "string" => return "a text in quotes".to_owned(),
            "a sequence" => return "a list in brackets".to_owned(),
            "a map" => return self.table().to_owned(),
            other if other.starts_with("struct ") => return self.table().to_owned(),
            other => return other.to_owned(),
        };
        format!("a whole number from 0 to {most}")
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(
        "invalid type: string \"secret\", expected u32",
        "expected a whole number from 0 to 4294967295, found a text"
    )]
    #[case(
        "invalid value: integer `-1`, expected u16",
        "expected a whole number from 0 to 65535, found -1"
    )]
    #[case(
        "invalid type: integer `3`, expected a boolean",
        "expected true or false, found 3"
    )]
    #[case(
        "invalid type: floating point `1.5`, expected usize",
        "expected a whole number, 0 or above, found 1.5"
    )]
    #[case(
        "invalid type: map, expected a string",
        "expected a text in quotes, found a table"
    )]
    #[case(
        "invalid type: integer `3`, expected struct File",
        "expected a table, found 3"
    )]
    #[case("missing field `reason`", "the key `reason` is missing")]
    #[case("duplicate field `reason`", "the key `reason` is there twice")]
    #[case(
        "unknown field `x`, expected one of `a`, `b`",
        "unknown field `x`, expected one of `a`, `b`"
    )]
    fn messages_name_what_was_found_and_expected(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(Notation::Toml.in_words(message), expected);
    }

    #[rstest]
    #[case(
        "invalid type: map, expected a sequence",
        "expected a list in brackets, found an object"
    )]
    #[case(
        "invalid type: null, expected a string",
        "expected a text in quotes, found nothing"
    )]
    #[case(
        "invalid length 0, expected struct SavedReport with 7 elements",
        "expected an object, found a list"
    )]
    fn json_has_objects(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(Notation::Json.in_words(message), expected);
    }
}
