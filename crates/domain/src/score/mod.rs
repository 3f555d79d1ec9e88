//! How verdicts become scores.
//!
//! Everything is a factor between 0 and 1, a [`Share`] in whole billionths. A page's score in a dimension
//! is the product of what each check that fails on the page leaves ([`page_score`]). A dimension's
//! subscore is the mean of its page scores times the factors of the failing checks of resources, the
//! origin and the site, and at most its cap. If a browser measured pages, performance is 0.7 × the mean
//! score of their metrics ([`Metric`]) + 0.3 × that product. The overall score is the weighted harmonic mean of the
//! subscores, so that five good dimensions cannot hide one that fails. Each printed score is rounded
//! half up once:
//!
//! ```
//! use domain::{Dimension, Severity, SubjectKind};
//! use domain::score::{CheckTally, DimensionWeights, PageTotal, Share, Tallies, score};
//!
//! // Two pages: a serious check fails on one of them.
//! let mut pages = PageTotal::default();
//! pages.add(Share::ONE);
//! pages.add(Share::from_hundredths(80));
//! let title = CheckTally {
//!     check_id: "title-missing".to_owned(),
//!     dimension: Dimension::Seo,
//!     subject: SubjectKind::Page,
//!     severity: Severity::Serious,
//!     judged: 2,
//!     failed: 1,
//!     reach: Share::from_ratio(1, 2),
//!     page_gain: 200_000_000,
//! };
//! // One check of the site fails, too.
//! let robots = CheckTally {
//!     check_id: "robots-missing".to_owned(),
//!     subject: SubjectKind::Site,
//!     severity: Severity::Minor,
//!     judged: 1,
//!     reach: Share::ONE,
//!     page_gain: 0,
//!     ..title.clone()
//! };
//! let tallies = Tallies {
//!     pages: [(Dimension::Seo, pages)].into(),
//!     checks: vec![title, robots],
//!     metrics: None,
//! };
//! let score = score(&tallies, &[], &DimensionWeights::default(), &[Dimension::Seo]);
//! // 100 × (1 + 0.8) / 2 × (1 − 0.02) = 88.2
//! assert_eq!(score.overall, 88);
//! ```

mod exact;
mod ledger;
mod metrics;
mod page;
mod penalty;
mod share;
mod steps;
mod tally;
mod weights;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use exact::Exact;
pub use ledger::Ledger;
use ledger::harmonic_mean;
pub use metrics::{Metric, MetricGrades, MetricTally};
pub use page::{PageLoss, page_score, page_score_without};
pub use penalty::penalty;
pub use share::Share;
pub use steps::{OverallTerm, ScoreStep};
pub use tally::{Cap, CheckTally, PageTotal, Tallies};
pub use weights::DimensionWeights;

use crate::{Dimension, Severity, SubjectKind};

/// The version of the model by which scores are computed now. Scores of different versions cannot be
/// compared.
///
/// Version 1, of reports that were stored before, was a mean: subscore = 100 − the sum of all costs,
/// cost = 100 × penalty × reach, overall = the weighted arithmetic mean of the subscores.
pub const SCORING_VERSION: u32 = 2;

/// The scores of a site, with every factor of the products that lead to them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Score {
    /// The version of the model that computed it.
    pub version: u32,
    /// The weighted harmonic mean of the subscores, 0 to 100.
    pub overall: u8,
    /// Each dimension that was asked for.
    pub dimensions: BTreeMap<Dimension, DimensionScore>,
    /// What each dimension counts in the overall score.
    pub weights: DimensionWeights,
}

/// One dimension's subscore and what it is the product of.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct DimensionScore {
    /// The score in whole points, 0 to 100.
    pub subscore: u8,
    /// The score before it is rounded to whole points, after the cap.
    pub score: Share,
    /// What the subscore would be without the cap, 0 to 100.
    pub uncapped: u8,
    /// The page scores; none are counted in reports of scoring version 1.
    pub pages: PageTotal,
    /// The metric scores of the measured pages; none where nothing was measured, and in other dimensions than
    /// performance.
    #[cfg_attr(feature = "serde", serde(default))]
    pub metrics: Option<PageTotal>,
    /// The lowest cap on the dimension, also where the product is below it.
    pub cap: Option<Cap>,
    /// The checks with a verdict, in the order of the catalogue.
    pub checks: Vec<CheckScore>,
}

