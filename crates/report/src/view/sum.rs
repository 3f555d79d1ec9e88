//! The calculation of the scores.

use domain::report::Report;
use domain::score::{CheckScore, DimensionScore, SCORING_VERSION, ScoreStep};
use domain::text::{count, grouped};
use domain::{Dimension, Severity, SubjectKind};

use super::score::costly;
use crate::scored::Scored;
use crate::wording::counted;
use crate::wording::score::decimals;

/// Decimals of a share, which has whole billionths.
const SHARE_PLACES: usize = 9;
/// Decimals of the points of a share.
const POINT_PLACES: usize = 7;
/// Decimals of a weight divided by points.
const QUOTIENT_PLACES: usize = 9;

/// The calculation of a dimension's score.
pub struct SumView<'a> {
    /// Of which.
    pub dimension: Dimension,
    /// The score it leads to.
    pub score: &'a DimensionScore,
    /// What the score starts from: the mean of the page scores.
    pub start: String,
    /// The mean of the page scores in points, with all its decimals.
    pub mean: String,
    /// What the mean is multiplied by, in this order; none in reports of scoring version 1.
    pub steps: Vec<StepView<'a>>,
    /// The score that all this leads to, in points, with all its decimals.
    pub unrounded: String,
    /// The checks that cost points, those that cost most first.
    pub terms: Vec<TermView<'a>>,
    /// How many checks cost nothing, as a sentence; empty if none does.
    pub passed: String,
}

/// A step of the product: a failing check of files, the server or the site. All numbers have all their decimals.
pub struct StepView<'a> {
    /// The check.
    pub check: &'a CheckScore,
    /// What its severity costs.
    pub penalty: String,
    /// How much of it counts.
    pub reach: String,
    /// 1 − penalty × reach.
    pub factor: String,
    /// The score after the step, in points.
    pub result: String,
}

/// The calculation of the overall score.
pub struct OverallView {
    /// A term for each dimension.
    pub terms: Vec<OverallTermView>,
    /// The sum of the weights.
    pub weights: u64,
    /// The sum of the quotients.
    pub quotients: String,
    /// The quotient of the two sums, before it is rounded.
    pub unrounded: String,
}

/// A dimension in the calculation of the overall score.
pub struct OverallTermView {
    /// Which.
    pub dimension: Dimension,
    /// What it counts.
    pub weight: u32,
    /// Its score in points, at least 1.
    pub points: String,
    /// Weight divided by points.
    pub quotient: String,
}

/// What a check costs.
pub struct TermView<'a> {
    /// Its id.
    pub check_id: &'a str,
    /// How severe its findings are.
    pub severity: Severity,
    /// Whether it lowers the page scores.
    pub is_of_pages: bool,
    /// What it lowers: the page scores or the dimension's score.
    pub lowers: &'static str,
    /// The share of a score that its severity costs.
    pub penalty: String,
    /// How many subjects it judged.
    pub judged: String,
    /// How many of them fail.
    pub failed: String,
    /// How much of its penalty it costs, from 0 to 1.
    pub reach: String,
    /// The points that the dimension gains without it.
    pub cost: String,
}

/// How the numbers of a calculation belong together, as a paragraph.
pub(super) const fn explanation(report: &Report) -> &'static str {
    if report.score.version == SCORING_VERSION {
        "A page starts at 100 in each dimension, and each check that fails on it takes off its penalty times its \
         reach there. The score of a dimension is the mean of its page scores, times 1 − penalty × reach for each \
         check of files, the server or the site, and at most its cap. The cost is what the dimension gains without \
         the check. The overall score is the weighted harmonic mean of the dimensions, so that a low one counts \
         more. Scores are rounded half up once; the numbers here are shortened."
    } else {
        "This report was scored by an earlier model, as a sum: 100 minus the cost of each check, which is 100 × \
         penalty × reach. The overall score is the weighted mean of the dimensions. Scores of the two models cannot \
         be compared."
    }
}

