//! The steps of a calculation, one by one, for people who check it with a pocket calculator.

use super::exact::Exact;
use super::ledger::{counted, harmonic_mean};
use super::{CheckScore, DimensionScore, Score, Share};
use crate::{Dimension, SubjectKind};

/// A step of a dimension's product: a failing check of the site, an origin or resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreStep<'a> {
    /// The check.
    pub check: &'a CheckScore,
    /// What it leaves of the score: 1 − penalty × reach.
    pub factor: Share,
    /// The score after the step.
    pub result: Share,
}

/// A dimension in the overall score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverallTerm {
    /// The dimension.
    pub dimension: Dimension,
    /// What it counts.
    pub weight: u32,
    /// Its score in points as the overall score counts it: unrounded, and at least 1.
    pub points: f64,
    /// `weight / points`.
    pub quotient: f64,
}

impl DimensionScore {
    /// The steps from the mean of the page scores to the score before the cap, in the order in which they are
    /// multiplied. A check without failures has none. Scores of version 1 are sums and have no steps.
    #[must_use]
    pub fn steps(&self) -> Vec<ScoreStep<'_>> {
        let wide = self.checks.iter();
        let wide = wide.filter(|check| check.subject != SubjectKind::Page && check.failed > 0);
        wide.scan(self.pages.mean(), |score, check| {
            let factor = check.penalty.times(check.reach).complement();
            *score = score.times(factor);
            Some(ScoreStep {
                check,
                factor,
                result: *score,
            })
        })
        .collect()
    }
}

impl Score {
    /// The terms of the weighted harmonic mean, in the order in which dimensions are shown.
    #[must_use]
    pub fn overall_terms(&self) -> Vec<OverallTerm> {
        let dimensions = self.dimensions.iter();
        dimensions
            .map(|(&dimension, score)| {
                let weight = self.weights.get(dimension);
                let points = counted(score.score);
                OverallTerm {
                    dimension,
                    weight,
                    points: points.to_f64(),
                    quotient: Exact::whole(weight.into()).over(&points).to_f64(),
                }
            })
            .collect()
    }

    /// The overall score before it is rounded, from the numbers of the score alone. Scores of version 1 have
    /// another mean.
    #[must_use]
    pub fn unrounded_overall(&self) -> f64 {
        let scores = self.dimensions.iter();
        let scores = scores.map(|(&dimension, score)| (dimension, score.score));
        harmonic_mean(&self.weights, scores).to_f64()
    }
}