impl Score {
    /// The points the overall score gains if everything that a check found is fixed, which may lift the
    /// cap that it set, from the numbers of the score alone; rounded half up to two decimals. A cap that it
    /// set in a dimension in which it does not count stays.
    #[must_use]
    pub fn gain_of_fixing(&self, check_id: &str) -> f64 {
        if self.version < SCORING_VERSION {
            return self.earlier_gain(check_id);
        }
        let scores = |fixed: Option<&str>| {
            let dimensions = self.dimensions.iter();
            let scores =
                dimensions.map(|(&dimension, score)| (dimension, score.score_without(fixed)));
            harmonic_mean(&self.weights, scores)
        };
        scores(Some(check_id)).minus(&scores(None)).to_hundredths()
    }

    /// The same for scoring version 1, in which scores were sums.
    fn earlier_gain(&self, check_id: &str) -> f64 {
        let (mut gained, mut weights) = (Exact::zero(), Exact::zero());
        for (&dimension, score) in &self.dimensions {
            let weight = Exact::whole(self.weights.get(dimension).into());
            let gain = score.earlier_gain(check_id).billionths();
            gained = gained.plus(&weight.times(&Exact::whole(gain.into())));
            weights = weights.plus(&weight);
        }
        let points = Exact::whole(Share::from_hundredths(1).billionths().into());
        gained.over(&weights.times(&points)).to_hundredths()
    }
}

impl DimensionScore {
    /// The score without the findings of a check.
    fn score_without(&self, check_id: Option<&str>) -> Share {
        let mut checks = self.checks.iter();
        let fixed = checks.find(|check| Some(check.check_id.as_str()) == check_id);
        let cost = fixed.map_or(Share::ZERO, |check| check.cost);
        self.score.complement().minus(cost).complement()
    }

    fn earlier_gain(&self, check_id: &str) -> Share {
        let cost = |check: &CheckScore| check.cost.billionths();
        let of_check = |check: &&CheckScore| check.check_id == check_id;
        let lost: u32 = self.checks.iter().map(cost).sum();
        let regained: u32 = self.checks.iter().filter(of_check).map(cost).sum();
        let capped = |lost: u32, cap: Option<&Cap>| {
            let score = Share::from_billionths(lost).complement();
            cap.map_or(score, |cap| score.min(Share::from_hundredths(cap.maximum)))
        };
        let stays = |cap: &&Cap| regained == 0 || cap.check_id != check_id;
        let after = capped(
            lost.saturating_sub(regained),
            self.cap.as_ref().filter(stays),
        );
        after.minus(capped(lost, self.cap.as_ref()))
    }

    /// The cap, where it is what holds the subscore down.
    #[must_use]
    pub fn binding_cap(&self) -> Option<&Cap> {
        self.cap.as_ref().filter(|cap| cap.maximum < self.uncapped)
    }
}

/// One check's part in its dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct CheckScore {
    /// The check.
    pub check_id: String,
    /// What it judges: pages lower their own scores, anything else lowers the dimension's.
    pub subject: SubjectKind,
    /// How severe its findings are.
    pub severity: Severity,
    /// What that severity costs where it reaches everything.
    pub penalty: Share,
    /// How many subjects it gave a verdict on; never 0.
    pub judged: u64,
    /// How many of them fail.
    pub failed: u64,
    /// How much of its penalty it costs: the mean of what it costs on each subject judged.
    pub reach: Share,
    /// What the dimension's score would gain without the check.
    pub cost: Share,
}

/// Scores the dimensions asked for.
///
/// A check that passes everywhere, or judged nothing, changes no score. A dimension without pages and
/// without failing checks scores 100; a run without a page has no score.
#[must_use]
pub fn score(
    tallies: &Tallies,
    caps: &[Cap],
    weights: &DimensionWeights,
    dimensions: &[Dimension],
) -> Score {
    Ledger::new(tallies, caps, weights, dimensions).score()
}
