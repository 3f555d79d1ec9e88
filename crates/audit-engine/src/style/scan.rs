//! Splits style sheets into rules and declarations (CSS Syntax Level 3).

/// A part of a style sheet or of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// A part that ends with a semicolon: a declaration, or an at-rule without a block.
    Statement(&'a str),
    /// A part with a block in braces.
    Block {
        /// The text before the opening brace.
        prelude: &'a str,
        /// The text inside the braces.
        body: &'a str,
    },
}

/// A property with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declaration<'a> {
    /// The name as written.
    pub(super) name: &'a str,
    /// The value, trimmed and without `!important`.
    pub(super) value: &'a str,
    /// Whether it is marked `!important`.
    pub(super) important: bool,
}

/// Replaces comments with spaces.
pub(super) fn without_comments(css: &str) -> std::borrow::Cow<'_, str> {
    if !css.contains("/*") {
        return css.into();
    }
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find(['"', '\'', '/', '\\']) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        if let Some(comment) = from.strip_prefix("/*") {
            out.push(' ');
            rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        } else {
            let (token, after) = from.split_at(token_len(from));
            out.push_str(token);
            rest = after;
        }
    }
    out.push_str(rest);
    out.into()
}

/// The length in bytes of the string, escape or single character at the start of the text.
fn token_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else {
        return 0;
    };
    match first {
        '\\' => {
            chars.next();
        }
        '"' | '\'' => {
            while let Some((_, c)) = chars.next() {
                match c {
                    '\\' => {
                        chars.next();
                    }
                    // A line break ends a string, too.
                    '\n' => break,
                    _ if c == first => break,
                    _ => {}
                }
            }
        }
        _ => {}
    }
    chars.next().map_or(text.len(), |(at, _)| at)
}

/// The position of the first of these ASCII characters outside of strings, escapes and brackets.
pub(super) fn find_outside(text: &str, wanted: &[u8]) -> Option<usize> {
    let mut depth = 0_usize;
    // The wanted characters are ASCII, which never occurs inside another character's bytes.
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            _ if depth == 0 && wanted.contains(&byte) => return Some(at),
            // An address without quotes is one token: quotes and brackets in it have no meaning.
            b'(' if is_unquoted_address(text, at) => {
                while let Some((_, inner)) = bytes.next() {
                    match inner {
                        b'\\' => {
                            bytes.next();
                        }
                        b')' => break,
                        _ => {}
                    }
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'\\' => {
                bytes.next();
            }
            b'"' | b'\'' => {
                while let Some((_, inner)) = bytes.next() {
                    match inner {
                        b'\\' => {
                            bytes.next();
                        }
                        // A line break ends a string, too.
                        b'\n' => break,
                        _ if inner == byte => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether the parenthesis at this position is that of `url(` with an address without quotes.
fn is_unquoted_address(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_url = at
        .checked_sub(3)
        .and_then(|start| bytes.get(start..at))
        .is_some_and(|name| name.eq_ignore_ascii_case(b"url"));
    is_url
        && bytes.get(at..).is_some_and(|rest| {
            let first = rest.iter().skip(1).find(|byte| !byte.is_ascii_whitespace());
            !matches!(first, Some(b'"' | b'\''))
        })
}

/// Splits the text at this ASCII character outside of strings and brackets.
pub(super) fn split_outside(text: &str, mark: u8) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        match find_outside(text, &[mark]) {
            Some(at) => {
                let (part, after) = text.split_at_checked(at)?;
                rest = after.get(1..);
                Some(part)
            }
            None => {
                rest = None;
                Some(text)
            }
        }
    })
}

/// The parts of a style sheet or block without comments.
pub(super) fn items(css: &str) -> impl Iterator<Item = Item<'_>> {
    let mut rest = css;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '}'));
        if rest.is_empty() {
            return None;
        }
        let at = find_outside(rest, b";{}").unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(at)?;
        let text = text.trim();
        let Some(block) = after.strip_prefix('{') else {
            rest = after;
            return Some(Item::Statement(text));
        };
        let end = find_outside(block, b"}").unwrap_or(block.len());
        let (body, after) = block.split_at_checked(end)?;
        rest = after;
        Some(Item::Block {
            prelude: text,
            body,
        })
    })
}

/// Parses a statement as a declaration.
pub(super) fn declaration(statement: &str) -> Option<Declaration<'_>> {
    let (name, value) = statement.split_once(':')?;
    let value = value.trim();
    let flag = value
        .rsplit_once('!')
        .filter(|(_, flag)| flag.trim().eq_ignore_ascii_case("important"));
    Some(Declaration {
        name: name.trim(),
        value: flag.map_or(value, |(value, _)| value.trim_end()),
        important: flag.is_some(),
    })
}

/// The declarations of a `style` attribute without comments.
pub(super) fn declarations(style: &str) -> impl Iterator<Item = Declaration<'_>> {
    items(style).filter_map(|item| match item {
        Item::Statement(statement) => declaration(statement),
        Item::Block { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_and_semicolons_in_strings_and_brackets_are_text() {
        let css = "a::before{content:'}';b:url(x;y)} @import 'x;y'; b{c:d";
        let found: Vec<_> = items(css).collect();
        let block = |prelude, body| Item::Block { prelude, body };
        assert_eq!(
            found,
            [
                block("a::before", "content:'}';b:url(x;y)"),
                Item::Statement("@import 'x;y'"),
                block("b", "c:d"),
            ]
        );
    }

    #[test]
    fn addresses_with_brackets_and_quotes_are_one_token() {
        for address in [
            "'a).png'",
            "\"a}(.png\"",
            "it's.png",
            "data:image/svg+xml,<g{}/>",
            "a\\).png",
            "",
        ] {
            let css = format!("a{{background:url({address})}} b{{c:d}}");
            assert_eq!(items(&css).count(), 2, "{css}");
        }
    }

    #[test]
    fn comments_separate_tokens_and_hide_braces() {
        assert_eq!(without_comments("a/*}*/b{'/*'}/*"), "a b{'/*'} ");
        assert_eq!(without_comments("a{}"), "a{}");
    }

    #[test]
    fn importance_is_separated_from_the_value() {
        let found: Vec<_> = declarations("display : none ! IMPORTANT; color: red;x").collect();
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].name, found[0].value, found[0].important),
            ("display", "none", true)
        );
        assert!(!found[1].important);
    }

    #[test]
    fn malformed_sheets_terminate() {
        for css in ["{", "}", "a{b{c{", "'", "a\\", ";;", "(]{}", "é{ü:'", "\\é"] {
            assert!(items(css).count() <= 4, "{css}");
        }
    }
}
