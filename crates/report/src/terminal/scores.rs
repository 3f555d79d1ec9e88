//! The scores with their bands.

use anstyle::Style;
use domain::report::Report;

use crate::scored::Scored;
use crate::wording::score::{Band, held};

use super::sheet::{BOLD, FAIR, GOOD, PLAIN, POOR, QUIET, Sheet};

const fn style(band: Band) -> Style {
    match band {
        Band::Good => GOOD,
        Band::Fair => FAIR,
        Band::Poor => POOR,
    }
}

pub(super) fn write(sheet: &mut Sheet, report: &Report, scored: &Scored) {
    if let Some(overall) = scored.overall(report) {
        row(sheet, overall, "Overall", BOLD, "");
        sheet.blank();
    }
    for (dimension, score) in scored.dimensions(report) {
        let held = held(score.binding_cap().is_some());
        row(sheet, score.subscore, dimension.label(), PLAIN, held);
    }
}

/// One score with its band, as every command shows it: `  ◕  85 fair  Overall`.
#[must_use]
pub fn score_line(score: u8, label: &str) -> String {
    format!("  {}  {label}", marked(score))
}

/// "◕  85 fair"
fn marked(score: u8) -> String {
    let band = Band::from_score(score);
    format!("{} {score:>3} {}", band.mark(), band.word())
}

fn row(sheet: &mut Sheet, score: u8, label: &str, label_style: Style, aside: &str) {
    let band = Band::from_score(score);
    sheet.row(&[
        ("  ", PLAIN),
        (&marked(score), style(band)),
        ("  ", PLAIN),
        (label, label_style),
        (aside, QUIET),
    ]);
}
