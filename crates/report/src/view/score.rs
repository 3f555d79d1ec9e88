//! Scores with their bands.

use domain::report::Report;

use crate::scored::Scored;
use crate::wording::score::Band;

/// A score.
pub struct ScoreView<'a> {
    /// Of what.
    pub label: &'static str,
    /// The score.
    pub score: u8,
    /// Its band.
    pub band: Band,
    /// Whether a cap holds it down.
    pub is_held: bool,
    /// What to know of the dimension, in words; may be empty.
    pub summary: &'a str,
}

impl ScoreView<'_> {
    pub(super) const fn overall(score: u8) -> Self {
        Self {
            label: "Overall",
            score,
            band: Band::from_score(score),
            is_held: false,
            summary: "",
        }
    }
}

/// The scores of the dimensions that mean something.
pub(super) fn dimensions<'a>(report: &'a Report, scored: &'a Scored) -> Vec<ScoreView<'a>> {
    let summaries = &report.summaries.dimensions;
    let dimensions = scored
        .dimensions(report)
        .map(|(dimension, score)| ScoreView {
            label: dimension.label(),
            score: score.subscore,
            band: Band::from_score(score.subscore),
            is_held: score.binding_cap().is_some(),
            summary: summaries.get(&dimension).map_or("", String::as_str),
        });
    dimensions.collect()
}
