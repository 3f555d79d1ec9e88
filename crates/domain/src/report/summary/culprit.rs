//! The checks that cost points, each with all its issues together.

use std::collections::BTreeMap;

use crate::report::Issue;
use crate::score::{Ledger, Score};
use crate::text::{enumeration, first_sentence, in_words};
use crate::{Dimension, Severity};

/// A check that found something, with what fixing all of it would bring.
#[derive(Debug, Clone)]
pub(super) struct Culprit<'a> {
    /// Its worst issue.
    pub(super) issue: &'a Issue,
    /// How many more issues it has.
    pub(super) more: usize,
    /// The points it costs of its dimension's 100.
    pub(super) deduction: f64,
    /// The points the overall score gains when all of it is fixed.
    pub(super) gain: f64,
}

/// The checks with issues other than notes, those that would bring most first.
pub(super) fn culprits<'a>(
    score: &Score,
    issues: &'a [Issue],
    ledger: &Ledger<'_>,
) -> Vec<Culprit<'a>> {
    let mut by_check: BTreeMap<(Dimension, &str), Culprit<'a>> = BTreeMap::new();
    for issue in issues {
        if issue.severity == Severity::Info {
            continue;
        }
        by_check
            .entry((issue.dimension, &issue.check_id))
            .and_modify(|culprit| culprit.more += 1)
            .or_insert_with(|| Culprit {
                issue,
                more: 0,
                deduction: deduction(score, issue),
                gain: ledger.gain(&issue.check_id, u64::MAX),
            });
    }
    let mut culprits: Vec<_> = by_check.into_values().collect();
    culprits.sort_by(|one, other| {
        (other.gain.total_cmp(&one.gain)).then_with(|| one.issue.worst_first(other.issue))
    });
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

/// "“Links that lead nowhere: /a” and two more like it (SEO, 3.2 points)"
pub(super) fn named(culprit: &Culprit<'_>, aside: &str) -> String {
    let title = culprit.issue.title.trim_end_matches('.');
    match culprit.more {
        0 => format!("“{title}” ({aside})"),
        more => format!("“{title}” and {} more like it ({aside})", in_words(more)),
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
