//! Whether two short texts say the same, and how messages quote them.

use crate::algorithms::shortened::shortened;
use crate::page::text::is_dense_script;

/// The number of words of a short text that are compared. Titles and descriptions have fewer.
pub(crate) const MAX_COMPARED_WORDS: usize = 500;

/// The number of characters that are read for them.
pub(crate) const MAX_COMPARED_CHARS: usize = 10_000;

/// Of so many words one may differ.
const WORDS_PER_CHANGE: usize = 5;

/// The number of characters that a message quotes of a text.
const MAX_QUOTED_CHARS: usize = 100;

/// The words of a text, in lower case, at most [`MAX_COMPARED_WORDS`] of [`MAX_COMPARED_CHARS`]. Punctuation separates words, and words without a
/// letter are left out: they are counters, times and prices, which change without a change of meaning. In scripts without
/// spaces each character is a word.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let end = text.char_indices().nth(MAX_COMPARED_CHARS);
    let text = end.map_or(text, |(end, _)| text.split_at(end).0);
    for run in text.split(|c: char| !c.is_alphanumeric()) {
        let mut word = String::new();
        for c in run.chars() {
            if is_dense_script(c) {
                finish(&mut words, &mut word);
                word.push(c);
                finish(&mut words, &mut word);
            } else {
                word.extend(c.to_lowercase());
            }
        }
        finish(&mut words, &mut word);
        if words.len() >= MAX_COMPARED_WORDS {
            words.truncate(MAX_COMPARED_WORDS);
            break;
        }
    }
    words
}

/// Ends a word.
fn finish(words: &mut Vec<String>, word: &mut String) {
    if word.chars().any(char::is_alphabetic) {
        words.push(std::mem::take(word));
    } else {
        word.clear();
    }
}

/// Whether two texts say the same: their words are the same, in any order, but for one of five, and at least one may
/// differ if others are shared. So a text that an experiment or a counter varies is still the same.
pub(crate) fn says_the_same(a: &str, b: &str) -> bool {
    let (a, b) = (words(a), words(b));
    let mut left = b.clone();
    let shared = (a.iter())
        .filter(|word| {
            let found = left.iter().position(|other| other == *word);
            found.map(|place| left.swap_remove(place)).is_some()
        })
        .count();
    let longer = a.len().max(b.len());
    let changed = longer - shared;
    changed == 0 || (shared > 0 && changed <= (longer / WORDS_PER_CHANGE).max(1))
}

/// A text in quotation marks, shortened.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text, MAX_QUOTED_CHARS))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::counter("Inbox", "(3) Inbox")]
    #[case::counters("(12) Inbox", "(3) Inbox")]
    #[case::time("Departures at 12:45:03", "Departures at 12:46")]
    #[case::price("Bitcoin 67,123.45 | Exchange", "Bitcoin 67,121.00 | Exchange")]
    #[case::case_and_marks("Ferry Times – Island Line", "Ferry times | Island Line")]
    #[case::quotes("Don’t miss it", "Don't miss it")]
    #[case::one_word("Ferry times to the islands", "Ferry schedule to the islands")]
    #[case::one_more_word("Ferry times", "New: Ferry times")]
    #[case::order("Island Line: Ferries", "Ferries – Island Line")]
    #[case::signs_only("★", "★★")]
    #[case::dense("渡轮时刻表", "渡轮时间表")]
    fn texts_that_say_the_same(#[case] a: &str, #[case] b: &str) {
        assert!(says_the_same(a, b) && says_the_same(b, a));
    }

    #[rstest]
    #[case::placeholder("Loading…", "Ferries")]
    #[case::name_of_the_site("Island Line", "Ferry times – Island Line")]
    #[case::nothing("…", "Ferries")]
    #[case::two_words("Ferry times to Skye", "Ferry tickets to Mull")]
    #[case::dense("加载中", "渡轮时刻表")]
    fn texts_that_say_something_else(#[case] a: &str, #[case] b: &str) {
        assert!(!says_the_same(a, b) && !says_the_same(b, a));
    }

    #[test]
    fn words_are_compared_up_to_a_limit() {
        let long = "word ".repeat(MAX_COMPARED_WORDS + 10);
        assert_eq!(words(&long).len(), MAX_COMPARED_WORDS);
        assert!(says_the_same(
            &long,
            &format!("{long}{}", "other ".repeat(900))
        ));
        assert_eq!(words(&"字".repeat(2_000)).len(), MAX_COMPARED_WORDS);
        let one = words(&"x".repeat(2 * MAX_COMPARED_CHARS));
        assert_eq!(one[0].len(), MAX_COMPARED_CHARS);
    }

    #[test]
    fn quotations_are_short() {
        assert_eq!(quoted("a"), "\"a\"");
        assert_eq!(
            quoted(&"ü".repeat(300)).chars().count(),
            MAX_QUOTED_CHARS + 3
        );
    }
}
