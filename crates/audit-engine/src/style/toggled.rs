//! Class names that commonly hide elements, and scripts that name them.

use crate::bounds::style::MAX_SCRIPT_BYTES;

/// Class names that common style sheets define as `display: none` or `visibility: hidden`.
const HIDING_CLASSES: [&str; 10] = [
    "hidden",
    "hide",
    "d-none",
    "is-hidden",
    "u-hidden",
    "invisible",
    "display-none",
    "dn",
    "ng-hide",
    "uk-hidden",
];

/// The longest string of a script in which class names are recognized, in bytes on each side of the name.
const LONGEST_STRING: usize = 200;

/// A set of class names that commonly hide elements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct HidingClasses(u16);

impl HidingClasses {
    /// Those in the value of a `class` attribute.
    pub(crate) fn in_attribute(classes: &str) -> Self {
        classes
            .split_ascii_whitespace()
            .filter_map(|class| HIDING_CLASSES.iter().position(|known| *known == class))
            .fold(Self::default(), Self::with)
    }

    /// Those that a script names in a string: alone, in a list of classes, or in a selector. Only the first
    /// [`MAX_SCRIPT_BYTES`] are read.
    pub(crate) fn named_by(script: &str) -> Self {
        let end = script.floor_char_boundary(MAX_SCRIPT_BYTES);
        let script = script.get(..end).unwrap_or_default();
        (0..HIDING_CLASSES.len())
            .filter(|place| {
                HIDING_CLASSES
                    .get(*place)
                    .is_some_and(|class| names(script, class))
            })
            .fold(Self::default(), Self::with)
    }

    const fn with(self, place: usize) -> Self {
        Self(self.0 | 1 << place)
    }

    /// The classes in either set.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The classes in both sets.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether the set contains no class.
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the classes.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'static str> {
        let all = HIDING_CLASSES.iter().enumerate();
        all.filter(move |(place, _)| self.0 & 1 << place != 0)
            .map(|(_, class)| *class)
    }
}

/// Whether a string of the script contains the class name.
fn names(script: &str, class: &str) -> bool {
    let mut from = 0;
    while let Some(at) = script.get(from..).and_then(|rest| rest.find(class)) {
        let (start, end) = (from + at, from + at + class.len());
        if is_in_string(script.as_bytes(), start, end) {
            return true;
        }
        from = end;
    }
    false
}

/// Whether the name between two positions is a whole word of a string with nothing but class names or selectors.
/// A value of `visibility` or `overflow` is no class name.
fn is_in_string(script: &[u8], start: usize, end: usize) -> bool {
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`');
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b' ' | b'-' | b'_' | b'.' | b':' | b'#' | b'>' | b'/' | b'[' | b']' | b',' | b'\\'
            )
    };
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
    let (before, after) = (script.get(..start), script.get(end..));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    if before.last().is_some_and(|byte| is_word(*byte))
        || after.first().is_some_and(|byte| is_word(*byte))
    {
        return false;
    }
    let left = before.iter().rev().take(LONGEST_STRING);
    let left = left.copied().take_while(|byte| is_part(*byte)).count();
    let right = after.iter().take(LONGEST_STRING);
    let right = right.copied().take_while(|byte| is_part(*byte)).count();
    let opens = before.len().checked_sub(left + 1);
    let opening = opens.and_then(|at| before.get(at).copied());
    let closing = after.get(right).copied();
    let is_string = opening.is_some_and(is_quote) && opening == closing;
    let near = opens.and_then(|at| before.get(at.saturating_sub(16)..at));
    let is_value = left == 0
        && near.is_some_and(|near| {
            let has = |word: &[u8]| near.windows(word.len()).any(|part| part == word);
            has(b"isibility") || has(b"verflow")
        });
    is_string && !is_value
}

/// The scripts that a page loads from its own site.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LinkedScripts {
    /// The hiding classes that one of them names.
    pub(crate) named: HidingClasses,
    /// Whether all scripts that the page loads were read, also those of other sites.
    pub(crate) is_complete: bool,
}

impl LinkedScripts {
    /// The facts about scripts, each with the classes that it names, or none if it was not read.
    pub(crate) fn of(scripts: impl Iterator<Item = Option<HidingClasses>>) -> Self {
        let mut found = Self {
            is_complete: true,
            ..Self::default()
        };
        for script in scripts {
            match script {
                Some(named) => found.named = found.named.or(named),
                None => found.is_complete = false,
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_in_strings() {
        for script in [
            "x.classList.toggle('hidden')",
            "x.className=\"menu hidden\"",
            "$('.menu.hidden > a').show()",
            "`a hidden b`",
            "[\"md:block\",\"hidden\"]",
        ] {
            let found = HidingClasses::named_by(script);
            assert_eq!(found, HidingClasses::in_attribute("hidden"), "{script}");
        }
    }

    #[test]
    fn other_words_are_no_class_names() {
        for script in [
            "x.hidden=true",
            "if(document.hidden){f('a')}",
            "f('unhidden','hidden-x','md:hidden')",
            "x.style.visibility='hidden'",
            "{overflow:\"hidden\"}",
            "$(x).css('visibility','hidden')",
            "'hidden.bs.modal-is-not-closed",
            "var hidden;",
        ] {
            let found = HidingClasses::named_by(script);
            assert!(found.is_empty(), "{script}");
        }
    }

    #[test]
    fn only_the_first_bytes_of_a_script_are_read() {
        let script = |before: usize| format!("{}'d-none'", " ".repeat(before));
        assert!(!HidingClasses::named_by(&script(1_000)).is_empty());
        assert!(HidingClasses::named_by(&script(MAX_SCRIPT_BYTES)).is_empty());
    }
}
