//! The calculation of the scores.

use domain::report::Report;
use domain::score::{DimensionScore, SCORING_VERSION};
use domain::text::{count, grouped};
use domain::{Dimension, SubjectKind};

use super::score::costly;
use crate::scored::Scored;
use crate::wording::counted;
use crate::wording::score::decimals;

/// The calculation of a dimension's score.
pub struct SumView<'a> {
    /// Of which.
    pub dimension: Dimension,
    /// The score it leads to.
    pub score: &'a DimensionScore,
    /// What the score starts from: the mean of the page scores.
    pub start: String,
    /// The checks that cost points, those that cost most first.
    pub terms: Vec<TermView<'a>>,
    /// How many checks cost nothing, as a sentence; empty if none does.
    pub passed: String,
}

/// What a check costs.
pub struct TermView<'a> {
    /// Its id.
    pub check_id: &'a str,
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
                passed: passed(score.checks.len().saturating_sub(terms.len())),
                terms,
            }
        })
        .collect()
}

fn start(score: &DimensionScore) -> String {
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
