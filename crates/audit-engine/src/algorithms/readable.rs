//! Characters that have a meaning.

/// Whether a character says something when it is read: not if it is white space, or the icon of a font, whose character has
/// no meaning of its own (Unicode, private use areas).
pub(crate) fn is_readable(c: char) -> bool {
    let is_private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{ffffd}' | '\u{100000}'..='\u{10fffd}');
    let is_unseen = c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}'
        );
    !is_private && !is_unseen
}

/// Whether a text has at least two signs, of which one is a letter or a digit.
pub(crate) fn is_text(run: &str) -> bool {
    let signs = || run.chars().filter(|c| is_readable(*c));
    signs().nth(1).is_some() && signs().any(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_two_signs_and_a_letter_or_a_digit() {
        for text in ["3+", "OK", "ab c", "\u{2191} 7"] {
            assert!(is_text(text), "{text}");
        }
        for sign in ["", " x ", "\u{d7}", "--", "\u{f101}\u{f102}a"] {
            assert!(!is_text(sign), "{sign}");
        }
    }

    #[test]
    fn icons_and_white_space_say_nothing() {
        assert!(['a', '7', '→', '×', '語'].into_iter().all(is_readable));
        let silent = [
            ' ',
            '\n',
            '\u{200b}',
            '\u{ad}',
            '\u{f0c9}',
            '\u{f0001}',
            '\u{100001}',
        ];
        assert!(!silent.into_iter().any(is_readable));
    }
}
