//! The scores of a report without their sums.

use super::{Report, Variant};
use crate::Dimension;

/// The scores of a report in both variants, without the sums behind them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scores {
    /// The version of the scoring model; scores of different versions cannot be compared.
    pub version: u32,
    /// The overall score of all six dimensions, 0 to 100.
    pub overall: u8,
    /// The overall score of the first five, 0 to 100.
    pub overall_legacy: u8,
    /// The subscores, 0 to 100, in the order of [`Dimension::ALL`]; the same in both variants.
    pub subscores: [u8; 6],
}

impl Scores {
    /// The scores of one report in its two shapes.
    #[must_use]
    pub fn new(current: &Report, legacy: &Report) -> Self {
        let subscore = |dimension| {
            let score = current.score.dimensions.get(&dimension);
            score.map_or(100, |score| score.subscore)
        };
        Self {
            version: current.score.version,
            overall: current.score.overall,
            overall_legacy: legacy.score.overall,
            subscores: Dimension::ALL.map(subscore),
        }
    }

    /// The overall score of a variant.
    #[must_use]
    pub const fn overall(&self, variant: Variant) -> u8 {
        match variant {
            Variant::Current => self.overall,
            Variant::Legacy => self.overall_legacy,
        }
    }

    /// The subscores of a variant, in the order in which they are shown.
    pub fn subscores(&self, variant: Variant) -> impl Iterator<Item = (Dimension, u8)> + '_ {
        variant
            .dimensions()
            .iter()
            .zip(self.subscores)
            .map(|(&dimension, score)| (dimension, score))
    }
}
