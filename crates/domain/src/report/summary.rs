//! Summaries in plain text.

mod costly;
mod dimension;
mod overall;
mod part;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Coverage, Issue, UnjudgedCheck};
use crate::Dimension;
use crate::score::Score;
use costly::Costly;

/// A summary of the whole site and one of each dimension.
///
/// The same scores and issues always give the same texts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct Summaries {
    /// What costs most and what to fix first. The first sentence is complete on its own.
    pub overall: String,
    /// The same for each dimension of the report. Each names its dimension, and no two begin alike.
    pub dimensions: BTreeMap<Dimension, String>,
}

impl Summaries {
    pub(super) fn write(
        score: &Score,
        issues: &[Issue],
        coverage: &Coverage,
        unjudged: &[UnjudgedCheck],
    ) -> Self {
        let costly = Costly::all(score, issues);
        let notes = |dimension: Option<Dimension>| {
            issues
                .iter()
                .filter(|issue| issue.severity == crate::Severity::Info && !issue.is_waived())
                .filter(|issue| dimension.is_none_or(|only| only == issue.dimension))
                .count()
        };
        let dimensions = score
            .dimensions
            .iter()
            .map(|(&dimension, score)| {
                let facts = dimension::Facts {
                    dimension,
                    score,
                    costly: &costly,
                    coverage,
                    notes: notes(Some(dimension)),
                    unjudged: checks_of(dimension, unjudged),
                };
                let here = issues.iter().filter(|issue| issue.dimension == dimension);
                (dimension, paragraph(&[facts.text(), waived(here)]))
            })
            .collect();
        Self {
            overall: paragraph(&[
                overall::text(score, &costly, notes(None), coverage),
                waived(issues.iter()),
            ]),
            dimensions,
        }
    }
}

/// How many checks of a dimension could not judge anything, or not everything.
fn checks_of(dimension: Dimension, unjudged: &[UnjudgedCheck]) -> usize {
    let here = unjudged.iter().filter(|check| check.dimension == dimension);
    let ids: std::collections::BTreeSet<_> = here.map(|check| &check.check_id).collect();
    ids.len()
}

/// The name of a dimension inside a sentence.
fn name(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Seo | Dimension::AiReadiness => dimension.label(),
        other => other.as_str(),
    }
}

/// "There are three informational issues."
fn worth_a_look(notes: usize) -> String {
    match notes {
        0 => String::new(),
        1 => "There is one informational issue.".to_owned(),
        more => {
            let number = crate::text::in_words(more);
            format!("There are {number} informational issues.")
        }
    }
}

/// "12 occurrences of three issues are waived."; empty without waivers.
fn waived<'a>(issues: impl Iterator<Item = &'a Issue>) -> String {
    let waived: Vec<_> = issues
        .map(|issue| issue.waived)
        .filter(|&it| it > 0)
        .collect();
    let (occurrences, with_waived) = (waived.iter().sum(), waived.len());
    let number = crate::text::in_words(with_waived);
    match (occurrences, with_waived) {
        (0, _) => String::new(),
        (1, _) => "One occurrence is waived.".to_owned(),
        (_, 1) => format!(
            "{} occurrences of one issue are waived.",
            crate::text::grouped(occurrences)
        ),
        _ => format!(
            "{} occurrences of {number} issues are waived.",
            crate::text::grouped(occurrences)
        ),
    }
}

fn paragraph(sentences: &[String]) -> String {
    let written: Vec<_> = sentences
        .iter()
        .filter(|sentence| !sentence.is_empty())
        .map(String::as_str)
        .collect();
    written.join(" ")
}
