//! Errors of the TOML parser in words that need no knowledge of Rust.

/// The message of the parser, where a type or value is wrong, as what was found and what is expected. A text that
/// was found is not repeated: it may be a password in the wrong place. Other messages are returned unchanged.
pub(super) fn in_words(message: &str) -> String {
    let wrong = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "));
    let Some((found, expected)) = wrong.and_then(|wrong| wrong.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    // `integer `3``: the kind, then the value in backquotes.
    let value = found
        .split_once('`')
        .map(|(_, value)| value.trim_end_matches('`'));
    let found = match (found, value) {
        ("map", _) => "a table",
        ("sequence", _) => "a list",
        (text, _) if text.starts_with("string ") => "a text",
        (_, Some(value)) => value,
        (kind, None) => kind,
    };
    format!("expected {}, found {found}", noun(expected))
}

fn noun(expected: &str) -> String {
    let most = match expected {
        "u8" => u64::from(u8::MAX),
        "u16" => u64::from(u16::MAX),
        "u32" => u64::from(u32::MAX),
        "u64" | "usize" => return "a whole number, 0 or above".to_owned(),
        "i32" | "i64" | "isize" => return "a whole number".to_owned(),
        "f32" | "f64" => return "a number".to_owned(),
        "a boolean" | "bool" => return "true or false".to_owned(),
        "a string" => return "a text in quotes".to_owned(),
        "a sequence" => return "a list in brackets".to_owned(),
        "a map" => return "a table".to_owned(),
        other => return other.to_owned(),
    };
    format!("a whole number from 0 to {most}")
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
        "unknown field `x`, expected one of `a`, `b`",
        "unknown field `x`, expected one of `a`, `b`"
    )]
    fn messages_name_what_was_found_and_expected(#[case] message: &str, #[case] expected: &str) {
        assert_eq!(in_words(message), expected);
    }
}
