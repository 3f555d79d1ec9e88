//! Summaries in plain text.

mod culprit;
mod dimension;
mod overall;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Coverage, Issue};
use crate::Dimension;
use crate::score::Score;

/// A summary of the whole site and one of each dimension.
///
/// The same scores and issues always give the same texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summaries {
    /// The most important issues and what to fix first. The first sentence is complete on its own.
    pub overall: String,
    /// The same for each dimension of the report.
    pub dimensions: BTreeMap<Dimension, String>,
}

impl Summaries {
    pub(super) fn write(score: &Score, issues: &[Issue], coverage: &Coverage) -> Self {
        let culprits = culprit::culprits(score, issues);
        let notes = |dimension: Option<Dimension>| {
            issues
                .iter()
                .filter(|issue| issue.severity == crate::Severity::Info)
                .filter(|issue| dimension.is_none_or(|only| only == issue.dimension))
                .count()
        };
        let dimensions = score
            .dimensions
            .iter()
            .map(|(&dimension, score)| {
                let text = dimension::text(dimension, score, &culprits, notes(Some(dimension)));
                (dimension, text)
            })
            .collect();
        Self {
            overall: overall::text(score, &culprits, notes(None), coverage),
            dimensions,
        }
    }
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

fn paragraph(sentences: &[String]) -> String {
    let told: Vec<_> = sentences
        .iter()
        .filter(|sentence| !sentence.is_empty())
        .map(String::as_str)
        .collect();
    told.join(" ")
}
