//! What is wrong with a text that is not JSON, in the words of JSON.

/// What is wrong with the request body, and where.
pub(super) fn in_words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let found = text.split(" at line ").next().unwrap_or_default();
    let (line, column) = (error.line(), error.column());
    format!(
        "The request body is not valid JSON: {} (line {line}, column {column}).",
        translated(found)
    )
}

fn translated(found: &str) -> &'static str {
    match found {
        "EOF while parsing a list" => "it ends within an array",
        "EOF while parsing an object" => "it ends within an object",
        "EOF while parsing a string" => "it ends within a string",
        "EOF while parsing a value" => "it ends where a value is expected",
        "expected `:`" => "a colon is expected after the name of a field",
        "expected `,` or `]`" => "a comma or `]` is expected",
        "expected `,` or `}`" => "a comma or `}` is expected",
        "expected `\"`" | "key must be a string" => {
            "the name of a field in double quotes is expected"
        }
        "expected ident" | "expected value" => "a value is expected",
        "trailing comma" => "a comma is followed by no entry",
        "trailing characters" => "more text follows the end of the value",
        "invalid escape" => "a string has an unknown escape sequence",
        "lone leading surrogate in hex escape"
        | "unexpected end of hex escape"
        | "invalid unicode code point" => "a string has an escape sequence `\\u` of no character",
        "invalid number" => "a number has another form than in JSON",
        "number out of range" => "a number is too large",
        "recursion limit exceeded" => "arrays and objects are nested too deeply",
        other if other.starts_with("control character") => {
            "a string has a control character, which needs an escape sequence"
        }
        _ => "the text is unexpected",
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::super::Tree;
    use super::*;

    #[rstest]
    #[case("{", "it ends within an object (line 1, column 1)")]
    #[case("[1,\n", "it ends where a value is expected (line 2, column 0)")]
    #[case("[1", "it ends within an array (line 1, column 2)")]
    #[case("{\"a", "it ends within a string (line 1, column 3)")]
    #[case("", "it ends where a value is expected (line 1, column 0)")]
    #[case(
        "{\"a\" 1}",
        "a colon is expected after the name of a field (line 1, column 6)"
    )]
    #[case("[1 2]", "a comma or `]` is expected (line 1, column 4)")]
    #[case("{\"a\":1 2}", "a comma or `}` is expected (line 1, column 8)")]
    #[case(
        "{a:1}",
        "the name of a field in double quotes is expected (line 1, column 2)"
    )]
    #[case("{\"a\":1,}", "a comma is followed by no entry (line 1, column 8)")]
    #[case("{} {}", "more text follows the end of the value (line 1, column 4)")]
    #[case("NaN", "a value is expected (line 1, column 1)")]
    #[case("nul", "it ends where a value is expected (line 1, column 3)")]
    #[case("nuls", "a value is expected (line 1, column 4)")]
    #[case(
        "\"\\x\"",
        "a string has an unknown escape sequence (line 1, column 3)"
    )]
    #[case(
        "\"\n\"",
        "a string has a control character, which needs an escape sequence (line 2, column 0)"
    )]
    #[case("-", "it ends where a value is expected (line 1, column 1)")]
    #[case("01", "a number has another form than in JSON (line 1, column 2)")]
    #[case("1e999", "a number is too large (line 1, column 5)")]
    fn mistakes(#[case] text: &str, #[case] expected: &str) {
        let error = serde_json::from_str::<Tree>(text).map(drop).unwrap_err();
        let expected = format!("The request body is not valid JSON: {expected}.");
        assert_eq!(in_words(&error), expected, "{error}");
    }

    #[test]
    fn deep_nesting_and_surrogates() {
        let deep = "[".repeat(1_000);
        for (text, expected) in [
            (deep.as_str(), "arrays and objects are nested too deeply"),
            (
                r#""\ud800""#,
                "a string has an escape sequence `\\u` of no character",
            ),
        ] {
            let error = serde_json::from_str::<Tree>(text).map(drop).unwrap_err();
            assert!(in_words(&error).contains(expected), "{error}");
        }
    }
}
