//! Small pieces of Markdown.

/// Text for a heading or a table cell: what would be markup is escaped, code spans are kept.
pub(super) fn inline(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut code = false;
    for letter in text.chars() {
        match letter {
            '`' => code = !code,
            '|' => escaped.push('\\'),
            '<' | '*' | '[' | ']' if !code => escaped.push('\\'),
            _ => {}
        }
        escaped.push(if letter == '\n' { ' ' } else { letter });
    }
    escaped
}

/// A code block whose fence is longer than any run of backticks in it.
pub(super) fn code_block(language: &str, text: &str) -> String {
    let longest = text
        .split(|letter| letter != '`')
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{text}\n{fence}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_text_is_escaped_but_not_in_code() {
        assert_eq!(
            inline("No <title> | `<b>` and a|b"),
            "No \\<title> \\| `<b>` and a\\|b"
        );
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(code_block("html", "<p>"), "```html\n<p>\n```\n");
        assert_eq!(code_block("", "````"), "`````\n````\n`````\n");
    }
}
