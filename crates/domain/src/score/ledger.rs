//! The products of one run, kept open so that "what if" can be asked.

use std::collections::BTreeMap;

use super::metrics::with_metrics;
use super::{
    Cap, CheckScore, CheckTally, DimensionScore, DimensionWeights, Exact, MetricTally, PageTotal,
    SCORING_VERSION, Score, Share, Tallies, penalty,
};
use crate::Dimension;

/// The tallies of a run, multiplied out: gives its [`Score`] and what a fix would bring.
#[derive(Debug)]
pub struct Ledger<'a> {
    caps: &'a [Cap],
    weights: DimensionWeights,
    sheets: BTreeMap<Dimension, Sheet<'a>>,
    overall: Exact,
}

/// One dimension's tallies and their product.
#[derive(Debug)]
struct Sheet<'a> {
    pages: PageTotal,
    /// The checks with a verdict, in the order of the catalogue.
    tallies: Vec<&'a CheckTally>,
    /// The metrics of measured pages; of performance alone.
    metrics: Option<&'a MetricTally>,
    /// The subscore before it is rounded to whole points, after the cap.
    score: Share,
}

impl<'a> Ledger<'a> {
    /// Multiplies the tallies out, for the dimensions asked for.
    ///
    /// Weights that leave all of these dimensions at 0 count as equal weights.
    #[must_use]
    pub fn new(
        tallies: &'a Tallies,
        caps: &'a [Cap],
        weights: &DimensionWeights,
        dimensions: &[Dimension],
    ) -> Self {
        let sheets: BTreeMap<_, _> = dimensions
            .iter()
            .map(|&dimension| (dimension, Sheet::new(dimension, tallies, caps)))
            .collect();
        let weights = weights.usable_for(dimensions.iter().copied());
        let scores = sheets
            .iter()
            .map(|(&dimension, sheet)| (dimension, sheet.score));
        Self {
            caps,
            weights,
            overall: harmonic_mean(&weights, scores),
            sheets,
        }
    }

    /// The scores with the factors behind them.
    #[must_use]
    pub fn score(&self) -> Score {
        Score {
            version: SCORING_VERSION,
            overall: self.overall.to_score(),
            dimensions: self
                .sheets
                .iter()
                .map(|(&dimension, sheet)| (dimension, self.dimension_score(dimension, sheet)))
                .collect(),
            weights: self.weights,
        }
    }

    /// The points the overall score gains if everything that the check found is fixed, rounded half up
    /// to two decimals. Scores are not rounded to whole points on the way, so that a small fix is worth
    /// something.
    #[must_use]
    pub fn gain(&self, check_id: &str) -> f64 {
        let scores = self.sheets.iter().map(|(&dimension, sheet)| {
            (
                dimension,
                sheet.score_without(dimension, check_id, self.caps),
            )
        });
        harmonic_mean(&self.weights, scores)
            .minus(&self.overall)
            .to_hundredths()
    }

    fn dimension_score(&self, dimension: Dimension, sheet: &Sheet<'_>) -> DimensionScore {
        let check_score = |tally: &&CheckTally| CheckScore {
            check_id: tally.check_id.clone(),
            subject: tally.subject,
            severity: tally.severity,
            penalty: penalty(tally.severity),
            judged: tally.judged,
            failed: tally.failed,
            reach: tally.reach,
            cost: sheet
                .score_without(dimension, &tally.check_id, self.caps)
                .minus(sheet.score),
        };
        DimensionScore {
            subscore: sheet.score.to_score(),
            score: sheet.score,
            uncapped: sheet.product(None).to_score(),
            pages: sheet.pages,
            metrics: sheet.metrics.map(|metrics| metrics.pages),
            cap: lowest_cap(self.caps, dimension, None).cloned(),
            checks: sheet.tallies.iter().map(check_score).collect(),
        }
    }
}

impl<'a> Sheet<'a> {
    fn new(dimension: Dimension, tallies: &'a Tallies, caps: &[Cap]) -> Self {
        let mut sheet = Self {
            pages: tallies.pages.get(&dimension).copied().unwrap_or_default(),
            tallies: tallies
                .checks
                .iter()
                .filter(|tally| tally.dimension == dimension && tally.judged > 0)
                .collect(),
            metrics: (tallies.metrics.as_ref())
                .filter(|metrics| dimension == Dimension::Performance && metrics.pages.count > 0),
            score: Share::ZERO,
        };
        sheet.score = capped(sheet.product(None), lowest_cap(caps, dimension, None));
        sheet
    }

    /// The mean of the page scores times the factors of the other checks, with the metrics, as if `without` found
    /// nothing.
    fn product(&self, without: Option<&str>) -> Share {
        let mut pages = self.pages;
        let mut factors = Vec::new();
        for tally in &self.tallies {
            let is_without = without == Some(tally.check_id.as_str());
            if tally.is_of_site() {
                factors.extend((!is_without).then(|| tally.factor()));
            } else if is_without {
                pages.sum = pages.sum.saturating_add(tally.page_gain);
            }
        }
        let rest = factors.into_iter().fold(pages.mean(), Share::times);
        match self.metrics {
            Some(metrics) => with_metrics(rest, metrics.without(without)),
            None => rest,
        }
    }

    fn score_without(&self, dimension: Dimension, check_id: &str, caps: &[Cap]) -> Share {
        let cap = lowest_cap(caps, dimension, Some(check_id));
        let has_tally = self.tallies.iter().any(|tally| tally.check_id == check_id);
        if has_tally {
            capped(self.product(Some(check_id)), cap)
        } else {
            // The check counts elsewhere, but may cap this dimension.
            capped(self.product(None), cap)
        }
    }
}

/// `Σ weight / Σ (weight / max(score, 1))`, in points.
pub(super) fn harmonic_mean(
    weights: &DimensionWeights,
    scores: impl Iterator<Item = (Dimension, Share)>,
) -> Exact {
    let (mut sum, mut parts) = (Exact::zero(), Exact::zero());
    for (dimension, score) in scores {
        let weight = Exact::whole(weights.get(dimension).into());
        parts = parts.plus(&weight.over(&counted(score)));
        sum = sum.plus(&weight);
    }
    sum.over(&parts)
}

/// The points with which a dimension counts in the overall score.
pub(super) fn counted(score: Share) -> Exact {
    let billionths = score.max(LEAST).billionths();
    Exact::fraction(billionths.into(), LEAST.billionths().into())
}

/// One point: what a dimension counts at least in the overall score.
const LEAST: Share = Share::from_hundredths(1);

/// The lowest cap of a dimension that another check than `without` set; of equal ones the first by
/// check and reason.
fn lowest_cap<'a>(caps: &'a [Cap], dimension: Dimension, without: Option<&str>) -> Option<&'a Cap> {
    caps.iter()
        .filter(|cap| cap.dimension == dimension && without != Some(cap.check_id.as_str()))
        .min_by_key(|cap| (cap.maximum, &cap.check_id, &cap.reason))
}

fn capped(score: Share, cap: Option<&Cap>) -> Share {
    cap.map_or(score, |cap| score.min(Share::from_hundredths(cap.maximum)))
}
