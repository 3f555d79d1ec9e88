//! What to know first, in words.

mod culprit;
mod dimension;
mod overall;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use super::{Coverage, Issue};
use crate::Dimension;
use crate::score::Score;

/// A text on the whole and one on each dimension.
///
/// The same scores and issues always give the same texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summaries {
    /// What hurts the site most, and what to do first. Its first sentence can stand alone.
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

/// "3 notes are worth a look."
fn worth_a_look(notes: usize) -> String {
    match notes {
        0 => String::new(),
        1 => "One note is worth a look.".to_owned(),
        more => {
            let number = crate::text::capitalized(&crate::text::in_words(more));
            format!("{number} notes are worth a look.")
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
