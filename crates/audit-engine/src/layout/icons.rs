//! Texts that a font shows as pictures.

use super::Layout;
use crate::dom::NodeId;

/// A text of at least this many letters that is not much wider than its font is high is one sign: fonts of icons show a
/// picture in place of a word.
const MIN_LETTERS_OF_ICON: usize = 4;
const MAX_WIDTH_OF_ICON: f64 = 1.3;

/// What the names of fonts of icons have in them.
const ICON_FONTS: [&str; 5] = ["icon", "symbols", "awesome", "glyph", "emoji"];

impl Layout {
    /// Whether a font shows the text of this element as a picture.
    pub(crate) fn shows_icon(&self, element: NodeId, text: &str) -> bool {
        let runs = self.runs(element);
        let Some(style) = runs.first().and_then(|run| self.style_of_run(run)) else {
            return false;
        };
        let font = style.first_font().to_ascii_lowercase();
        if ICON_FONTS.iter().any(|part| font.contains(part)) {
            return true;
        }
        let [run] = runs else {
            return false;
        };
        let letters = text.trim().chars().count();
        let is_one_word = !text.trim().contains(char::is_whitespace);
        let height = style.font_size.unwrap_or_default();
        is_one_word
            && letters >= MIN_LETTERS_OF_ICON
            && f64::from(run.rect.width()) <= height * MAX_WIDTH_OF_ICON
    }
}
