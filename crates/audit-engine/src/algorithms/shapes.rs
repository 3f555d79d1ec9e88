//! Which words may be one of a list, by a look at their first letter and their length.

/// The first letters and the lengths of the words of a list. Few other words have such a beginning and
/// such a length.
#[derive(Debug)]
pub(crate) struct Shapes {
    /// For each letter, the lengths in bytes of the words that begin with it, as bits.
    lengths: [u32; 26],
}

impl Shapes {
    /// The shapes of these words. One that begins with no letter of ASCII, or that has more than 31
    /// bytes, is not among them.
    pub(crate) fn of(words: &[&str]) -> Self {
        let mut lengths = [0; 26];
        for word in words {
            if let Some(of_letter) = letter(word).and_then(|letter| lengths.get_mut(letter)) {
                *of_letter |= bit(word);
            }
        }
        Self { lengths }
    }

    /// Whether a word of the list has this one's first letter, in whatever case, and its length.
    pub(crate) fn may_have(&self, word: &str) -> bool {
        letter(word)
            .and_then(|letter| self.lengths.get(letter))
            .is_some_and(|lengths| lengths & bit(word) != 0)
    }
}

/// The number of the word's first letter in the alphabet, from 0.
fn letter(word: &str) -> Option<usize> {
    let first = word.bytes().next()?.to_ascii_lowercase();
    first.checked_sub(b'a').map(usize::from)
}

/// A bit for the word's length; none for very long words.
fn bit(word: &str) -> u32 {
    if word.len() < 32 { 1 << word.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_list_are_recognised_and_few_others() {
        let shapes = Shapes::of(&["nav", "Menu", "zebra"]);
        for word in ["nav", "NAV", "menu", "Zebra", "new"] {
            assert!(shapes.may_have(word), "{word}");
        }
        for word in ["", "na", "navy", "é", "1st", "{av", "menus"] {
            assert!(!shapes.may_have(word), "{word}");
        }
        let long = "a".repeat(40);
        assert!(!Shapes::of(&[&long]).may_have(&long));
    }
}
