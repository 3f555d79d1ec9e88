//! Text that style sheets generate before and after element content (CSS Generated Content Level 3).

use crate::algorithms::readable::is_readable;

/// The selector of the originating element of a `::before` or `::after` rule; `None` for other rules.
pub(super) fn host(selector: &str) -> Option<String> {
    let lower = selector.to_ascii_lowercase();
    let at = [":before", ":after"]
        .iter()
        .filter_map(|part| lower.rfind(part))
        .max()?;
    let host = selector.get(..at)?;
    let host = host.strip_suffix(':').unwrap_or(host);
    // After a bare combinator or at the start, the pseudo-element belongs to any element there.
    let is_any = host.is_empty() || host.ends_with([' ', '\t', '\n', '\r', '>', '+', '~']);
    Some(if is_any {
        format!("{host}*")
    } else {
        host.to_owned()
    })
}

/// Whether a value of `content` may generate text. Private-use characters, which icon fonts use, do not count.
pub(super) fn may_generate_text(content: &str) -> bool {
    let mut depth = 0_usize;
    let mut word = String::new();
    let mut chars = content.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => {
                let text = string(&mut chars, c);
                if depth == 0 && text.chars().any(is_readable) {
                    return true;
                }
            }
            '(' => {
                if depth == 0 && is_of_unknown_text(&word) {
                    return true;
                }
                depth += 1;
            }
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c.is_ascii_alphanumeric() || c == '-' {
            word.push(c.to_ascii_lowercase());
        } else {
            word.clear();
        }
    }
    false
}

fn is_of_unknown_text(function: &str) -> bool {
    matches!(function, "attr" | "counter" | "counters" | "var" | "env")
}

/// The content of a string after its opening quote, with escapes resolved.
fn string(chars: &mut std::str::Chars<'_>, end: char) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(escaped(chars)),
            _ if c == end || c == '\n' => break,
            _ => text.push(c),
        }
    }
    text
}

fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    let digits: String = chars
        .clone()
        .take_while(char::is_ascii_hexdigit)
        .take(6)
        .collect();
    if digits.is_empty() {
        return chars.next();
    }
    for _ in digits.chars() {
        chars.next();
    }
    let mut ahead = chars.clone();
    if ahead.next().is_some_and(char::is_whitespace) {
        *chars = ahead;
    }
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_attributes_and_counters_generate_text() {
        for content in [
            "\"Close\"",
            "'\\d7'",
            "'\\2192 '",
            "attr(data-label)",
            "counter(step) '. '",
            "var(--label)",
            "url('x.svg') / 'Close'",
            "'\\e900' 'x'",
        ] {
            assert!(may_generate_text(content), "{content}");
        }
    }

    #[test]
    fn icons_images_and_empty_strings_generate_no_text() {
        for content in [
            "",
            "none",
            "normal",
            "\"\"",
            "' '",
            "'\\f00d'",
            "\"\\e900\"",
            "'\u{f101}'",
            "'\\200B'",
            "url('close.svg')",
            "url(attr.svg)",
            "linear-gradient(red, blue)",
            "'",
            "'\\",
        ] {
            assert!(!may_generate_text(content), "{content}");
        }
    }

    #[test]
    fn the_originating_element_precedes_the_pseudo_element() {
        for (selector, expected) in [
            ("a::after", Some("a")),
            ("a.b > i:Before", Some("a.b > i")),
            ("::before", Some("*")),
            (".a ::before", Some(".a *")),
            ("[href^=\"x:after\"]::before", Some("[href^=\"x:after\"]")),
            ("a::marker", None),
            ("a", None),
        ] {
            assert_eq!(host(selector).as_deref(), expected, "{selector}");
        }
    }
}
