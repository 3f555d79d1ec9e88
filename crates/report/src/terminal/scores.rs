//! The scores with their bands.

use anstyle::Style;
use domain::report::Report;

use crate::export::Scored;

use super::sheet::{BOLD, FAIR, GOOD, PLAIN, POOR, QUIET, Sheet};

/// A third of the scale: a shape, a word and a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Band {
    mark: &'static str,
    word: &'static str,
    style: Style,
}

impl Band {
    const fn of(score: u8) -> Self {
        let (mark, word, style) = match score {
            90.. => ("●", "good", GOOD),
            50.. => ("◕", "fair", FAIR),
            _ => ("○", "poor", POOR),
        };
        Self { mark, word, style }
    }
}

pub(super) fn write(sheet: &mut Sheet, report: &Report, scored: &Scored) {
    if let Some(overall) = scored.overall(report) {
        row(sheet, overall, "Overall", BOLD, "");
        sheet.blank();
    }
    for (dimension, score) in scored.dimensions(report) {
        let held = score.binding_cap().map_or("", |_| ", held down by a cap");
        row(sheet, score.subscore, dimension.label(), PLAIN, held);
    }
}

fn row(sheet: &mut Sheet, score: u8, label: &str, style: Style, aside: &str) {
    let band = Band::of(score);
    sheet.row(&[
        ("  ", PLAIN),
        (
            &format!("{} {score:>3} {}", band.mark, band.word),
            band.style,
        ),
        ("  ", PLAIN),
        (label, style),
        (aside, QUIET),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_begin_at_50_and_90() {
        let words = [0, 49, 50, 89, 90, 100].map(|score| Band::of(score).word);
        assert_eq!(words, ["poor", "poor", "fair", "fair", "good", "good"]);
    }
}
