//! Text that a terminal shows and never obeys.
//!
//! Pages choose their own words: a title may hold an escape sequence that clears the screen, sets
//! the window's title or writes to the clipboard, or a mark that turns the direction of the line
//! around so that it reads as something else. Such characters are shown by their number.

/// The text on one line, with everything invisible or obeyed by a terminal shown as `\u{…}`.
///
/// Line breaks, tabs and runs of spaces become one space.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let words = text
        .split([' ', '\t', '\n', '\r'])
        .filter(|word| !word.is_empty());
    for word in words {
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            if is_obeyed(character) {
                line.extend(character.escape_unicode());
            } else {
                line.push(character);
            }
        }
    }
    line
}

/// Whether a character is a terminal control character or changes how other text is displayed.
fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            // Invisible and direction marks: soft hyphen, Arabic letter mark, Mongolian vowel
            // separator, zero-width characters and marks, embeddings and overrides, invisible
            // operators and isolates, byte order mark.
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}'
                // Breaks that are not the terminal's own: line and paragraph separator.
                | '\u{2028}' | '\u{2029}'
                // Annotation characters, noncharacters, tags, and the replaced object.
                | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("\u{1b}[2J\u{1b}]0;owned\u{7}x", r"\u{1b}[2J\u{1b}]0;owned\u{7}x")]
    #[case("\u{9b}31m", r"\u{9b}31m")]
    #[case("abc\u{202e}gpj.exe", r"abc\u{202e}gpj.exe")]
    #[case(
        "\u{2066}a\u{2069}\u{200f}\u{61c}",
        r"\u{2066}a\u{2069}\u{200f}\u{61c}"
    )]
    #[case("a\u{8}\u{7f}\u{0}", r"a\u{8}\u{7f}\u{0}")]
    #[case("one\r\ntwo\tthree  four", "one two three four")]
    #[case("a\u{2028}b\u{feff}", r"a\u{2028}b\u{feff}")]
    #[case("\u{e0041}", r"\u{e0041}")]
    #[case("Zürich 東京 שלום 🚢", "Zürich 東京 שלום 🚢")]
    fn what_a_terminal_obeys_is_shown(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(plain(text), expected);
    }

    #[test]
    fn no_character_of_the_first_planes_gets_through_as_a_command() {
        for character in '\0'..='\u{ffff}' {
            let text = plain(&character.to_string());
            let obeyed = text.bytes().any(|byte| byte < 0x20 || byte == 0x7f);
            assert!(!obeyed, "{character:?}");
            assert!(!text.chars().any(char::is_control), "{character:?}");
        }
    }
}
