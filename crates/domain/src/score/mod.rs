//! How verdicts become scores.
//!
//! A check's score is the part of its subjects that is in order. A dimension's subscore is the
//! weighted mean of its checks' scores out of 100, the overall score the weighted mean of the
//! subscores. Sums are exact and rounded half up once per printed number, so that a person with
//! the printed terms comes to the printed result:
//!
//! ```
//! use domain::Dimension;
//! use domain::score::{CheckTally, DimensionWeights, score};
//!
//! let tally = |check_id: &str, weight, affected| CheckTally {
//!     check_id: check_id.to_owned(),
//!     dimension: Dimension::Seo,
//!     weight,
//!     applicable: 8,
//!     affected,
//!     lost_hundredths: affected * 100,
//! };
//! let tallies = [tally("title-missing", 7, 2), tally("canonical-broken", 3, 0)];
//! let score = score(&tallies, &[], &DimensionWeights::default(), &[Dimension::Seo]);
//! // 100 × (7 × 6/8 + 3 × 1) / 10 = 82.5
//! assert_eq!(score.overall, 83);
//! ```

mod exact;
mod ledger;
mod tally;
mod weights;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use exact::Exact;
pub use ledger::Ledger;
pub use tally::{Cap, CheckTally};
pub use weights::DimensionWeights;

use crate::Dimension;
use ledger::capped;

/// The scores of a site, with every term of the sums that lead to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Score {
    /// The weighted mean of the subscores, 0 to 100.
    pub overall: u8,
    /// Each dimension that was asked for.
    pub dimensions: BTreeMap<Dimension, DimensionScore>,
    /// What each dimension counts in the overall score.
    pub weights: DimensionWeights,
}

/// One dimension's subscore and the sum behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionScore {
    /// What is left of 100 after all deductions and the cap, 0 to 100.
    pub subscore: u8,
    /// The weights of all checks that take part, added up.
    pub sum_of_weights: u64,
    /// The lowest cap on the dimension, also where the sum is below it.
    pub cap: Option<Cap>,
    /// The checks that take part, by id.
    pub checks: Vec<CheckScore>,
}

impl Score {
    /// The points the overall score gains when a check is fixed whole, to two decimals: what
    /// [`Ledger::gain`] answers, from the printed sums. These name the lowest cap of a dimension
    /// alone; where the check set it, the dimension is taken to have no other.
    #[must_use]
    pub fn gain_of_fixing(&self, check_id: &str) -> f64 {
        let mut checks = self.dimensions.values().flat_map(|score| &score.checks);
        let is_lost = |check: &CheckScore| check.score < Exact::whole(1);
        let lifts_cap = checks.any(|check| check.check_id == check_id && is_lost(check));
        let (mut gained, mut weights) = (Exact::zero(), Exact::zero());
        for (&dimension, score) in &self.dimensions {
            let weight = Exact::whole(self.weights.get(dimension).into());
            gained = gained.plus(&score.points_gained(check_id, lifts_cap).times(&weight));
            weights = weights.plus(&weight);
        }
        gained.over(&weights).to_hundredths()
    }
}

impl DimensionScore {
    /// The points that come back when a check is fixed whole, which may lift the cap that it set.
    fn points_gained(&self, check_id: &str, lifts_cap: bool) -> Exact {
        let lost: Exact = self.checks.iter().map(|check| &check.deduction).sum();
        let of_check = self
            .checks
            .iter()
            .filter(|check| check.check_id == check_id);
        let regained: Exact = of_check.map(|check| &check.deduction).sum();
        let points = Exact::whole(100).minus(&lost);
        let stays = |cap: &&Cap| !lifts_cap || cap.check_id != check_id;
        let before = capped(points.clone(), self.cap.as_ref());
        let after = capped(points.plus(&regained), self.cap.as_ref().filter(stays));
        after.minus(&before)
    }

    /// The subscore as it would be without the cap.
    #[must_use]
    pub fn uncapped(&self) -> u8 {
        let lost = self.checks.iter().map(|check| &check.deduction).sum();
        Exact::whole(100).minus(&lost).to_score()
    }

    /// The cap, where it is what holds the subscore down.
    #[must_use]
    pub fn binding_cap(&self) -> Option<&Cap> {
        let uncapped = self.uncapped();
        self.cap.as_ref().filter(|cap| cap.maximum < uncapped)
    }
}

/// One check's term in the sum of its dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckScore {
    /// The check.
    pub check_id: String,
    /// What it counts in its dimension.
    pub weight: u32,
    /// How many subjects it was applied to; never 0.
    pub applicable: u64,
    /// How many of them are not in order.
    pub affected: u64,
    /// The part of the subjects that is in order, from 0 to 1.
    pub score: Exact,
    /// The points deducted from the dimension's 100.
    pub deduction: Exact,
}

/// Scores the dimensions asked for.
///
/// Only tallies with subjects take part, and their order never matters. A dimension in which
/// nothing has weight scores 100. With the catalogue this cannot happen: each dimension has a
/// check of weight that applies to every page, and a run without a page has no score.
#[must_use]
pub fn score(
    tallies: &[CheckTally],
    caps: &[Cap],
    weights: &DimensionWeights,
    dimensions: &[Dimension],
) -> Score {
    Ledger::new(tallies, caps, weights, dimensions).score()
}

/// The points the overall score gains when a check regains `regained_hundredths` of what it lost,
/// nothing else changing; rounded half up to two decimals, but not to whole scores on the way.
///
/// [`Ledger::gain`] answers the same for many checks without adding up each time.
#[must_use]
pub fn gain(
    tallies: &[CheckTally],
    caps: &[Cap],
    weights: &DimensionWeights,
    dimensions: &[Dimension],
    check_id: &str,
    regained_hundredths: u64,
) -> f64 {
    Ledger::new(tallies, caps, weights, dimensions).gain(check_id, regained_hundredths)
}
