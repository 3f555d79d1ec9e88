//! The overall score as a badge, for a README.

use crate::wording::score::Band;

const LABEL: &str = "Assay";
/// Pixels of a character at 11 px, on average.
const CHARACTER: usize = 7;
/// Pixels beside a text.
const PADDING: usize = 8;

/// An SVG image of an overall score: `Assay | 85 fair`. It needs no font and no other file.
#[must_use]
pub fn badge(overall: u8) -> String {
    let band = Band::from_score(overall);
    let (word, color) = match band {
        Band::Good => (band.word(), "#1a7f4b"),
        Band::Fair => (band.word(), "#a15c00"),
        Band::Poor => (band.word(), "#b3261e"),
    };
    let score = format!("{overall} {word}");
    let (label_length, score_length) = (LABEL.len() * CHARACTER, score.len() * CHARACTER);
    let (left, right) = (label_length + 2 * PADDING, score_length + 2 * PADDING);
    let width = left + right;
    let score_at = left + PADDING;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"20\" role=\"img\" \
         aria-label=\"{LABEL}: {score}\"><title>{LABEL}: {score}</title>\
         <rect width=\"{width}\" height=\"20\" rx=\"3\" fill=\"#1b2430\"/>\
         <path d=\"M{left} 0H{right_edge}a3 3 0 0 1 3 3V17a3 3 0 0 1-3 3H{left}z\" fill=\"{color}\"/>\
         <g fill=\"#ffffff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\
         <text x=\"{PADDING}\" y=\"14\" textLength=\"{label_length}\">{LABEL}</text>\
         <text x=\"{score_at}\" y=\"14\" textLength=\"{score_length}\">{score}</text></g></svg>\n",
        right_edge = width - 3,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_is_a_text_and_a_color_of_its_band() {
        for (score, text, color) in [
            (100, "100 good", "#1a7f4b"),
            (85, "85 fair", "#a15c00"),
            (7, "7 poor", "#b3261e"),
        ] {
            let svg = badge(score);
            assert!(
                svg.contains(&format!("<title>Assay: {text}</title>")),
                "{svg}"
            );
            assert!(svg.contains(&format!(">{text}</text>")), "{svg}");
            assert!(svg.contains(color), "{svg}");
        }
    }
}
