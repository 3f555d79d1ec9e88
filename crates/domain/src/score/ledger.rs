//! The sums of one run, kept open so that "what if" can be asked.

use std::collections::BTreeMap;

use super::{Cap, CheckScore, CheckTally, DimensionScore, DimensionWeights, Exact, Score};
use crate::Dimension;

/// The added-up tallies of a run: gives its [`Score`] and what a fix would bring.
#[derive(Debug)]
pub struct Ledger<'a> {
    caps: &'a [Cap],
    weights: DimensionWeights,
    sheets: BTreeMap<Dimension, Sheet<'a>>,
}

/// One dimension's tallies and their sum.
#[derive(Debug)]
struct Sheet<'a> {
    tallies: Vec<&'a CheckTally>,
    sum_of_weights: u64,
    /// The subscore before rounding and caps.
    points: Exact,
}

impl<'a> Ledger<'a> {
    /// Adds the tallies up, for the dimensions asked for.
    ///
    /// Weights that leave all of these dimensions at 0 count as equal weights.
    #[must_use]
    pub fn new(
        tallies: &'a [CheckTally],
        caps: &'a [Cap],
        weights: &DimensionWeights,
        dimensions: &[Dimension],
    ) -> Self {
        let sheets = dimensions
            .iter()
            .map(|&dimension| (dimension, Sheet::new(dimension, tallies)))
            .collect();
        Self {
            caps,
            weights: weights.usable_for(dimensions.iter().copied()),
            sheets,
        }
    }

    /// The scores with the sums behind them.
    #[must_use]
    pub fn score(&self) -> Score {
        let dimensions: BTreeMap<_, _> = self
            .sheets
            .iter()
            .map(|(&dimension, sheet)| (dimension, self.dimension_score(dimension, sheet)))
            .collect();
        let overall = self.mean(
            dimensions
                .iter()
                .map(|(&dimension, score)| (dimension, Exact::whole(score.subscore.into()))),
        );
        Score {
            overall: overall.to_score(),
            dimensions,
            weights: self.weights,
        }
    }

    /// The points the overall score gains when the check regains this much of what it lost, to two
    /// decimals. Subscores are not rounded on the way, so that a small fix is worth something.
    ///
    /// A cap stays until the check that set it has regained all it lost.
    #[must_use]
    pub fn gain(&self, check_id: &str, regained_hundredths: u64) -> f64 {
        let change = |(&dimension, sheet): (&Dimension, &Sheet<'_>)| {
            let gained = sheet.gained(check_id, regained_hundredths);
            let cap = lowest_cap(self.caps, dimension, |_| true);
            if cap.is_none() {
                return (dimension, gained);
            }
            let cap_after = lowest_cap(self.caps, dimension, |cap| {
                cap.check_id != check_id || !self.is_fixed_by(check_id, regained_hundredths)
            });
            let before = capped(sheet.points.clone(), cap);
            let after = capped(sheet.points.plus(&gained), cap_after);
            (dimension, after.minus(&before))
        };
        self.mean(self.sheets.iter().map(change)).to_hundredths()
    }

    fn is_fixed_by(&self, check_id: &str, regained: u64) -> bool {
        self.sheets
            .values()
            .flat_map(|sheet| &sheet.tallies)
            .any(|tally| tally.check_id == check_id && lost(tally) > 0 && regained >= lost(tally))
    }

    fn dimension_score(&self, dimension: Dimension, sheet: &Sheet<'_>) -> DimensionScore {
        let cap = lowest_cap(self.caps, dimension, |_| true);
        DimensionScore {
            subscore: capped(sheet.points.clone(), cap).to_score(),
            sum_of_weights: sheet.sum_of_weights,
            cap: cap.cloned(),
            checks: sheet
                .tallies
                .iter()
                .map(|tally| check_score(tally, sheet.sum_of_weights))
                .collect(),
        }
    }

    /// The weighted mean over dimensions.
    fn mean(&self, values: impl Iterator<Item = (Dimension, Exact)>) -> Exact {
        let mut sum = Exact::zero();
        let mut sum_of_weights = Exact::zero();
        for (dimension, value) in values {
            let weight = Exact::whole(self.weights.get(dimension).into());
            sum = sum.plus(&value.times(&weight));
            sum_of_weights = sum_of_weights.plus(&weight);
        }
        sum.over(&sum_of_weights)
    }
}

impl<'a> Sheet<'a> {
    fn new(dimension: Dimension, tallies: &'a [CheckTally]) -> Self {
        let mut tallies: Vec<_> = tallies
            .iter()
            .filter(|tally| tally.dimension == dimension && tally.applicable > 0)
            .collect();
        tallies.sort();
        let sum_of_weights = tallies.iter().map(|tally| u64::from(tally.weight)).sum();
        let deducted = tallies
            .iter()
            .map(|tally| deduction(tally, lost(tally), sum_of_weights))
            .sum();
        Self {
            tallies,
            sum_of_weights,
            points: Exact::whole(100).minus(&deducted),
        }
    }

    /// The points of this dimension that come back with the hundredths.
    fn gained(&self, check_id: &str, regained: u64) -> Exact {
        self.tallies
            .iter()
            .filter(|tally| tally.check_id == check_id)
            .map(|tally| deduction(tally, regained.min(lost(tally)), self.sum_of_weights))
            .sum()
    }
}

fn lost(tally: &CheckTally) -> u64 {
    tally
        .lost_hundredths
        .min(tally.applicable.saturating_mul(100))
}

/// The points of a dimension that `lost` hundredths of a check cost.
///
/// 100 × weight × (lost / (100 × applicable)) / sum of weights, in which the hundreds cancel out.
fn deduction(tally: &CheckTally, lost: u64, sum_of_weights: u64) -> Exact {
    Exact::whole(tally.weight.into())
        .times(&Exact::fraction(lost, tally.applicable))
        .over(&Exact::whole(sum_of_weights))
}

fn check_score(tally: &CheckTally, sum_of_weights: u64) -> CheckScore {
    let lost_part = Exact::fraction(lost(tally), tally.applicable).over(&Exact::whole(100));
    CheckScore {
        check_id: tally.check_id.clone(),
        weight: tally.weight,
        applicable: tally.applicable,
        affected: tally.affected.min(tally.applicable),
        score: Exact::whole(1).minus(&lost_part),
        deduction: deduction(tally, lost(tally), sum_of_weights),
    }
}

/// The cap that holds a dimension down most; of equal ones the first by check and reason.
fn lowest_cap(caps: &[Cap], dimension: Dimension, counts: impl Fn(&Cap) -> bool) -> Option<&Cap> {
    caps.iter()
        .filter(|cap| cap.dimension == dimension && counts(cap))
        .min_by_key(|cap| (cap.maximum, &cap.check_id, &cap.reason))
}

pub(super) fn capped(points: Exact, cap: Option<&Cap>) -> Exact {
    match cap {
        Some(cap) => points.min(Exact::whole(cap.maximum.into())),
        None => points,
    }
}
