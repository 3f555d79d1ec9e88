//! The summary of the whole site.

use super::costly::{Costly, next};
use super::{name, paragraph, worth_a_look};
use crate::report::Coverage;
use crate::score::Score;
use crate::text::{capitalized, count, enumeration, in_words, points};

/// The number of issues that are named after the first.
const NEXT: usize = 2;

/// The minimum of a good subscore.
const GOOD: u8 = 90;

pub(super) fn text(
    score: &Score,
    issues: &[Costly<'_>],
    notes: usize,
    coverage: &Coverage,
) -> String {
    let costly: Vec<_> = issues
        .iter()
        .filter(|costly| costly.issue.score_impact > 0.0)
        .copied()
        .collect();
    match (issues, costly.as_slice()) {
        ([], _) => paragraph(&[nothing(notes, coverage), held_down(score)]),
        ([first, ..], []) => paragraph(&[
            without_points(issues.len()),
            held_down(score),
            standing(score),
            first.first_step(),
        ]),
        (_, [first, rest @ ..]) => paragraph(&[
            most(first, coverage),
            next(rest.get(..NEXT.min(rest.len())).unwrap_or_default(), aside),
            held_down(score),
            standing(score),
            first.first_step(),
        ]),
    }
}

/// "“Broken internal links” costs most: 2.4 points of the overall score, on 12 of 40 pages."
fn most(first: &Costly<'_>, coverage: &Coverage) -> String {
    format!(
        "{} costs most: {} of the overall score{}.",
        first.title(),
        points(first.issue.score_impact),
        first.place(coverage)
    )
}

fn aside(costly: &Costly<'_>) -> String {
    let issue = costly.issue;
    format!("{}, {}", name(issue.dimension), points(issue.score_impact))
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
