//! The issues that cost points, with their deductions.

use crate::Severity;
use crate::report::Issue;
use crate::score::Score;
use crate::text::{enumeration, first_sentence, grouped, in_words};

/// An issue to fix, with its deduction and score impact.
#[derive(Debug, Clone)]
pub(super) struct TopOffender<'a> {
    /// The issue.
    pub(super) issue: &'a Issue,
    /// The points it deducts from its dimension's 100.
    pub(super) deduction: f64,
    /// The points the overall score gains if it is completely fixed.
    pub(super) gain: f64,
}

/// The issues except notes, largest score impact first.
pub(super) fn culprits<'a>(score: &Score, issues: &'a [Issue]) -> Vec<TopOffender<'a>> {
    let mut culprits: Vec<_> = issues
        .iter()
        .filter(|issue| issue.severity != Severity::Info)
        .map(|issue| TopOffender {
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

/// "“Broken links” with 12 causes (SEO, 3.2 points)"
pub(super) fn named(culprit: &TopOffender<'_>, aside: &str) -> String {
    let title = culprit.issue.title.trim_end_matches('.');
    match culprit.issue.causes_total {
        0 | 1 => format!("“{title}” ({aside})"),
        causes => format!("“{title}” with {} causes ({aside})", grouped(causes)),
    }
}

/// "Three issues lower the score most: …", or fewer if fewer lower it.
///
/// `what` is the object of the verb: the score that the issues lower.
pub(super) fn lead(total: usize, what: &str, named: &[String]) -> String {
    let shown = crate::text::capitalized(&in_words(named.len()));
    let issues = enumeration(named);
    match (named.len(), total > named.len()) {
        (0, _) => String::new(),
        (1, _) => format!("One issue lowers {what}: {issues}."),
        (_, true) => format!("{shown} issues lower {what} most: {issues}."),
        (_, false) => format!("{shown} issues lower {what}: {issues}."),
    }
}

/// "Start with “Broken links”: Correct the URL."
pub(super) fn first_step(culprit: &TopOffender<'_>) -> String {
    let fix = first_sentence(&culprit.issue.recommendation);
    if fix.is_empty() {
        String::new()
    } else {
        let title = culprit.issue.title.trim_end_matches('.');
        format!("Start with “{title}”: {fix}")
    }
}
