//! The summary of one dimension.

use super::culprit::{TopOffender, first_step, lead, named};
use super::{paragraph, worth_a_look};
use crate::Dimension;
use crate::score::{Cap, CheckScore, DimensionScore};
use crate::text::{capitalized, count, in_words, points};

/// The number of issues that are named.
const NAMED: usize = 3;

pub(super) fn text(
    dimension: Dimension,
    score: &DimensionScore,
    culprits: &[TopOffender<'_>],
    notes: usize,
) -> String {
    let culprits = worst_here(dimension, score, culprits);
    let costly: Vec<_> = culprits
        .iter()
        .filter(|culprit| culprit.deduction > 0.0)
        .collect();
    let named: Vec<_> = costly
        .iter()
        .take(NAMED)
        .map(|culprit| named(culprit, &points(culprit.deduction)))
        .collect();
    let first = culprits.first();
    paragraph(&[
        score
            .binding_cap()
            .map_or_else(String::new, |cap| held_down(score, cap)),
        lead(costly.len(), "this score", &named),
        if costly.is_empty() && first.is_some() {
            "No issue here lowers the score.".to_owned()
        } else {
            String::new()
        },
        in_order(score),
        first.map_or_else(String::new, first_step),
        first.map_or_else(String::new, worth),
        worth_a_look(notes),
    ])
}

/// This dimension's issues: first the one that caps it, then the largest deductions.
fn worst_here<'a>(
    dimension: Dimension,
    score: &DimensionScore,
    culprits: &[TopOffender<'a>],
) -> Vec<TopOffender<'a>> {
    let cap = score.binding_cap();
    let caps =
        |culprit: &TopOffender<'_>| cap.is_some_and(|cap| cap.check_id == culprit.issue.check_id);
    let mut here: Vec<_> = culprits
        .iter()
        .filter(|culprit| culprit.issue.dimension == dimension)
        .cloned()
        .collect();
    here.sort_by(|one, other| {
        (caps(other).cmp(&caps(one)))
            .then_with(|| other.deduction.total_cmp(&one.deduction))
            .then_with(|| one.issue.most_gain_first(other.issue))
    });
    here
}

fn held_down(score: &DimensionScore, cap: &Cap) -> String {
    format!(
        "Capped at {}: {}. Without the cap, the score would be {}.",
        cap.maximum,
        cap.reason.trim_end_matches('.'),
        score.uncapped()
    )
}

/// How many of the checks passed.
fn in_order(score: &DimensionScore) -> String {
    let clean = |check: &&CheckScore| check.affected == 0 && check.deduction.to_f64() <= 0.0;
    let clean = score.checks.iter().filter(clean).count();
    match (clean, score.checks.len()) {
        (_, 0) => "No check applies here.".to_owned(),
        (1, 1) => "The only applicable check passed.".to_owned(),
        (0, 1) => String::new(),
        (0, total) => format!("None of the {} applicable checks passed.", in_words(total)),
        (clean, total) if clean == total => {
            format!("All {} applicable checks passed.", in_words(total))
        }
        (1, total) => format!("One of {} checks passed.", in_words(total)),
        (clean, total) => format!(
            "{} of {} passed.",
            // Both numbers of a sentence are written in the same form.
            if total > 9 {
                clean.to_string()
            } else {
                capitalized(&in_words(clean))
            },
            count(u64::try_from(total).unwrap_or(u64::MAX), "check", "checks")
        ),
    }
}

fn worth(first: &TopOffender<'_>) -> String {
    if first.gain > 0.0 {
        format!("This fix adds {} overall.", points(first.gain))
    } else {
        String::new()
    }
}
