//! Lines that fit the terminal.

use std::borrow::Cow;

use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// The words of a text in lines of at most `width` columns.
///
/// A longer word is broken, except for a URL: it stays whole, so that it can be opened.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    let words = text.split_whitespace().map(Word::from);
    let pieces = words.flat_map(|word| match word.contains("://") {
        true => vec![word],
        false => word.break_apart(width).collect(),
    });
    let pieces: Vec<&str> = pieces.map(|piece| piece.word).collect();
    if pieces.is_empty() {
        return Vec::new();
    }
    let options = Options::new(width)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation);
    let text = pieces.join(" ");
    let lines = textwrap::wrap(&text, options).into_iter();
    lines.map(Cow::into_owned).collect()
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
