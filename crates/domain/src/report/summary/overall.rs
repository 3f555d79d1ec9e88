//! The text on the whole site.

use super::culprit::{Culprit, first_step, lead, named};
use super::{name, paragraph, worth_a_look};
use crate::Severity;
use crate::report::Coverage;
use crate::score::Score;
use crate::text::{capitalized, count, enumeration, in_words, points};

/// How many things are named.
const NAMED: usize = 3;

/// A subscore from here on is good.
const GOOD: u8 = 90;

pub(super) fn text(
    score: &Score,
    culprits: &[Culprit<'_>],
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
            format!("That brings {}.", points(first.gain)),
        ]),
    }
}

fn nothing(notes: usize, coverage: &Coverage) -> String {
    let pages = match coverage.pages_audited {
        1 => "the one page audited".to_owned(),
        more => format!("the {} audited", count(more, "page", "pages")),
    };
    match notes {
        0 => format!("No check found anything to fix on {pages}."),
        _ => format!(
            "Nothing found on {pages} costs points. {}",
            worth_a_look(notes)
        ),
    }
}

fn without_points(checks: usize) -> String {
    match checks {
        1 => "One thing is to be fixed; by itself it does not change the score.".to_owned(),
        more => format!(
            "{} things are to be fixed; none of them alone changes the score.",
            capitalized(&in_words(more))
        ),
    }
}

fn only_minor(score: &Score, culprits: &[Culprit<'_>]) -> String {
    let minor = |culprit: &Culprit<'_>| culprit.issue.severity == Severity::Minor;
    if !culprits.iter().all(minor) {
        return String::new();
    }
    match 100_u8.saturating_sub(score.overall) {
        0 => "Only minor things were found, and they cost less than one point.".to_owned(),
        lost => format!(
            "Only minor things were found, and they cost {}.",
            count(lost.into(), "point", "points")
        ),
    }
}

fn worst(costly: &[&Culprit<'_>]) -> String {
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
    lead(costly.len(), "this site", &worst)
}

/// One sentence for each dimension that a cap holds down.
fn held_down(score: &Score) -> String {
    let sentences: Vec<_> = score
        .dimensions
        .iter()
        .filter_map(|(&dimension, score)| {
            let cap = score.binding_cap()?;
            let dimension = dimension.label();
            let reason = cap.reason.trim_end_matches('.');
            Some(format!(
                "{dimension} is held at {} because {reason}.",
                cap.maximum
            ))
        })
        .collect();
    paragraph(&sentences)
}

/// Which dimensions are in order, and which is furthest from it.
fn standing(score: &Score) -> String {
    let good: Vec<_> = score
        .dimensions
        .iter()
        .filter(|(_, score)| score.subscore >= GOOD)
        .map(|(&dimension, _)| name(dimension).to_owned())
        .collect();
    // The first of equal ones: `min_by_key` keeps it.
    let lowest = score
        .dimensions
        .iter()
        .min_by_key(|(_, score)| score.subscore);
    let Some((&lowest, low)) = lowest else {
        return String::new();
    };
    if good.len() == score.dimensions.len() {
        return format!("Every dimension scores {GOOD} or more.");
    }
    let low = format!("{} is lowest with {}", name(lowest), low.subscore);
    match good.as_slice() {
        [] => format!("No dimension scores {GOOD} or more; {low}."),
        [one] => format!("{} scores {GOOD} or more; {low}.", capitalized(one)),
        more => format!(
            "{} score {GOOD} or more; {low}.",
            capitalized(&enumeration(more))
        ),
    }
}
