//! Scores with their bands, what they lost, and what took it.

use domain::report::Report;
use domain::score::{CheckScore, DimensionScore, Share};
use domain::{Dimension, Severity};

use crate::scored::Scored;
use crate::wording::changes::points;
use crate::wording::score::{Band, change, decimals};

/// Checks that are named as those that took a dimension's points.
const TAKERS: usize = 2;
/// The points below which a check is counted and not named.
const LEAST: f64 = 0.05;
/// The highest score.
const FULL: u8 = 100;

/// A score.
pub struct ScoreView<'a> {
    /// Of which dimension; none for the overall score.
    pub dimension: Option<Dimension>,
    /// Of what.
    pub label: &'static str,
    /// The score.
    pub score: u8,
    /// Its band.
    pub band: Band,
    /// The points that it is away from 100.
    pub lost: u8,
    /// The score less that of the site's report before; none on the first, and if the scores cannot be compared.
    pub change: Option<i16>,
    /// Whether a cap holds it down.
    pub is_held: bool,
    /// What to know of the dimension, in words; may be empty.
    pub summary: &'a str,
    /// The checks that cost the dimension most, at most two; none if it lost nothing.
    pub takers: Vec<TakerView<'a>>,
    /// How many more checks cost it points.
    pub more_takers: usize,
}

/// A check that takes points of a dimension.
pub struct TakerView<'a> {
    /// The number of its issue in the report; none if it has none there.
    pub number: Option<usize>,
    /// The title of its issue, or its id.
    pub title: &'a str,
    /// The points that the dimension gains without it: "12.3".
    pub cost: String,
}

impl ScoreView<'_> {
    pub(crate) fn overall(report: &Report, score: u8) -> Self {
        Self {
            dimension: None,
            label: "Overall",
            score,
            band: Band::from_score(score),
            lost: FULL.saturating_sub(score),
            change: comparable(report).map(|changes| changes.score_change),
            is_held: false,
            summary: "",
            takers: Vec::new(),
            more_takers: 0,
        }
    }

    /// The change in words: "+3 points" of the overall score, which stands alone, and "+3" of a dimension, whose column
    /// says what it is; empty without one.
    pub(crate) fn change_in_words(&self) -> String {
        let in_words = match self.dimension {
            None => self.change.and_then(points),
            Some(_) => self.change.map(change),
        };
        in_words.unwrap_or_default()
    }
}

fn comparable(report: &Report) -> Option<&domain::report::Changes> {
    let changes = report.changes.as_ref();
    changes.filter(|changes| !changes.scoring_version_changed)
}

/// The scores of the dimensions that mean something.
pub(crate) fn dimensions<'a>(report: &'a Report, scored: &'a Scored) -> Vec<ScoreView<'a>> {
    let summaries = &report.summaries.dimensions;
    let changes = comparable(report).map(|changes| &changes.subscore_changes);
    let dimensions = scored.dimensions(report).map(|(dimension, score)| {
        let costly = costly(score);
        let lost = FULL.saturating_sub(score.subscore);
        let named = costly.iter().take(if lost > 0 { TAKERS } else { 0 });
        let named = named.filter(|check| check.cost.to_points() >= LEAST);
        let takers: Vec<_> = named.map(|check| taker(report, check)).collect();
        ScoreView {
            dimension: Some(dimension),
            label: dimension.label(),
            score: score.subscore,
            band: Band::from_score(score.subscore),
            lost,
            change: changes.and_then(|changes| changes.get(&dimension).copied()),
            is_held: score.binding_cap().is_some(),
            summary: summaries.get(&dimension).map_or("", String::as_str),
            more_takers: match lost {
                0 => 0,
                _ => costly.len().saturating_sub(takers.len()),
            },
            takers,
        }
    });
    dimensions.collect()
}

/// The checks that cost a dimension points, those that cost most first.
pub(super) fn costly(score: &DimensionScore) -> Vec<&CheckScore> {
    let costs = |check: &&CheckScore| check.failed > 0 && check.penalty > Share::ZERO;
    let mut checks: Vec<_> = score.checks.iter().filter(costs).collect();
    checks.sort_by(|one, other| {
        let costs = other.cost.cmp(&one.cost);
        costs.then_with(|| one.check_id.cmp(&other.check_id))
    });
    checks
}

fn taker<'a>(report: &'a Report, check: &'a CheckScore) -> TakerView<'a> {
    let mut issues = (1..).zip(&report.issues);
    let found = issues.find(|(_, issue)| issue.check_id == check.check_id);
    TakerView {
        number: found.map(|(number, _)| number),
        title: found.map_or(&check.check_id, |(_, issue)| &issue.title),
        cost: decimals(check.cost.to_points(), 1),
    }
}

/// How many issues a dimension has of each severity.
pub struct MatrixRow {
    /// The dimension.
    pub dimension: Dimension,
    /// The numbers, in the order of [`Severity::ALL`].
    pub numbers: Vec<usize>,
    /// Their sum.
    pub total: usize,
}

/// A row for each dimension that has a score or an issue.
pub(super) fn matrix(report: &Report, scored: &Scored) -> Vec<MatrixRow> {
    let issues = &report.issues;
    let there = |dimension: &Dimension| {
        report.score.dimensions.contains_key(dimension) && scored.has(*dimension)
            || issues.iter().any(|issue| issue.dimension == *dimension)
    };
    let rows = Dimension::ALL.into_iter().filter(there).map(|dimension| {
        let of_dimension = || {
            issues
                .iter()
                .filter(move |issue| issue.dimension == dimension)
        };
        let numbers = Severity::ALL.into_iter().map(|severity| {
            of_dimension()
                .filter(|issue| issue.severity == severity)
                .count()
        });
        MatrixRow {
            dimension,
            numbers: numbers.collect(),
            total: of_dimension().count(),
        }
    });
    rows.collect()
}
