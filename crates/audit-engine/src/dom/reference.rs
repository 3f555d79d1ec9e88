//! Character references in their common forms.

use html5ever::data::NAMED_ENTITIES;

/// The longest name of the standard is `CounterClockwiseContourIntegral;`.
const MAX_NAME: usize = 32;

/// Resolves the character references of a text; the first one is at `first`. `None` if a reference has
/// no semicolon, is unknown, or denotes an invalid character.
pub(super) fn decoded(written: &str, first: usize) -> Option<String> {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    let mut next = Some(first);
    while let Some(at) = next {
        text.push_str(rest.get(..at)?);
        rest = rest.get(at + 1..)?;
        let length = one(rest, &mut text)?;
        rest = rest.get(length..)?;
        next = memchr::memchr(b'&', rest.as_bytes());
    }
    text.push_str(rest);
    Some(text)
}

/// Appends the character for the reference after `&`, and returns the length of the reference.
fn one(rest: &str, text: &mut String) -> Option<usize> {
    match rest.bytes().next() {
        Some(b'#') => {
            let (character, length) = numeric(rest.get(1..)?)?;
            text.push(character);
            Some(length + 1)
        }
        Some(byte) if byte.is_ascii_alphanumeric() => {
            let end = rest
                .bytes()
                .take(MAX_NAME)
                .position(|byte| !byte.is_ascii_alphanumeric())?;
            let name = rest.get(..=end).filter(|name| name.ends_with(';'))?;
            named(name, text)?;
            Some(name.len())
        }
        // An ampersand that starts no reference.
        _ => {
            text.push('&');
            Some(0)
        }
    }
}

fn named(name: &str, text: &mut String) -> Option<()> {
    let character = match name {
        "lt;" => '<',
        "gt;" => '>',
        "amp;" => '&',
        "quot;" => '"',
        "nbsp;" => '\u{a0}',
        _ => {
            let (first, second) = *NAMED_ENTITIES.get(name)?;
            // The table also contains prefixes of names.
            let first = char::from_u32(first).filter(|first| *first != '\0')?;
            text.push(first);
            if let Some(second) = char::from_u32(second).filter(|second| *second != '\0') {
                text.push(second);
            }
            return Some(());
        }
    };
    text.push(character);
    Some(())
}

/// The number after `&#`, and its length including the semicolon.
fn numeric(rest: &str) -> Option<(char, usize)> {
    let (digits, radix, before) = match rest.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16, 1),
        None => (rest, 10, 0),
    };
    let length = digits
        .bytes()
        .take(8)
        .position(|byte| !char::from(byte).is_digit(radix))?;
    if length == 0 || digits.as_bytes().get(length) != Some(&b';') {
        return None;
    }
    let number = u32::from_str_radix(digits.get(..length)?, radix).ok()?;
    let plain = matches!(number, 0x09 | 0x0a | 0x20..=0x7e | 0xa0..=0xfdcf | 0xfdf0..=0x10_ffff)
        && number & 0xfffe != 0xfffe;
    let character = char::from_u32(number).filter(|_| plain)?;
    Some((character, before + length + 1))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("a&lt;b", Some("a<b"))]
    #[case("&amp;amp;", Some("&amp;"))]
    #[case("&#65;&#x42;&#X43;", Some("ABC"))]
    #[case("&NotEqualTilde;", Some("\u{2242}\u{338}"))]
    #[case("a & b", Some("a & b"))]
    #[case("a&", Some("a&"))]
    #[case("&=", Some("&="))]
    #[case("&amp", None)]
    #[case("&copy=1", None)]
    #[case("?a=1&b=2", None)]
    #[case("&unknown;", None)]
    #[case("&NotEqualTild;", None)]
    #[case("&#0;", None)]
    #[case("&#128;", None)]
    #[case("&#xd800;", None)]
    #[case("&#xffff;", None)]
    #[case("&#13;", None)]
    #[case("&#;", None)]
    #[case("&#65", None)]
    #[case("&#00000065;", None)]
    fn common_references_are_resolved_and_others_are_rejected(
        #[case] written: &str,
        #[case] expected: Option<&str>,
    ) {
        let first = written.find('&').unwrap_or_default();
        assert_eq!(decoded(written, first).as_deref(), expected);
    }
}
