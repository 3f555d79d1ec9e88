//! The issues that cost points, with their deductions.

use crate::Severity;
use crate::report::Issue;
use crate::score::Score;
use crate::text::{enumeration, first_sentence, grouped, in_words};

/// An issue that is to be fixed, with what fixing it brings.
#[derive(Debug, Clone)]
pub(super) struct Culprit<'a> {
    /// The issue.
    pub(super) issue: &'a Issue,
    /// The points it costs of its dimension's 100.
    pub(super) deduction: f64,
    /// The points the overall score gains when all of it is fixed.
    pub(super) gain: f64,
}

/// The issues other than notes, those that gain most first.
pub(super) fn culprits<'a>(score: &Score, issues: &'a [Issue]) -> Vec<Culprit<'a>> {
    let mut culprits: Vec<_> = issues
        .iter()
        .filter(|issue| issue.severity != Severity::Info)
        .map(|issue| Culprit {
            issue,
            deduction: deduction(score, issue),
            gain: issue.score_impact,
        })
        .collect();
    culprits.sort_by(|one, other| one.issue.most_gain_first(other.issue));
    culprits
}

fn deduction(score: &Score, issue: &Issue) -> f64 {
    score
        .dimensions
        .get(&issue.dimension)
        .and_then(|dimension| {
            let mut checks = dimension.checks.iter();
            checks.find(|check| check.check_id == issue.check_id)
        })
        .map_or(0.0, |check| check.deduction.to_f64())
}

/// "“Links that lead nowhere” with 12 causes (SEO, 3.2 points)"
pub(super) fn named(culprit: &Culprit<'_>, aside: &str) -> String {
    let title = culprit.issue.title.trim_end_matches('.');
    match culprit.issue.causes_total {
        0 | 1 => format!("“{title}” ({aside})"),
        causes => format!("“{title}” with {} causes ({aside})", grouped(causes)),
    }
}

/// "Three things cost this site most: …", or fewer where fewer cost anything.
///
/// The verb is followed by `whom`, a space and a noun, or nothing.
pub(super) fn lead(total: usize, whom: &str, named: &[String]) -> String {
    let shown = crate::text::capitalized(&in_words(named.len()));
    let things = enumeration(named);
    match (named.len(), total > named.len()) {
        (0, _) => String::new(),
        (1, _) => format!("One thing costs{whom} points: {things}."),
        (_, true) => format!("{shown} things cost{whom} most: {things}."),
        (_, false) => format!("{shown} things cost{whom} points: {things}."),
    }
}

/// "Begin with “Links that lead nowhere”: Correct the address."
pub(super) fn first_step(culprit: &Culprit<'_>) -> String {
    let fix = first_sentence(&culprit.issue.recommendation);
    if fix.is_empty() {
        String::new()
    } else {
        let title = culprit.issue.title.trim_end_matches('.');
        format!("Begin with “{title}”: {fix}")
    }
}
