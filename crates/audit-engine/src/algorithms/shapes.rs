//! A filter for words of a list, by first letter and length.

/// The first letters and lengths of a list's words. Few other words match them.
#[derive(Debug)]
pub(crate) struct Shapes {
    /// For each letter, the lengths in bytes of the words that start with it, as bits.
    lengths: [u32; 26],
}

impl Shapes {
    /// Builds the filter. Words that do not start with an ASCII letter, or are longer than 31 bytes,
    /// are ignored.
    pub(crate) fn from_words(words: &[&str]) -> Self {
        let mut lengths = [0; 26];
        for word in words {
            if let Some(of_letter) = letter(word).and_then(|letter| lengths.get_mut(letter)) {
                *of_letter |= bit(word);
            }
        }
        Self { lengths }
    }

    /// Whether a word in the list may equal this one: same first letter, ignoring case, and same
    /// length.
    pub(crate) fn may_have(&self, word: &str) -> bool {
        letter(word)
            .and_then(|letter| self.lengths.get(letter))
            .is_some_and(|lengths| lengths & bit(word) != 0)
    }
}

/// The index of the word's first letter in the alphabet, from 0.
fn letter(word: &str) -> Option<usize> {
    let first = word.bytes().next()?.to_ascii_lowercase();
    first.checked_sub(b'a').map(usize::from)
}

/// The bit for the word's length; zero for very long words.
fn bit(word: &str) -> u32 {
    if word.len() < 32 { 1 << word.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_the_list_match_and_few_others_do() {
        let shapes = Shapes::from_words(&["nav", "Menu", "zebra"]);
        for word in ["nav", "NAV", "menu", "Zebra", "new"] {
            assert!(shapes.may_have(word), "{word}");
        }
        for word in ["", "na", "navy", "é", "1st", "{av", "menus"] {
            assert!(!shapes.may_have(word), "{word}");
        }
        let long = "a".repeat(40);
        assert!(!Shapes::from_words(&[&long]).may_have(&long));
    }
}
