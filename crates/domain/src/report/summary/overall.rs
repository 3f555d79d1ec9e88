//! The summary of the whole site.

use super::culprit::{TopOffender, first_step, lead, named};
use super::{name, paragraph, worth_a_look};
use crate::Severity;
use crate::report::Coverage;
use crate::score::Score;
use crate::text::{capitalized, count, enumeration, in_words, points};

/// The number of issues that are named.
const NAMED: usize = 3;

/// The minimum of a good subscore.
const GOOD: u8 = 90;

pub(super) fn text(
    score: &Score,
    culprits: &[TopOffender<'_>],
    notes: usize,
    coverage: &Coverage,
) -> String {
    let costly: Vec<_> = culprits
        .iter()
        .filter(|culprit| culprit.gain > 0.0)
        .collect();
    match (culprits, costly.as_slice()) {
        ([], _) => paragraph(&[nothing(notes, coverage), held_down(score)]),
        ([first, ..], []) => paragraph(&[
            without_points(culprits.len()),
            held_down(score),
            standing(score),
            first_step(first),
        ]),
        (_, [first, ..]) => paragraph(&[
            only_minor(score, culprits),
            worst(&costly),
            held_down(score),
            standing(score),
            first_step(first),
            format!("This fix adds {}.", points(first.gain)),
        ]),
    }
}

fn nothing(notes: usize, coverage: &Coverage) -> String {
    let pages = match coverage.pages_audited {
        1 => "the one page audited".to_owned(),
        more => format!("the {} audited", count(more, "page", "pages")),
    };
    match notes {
        0 => format!("No issues were found on {pages}."),
        _ => format!(
            "No issue on {pages} lowers the score. {}",
            worth_a_look(notes)
        ),
    }
}

fn without_points(checks: usize) -> String {
    match checks {
        1 => "One issue was found; fixing it alone does not change the score.".to_owned(),
        more => format!(
            "{} issues were found; fixing a single one does not change the score.",
            capitalized(&in_words(more))
        ),
    }
}

fn only_minor(score: &Score, culprits: &[TopOffender<'_>]) -> String {
    let minor = |culprit: &TopOffender<'_>| culprit.issue.severity == Severity::Minor;
    if !culprits.iter().all(minor) {
        return String::new();
    }
    match 100_u8.saturating_sub(score.overall) {
        0 => "Only minor issues were found; together they cost less than one point.".to_owned(),
        lost => format!(
            "Only minor issues were found; together they cost {}.",
            count(lost.into(), "point", "points")
        ),
    }
}

fn worst(costly: &[&TopOffender<'_>]) -> String {
    let worst: Vec<_> = costly
        .iter()
        .take(NAMED)
        .map(|culprit| {
            let aside = format!(
                "{}, {}",
                name(culprit.issue.dimension),
                points(culprit.gain)
            );
            named(culprit, &aside)
        })
        .collect();
    lead(costly.len(), "the score", &worst)
}

/// One sentence for each dimension that is limited by a cap.
fn held_down(score: &Score) -> String {
    let sentences: Vec<_> = score
        .dimensions
        .iter()
        .filter_map(|(&dimension, score)| {
            let cap = score.binding_cap()?;
            let dimension = dimension.label();
            let reason = cap.reason.trim_end_matches('.');
            Some(format!(
                "{dimension} is capped at {}: {reason}.",
                cap.maximum
            ))
        })
        .collect();
    paragraph(&sentences)
}

/// Which dimensions are good, and the lowest of the others.
fn standing(score: &Score) -> String {
    let (good, below): (Vec<_>, Vec<_>) = score
        .dimensions
        .iter()
        .map(|(&dimension, score)| (name(dimension).to_owned(), score.subscore))
        .partition(|(_, subscore)| *subscore >= GOOD);
    let good: Vec<_> = good.into_iter().map(|(name, _)| name).collect();
    match (good.as_slice(), below.as_slice()) {
        (_, []) => format!("All dimensions score {GOOD} or more."),
        ([_, _, ..], [(name, subscore)]) => {
            format!("All dimensions except {name} ({subscore}) score {GOOD} or more.")
        }
        ([], _) => format!("No dimension scores {GOOD} or more; {}.", lowest(&below)),
        ([one], _) => format!(
            "{} scores {GOOD} or more; {}.",
            capitalized(one),
            lowest(&below)
        ),
        (more, _) => {
            let more = capitalized(&enumeration(more));
            format!("{more} score {GOOD} or more; {}.", lowest(&below))
        }
    }
}

/// "content is lowest at 48"
fn lowest(subscores: &[(String, u8)]) -> String {
    let least = subscores
        .iter()
        .map(|(_, subscore)| *subscore)
        .min()
        .unwrap_or_default();
    let mut there = subscores.iter().filter(|(_, subscore)| *subscore == least);
    match (there.next(), there.next()) {
        (Some((name, _)), None) => format!("{name} is lowest at {least}"),
        _ => format!("the lowest subscore is {least}"),
    }
}
