//! The display width of a line of text.

use crate::common::measures::numbers::grouped;

/// The width in Latin characters. Chinese, Japanese and Korean characters have width two.
pub(crate) fn text_width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// The number of characters of a text for a finding, with its width if that differs.
pub(crate) fn described_width(text: &str) -> String {
    let (count, width) = (text.chars().count(), text_width(text));
    if count == width {
        format!("{} characters", grouped(width))
    } else {
        format!(
            "{} characters and is as wide as {}, because full-width characters count twice",
            grouped(count),
            grouped(width)
        )
    }
}

/// East Asian Width W and F, by block (Unicode Standard Annex 11).
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE6F}' | '\u{FF00}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}' | '\u{20000}'..='\u{3FFFD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ideographs_have_width_two() {
        assert_eq!(text_width("Ünï"), 3);
        assert_eq!(text_width("日本語"), 6);
    }

    #[test]
    fn a_width_that_is_not_the_number_of_characters_is_explained() {
        assert_eq!(described_width("Ünï"), "3 characters");
        let wide = "3 characters and is as wide as 6, because full-width characters count twice";
        assert_eq!(described_width("日本語"), wide);
        assert_eq!(described_width("ＡＢＣ"), wide);
    }
}
