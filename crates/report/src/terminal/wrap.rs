//! Lines that fit the terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The words of a text in lines of at most `width` columns.
///
/// A longer word is broken, except for a URL: it stays whole, so that it can be opened.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        for piece in pieces(word, width) {
            if line.is_empty() {
                line = piece;
            } else if columns(&line) + 1 + columns(&piece) <= width {
                line.push(' ');
                line.push_str(&piece);
            } else {
                lines.push(std::mem::replace(&mut line, piece));
            }
        }
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The text cut to a number of columns, with an ellipsis where something is missing.
pub(super) fn shortened(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    for character in text.chars() {
        if columns(&short) + character.width().unwrap_or(0) >= width {
            break;
        }
        short.push(character);
    }
    short.push('…');
    short
}

fn pieces(word: &str, width: usize) -> Vec<String> {
    if columns(word) <= width || word.contains("://") {
        return vec![word.to_owned()];
    }
    let mut pieces = Vec::new();
    let mut piece = String::new();
    let mut taken = 0;
    for character in word.chars() {
        let wide = character.width().unwrap_or(0);
        if taken + wide > width && !piece.is_empty() {
            pieces.push(std::mem::take(&mut piece));
            taken = 0;
        }
        piece.push(character);
        taken += wide;
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_lines() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert!(wrap("  ", 7).is_empty());
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!(wrap("東京都港区", 6), ["東京都", "港区"]);
    }

    #[test]
    fn marks_that_combine_take_none() {
        assert_eq!(
            wrap("e\u{301}e\u{301} e\u{301}", 4),
            ["e\u{301}e\u{301} e\u{301}"]
        );
    }

    #[test]
    fn a_url_stays_whole() {
        let url = "https://example.com/a/long/path";
        assert_eq!(wrap(&format!("see {url}"), 12), ["see", url]);
    }

    #[test]
    fn a_text_too_long_is_cut() {
        assert_eq!(shortened("abcdef", 6), "abcdef");
        assert_eq!(shortened("abcdefg", 6), "abcde…");
        assert_eq!(shortened("東京都港区", 6), "東京…");
    }
}