/// The calculations of the dimensions whose scores mean something.
pub(super) fn sums<'a>(report: &'a Report, scored: &'a Scored) -> Vec<SumView<'a>> {
    let dimensions = scored.dimensions(report);
    dimensions
        .map(|(dimension, score)| {
            let terms = terms(score);
            SumView {
                dimension,
                score,
                start: start(score),
                mean: decimals(score.pages.mean().to_points(), POINT_PLACES),
                steps: match report.score.version {
                    SCORING_VERSION => score.steps().iter().map(step).collect(),
                    _ => Vec::new(),
                },
                unrounded: decimals(score.score.to_points(), POINT_PLACES),
                passed: passed(score.checks.len().saturating_sub(terms.len())),
                terms,
            }
        })
        .collect()
}

/// The calculation of the overall score; none in reports of scoring version 1, which have another mean.
#[must_use]
pub fn overall_sum(report: &Report) -> Option<OverallView> {
    if report.score.version != SCORING_VERSION {
        return None;
    }
    let terms = report.score.overall_terms();
    let quotients: f64 = terms.iter().map(|term| term.quotient).sum();
    Some(OverallView {
        weights: terms.iter().map(|term| u64::from(term.weight)).sum(),
        quotients: decimals(quotients, QUOTIENT_PLACES),
        unrounded: decimals(report.score.unrounded_overall(), POINT_PLACES),
        terms: terms
            .iter()
            .map(|term| OverallTermView {
                dimension: term.dimension,
                weight: term.weight,
                points: decimals(term.points, POINT_PLACES),
                quotient: decimals(term.quotient, QUOTIENT_PLACES),
            })
            .collect(),
    })
}

fn step<'a>(step: &ScoreStep<'a>) -> StepView<'a> {
    StepView {
        check: step.check,
        penalty: decimals(step.check.penalty.to_f64(), SHARE_PLACES),
        reach: decimals(step.check.reach.to_f64(), SHARE_PLACES),
        factor: decimals(step.factor.to_f64(), SHARE_PLACES),
        result: decimals(step.result.to_points(), POINT_PLACES),
    }
}

fn start(score: &DimensionScore) -> String {
    let pages = start_of_pages(score);
    let Some(metrics) = score.metrics else {
        return pages;
    };
    let metrics = format!(
        "The mean score of the metrics of {} is {}; it counts 0.7, and the rest of the score 0.3.",
        count(metrics.count, "measured page", "measured pages"),
        decimals(metrics.mean().to_points(), 2)
    );
    format!("{pages} {metrics}").trim_start().to_owned()
}

fn start_of_pages(score: &DimensionScore) -> String {
    match score.pages.count {
        0 => String::new(),
        1 => format!("The score of the page is {}.", mean(score)),
        pages => format!(
            "The mean score of {} is {}.",
            count(pages, "page", "pages"),
            mean(score)
        ),
    }
}

fn passed(checks: usize) -> String {
    match checks {
        0 => String::new(),
        1 => "One check costs nothing.".to_owned(),
        more => format!("{} cost nothing.", counted(more, "check", "checks")),
    }
}

fn mean(score: &DimensionScore) -> String {
    decimals(score.pages.mean().to_points(), 2)
}

fn terms(score: &DimensionScore) -> Vec<TermView<'_>> {
    let terms = costly(score).into_iter().map(|check| TermView {
        check_id: &check.check_id,
        severity: check.severity,
        is_of_pages: check.subject == SubjectKind::Page,
        lowers: match check.subject {
            SubjectKind::Page => "pages",
            _ => "the score",
        },
        penalty: decimals(check.penalty.to_f64(), 2),
        judged: grouped(check.judged),
        failed: grouped(check.failed),
        reach: decimals(check.reach.to_f64(), 4),
        cost: decimals(check.cost.to_points(), 2),
    });
    terms.collect()
}
