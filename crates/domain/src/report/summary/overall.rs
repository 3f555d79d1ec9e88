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
    lead(costly.len(), " this site", &worst)
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
            Some(format!("{dimension} is held at {}: {reason}.", cap.maximum))
        })
        .collect();
    paragraph(&sentences)
}

/// Which dimensions are in order, and how low the others go.
fn standing(score: &Score) -> String {
    let (good, below): (Vec<_>, Vec<_>) = score
        .dimensions
        .iter()
        .map(|(&dimension, score)| (name(dimension).to_owned(), score.subscore))
        .partition(|(_, subscore)| *subscore >= GOOD);
    let good: Vec<_> = good.into_iter().map(|(name, _)| name).collect();
    match (good.as_slice(), below.as_slice()) {
        (_, []) => format!("Every dimension scores {GOOD} or more."),
        ([_, _, ..], [(name, subscore)]) => {
            format!("Every dimension but {name} ({subscore}) scores {GOOD} or more.")
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

/// "content is lowest with 48"
fn lowest(subscores: &[(String, u8)]) -> String {
    let least = subscores
        .iter()
        .map(|(_, subscore)| *subscore)
        .min()
        .unwrap_or_default();
    let mut there = subscores.iter().filter(|(_, subscore)| *subscore == least);
    match (there.next(), there.next()) {
        (Some((name, _)), None) => format!("{name} is lowest with {least}"),
        _ => format!("the lowest subscore is {least}"),
    }
}
