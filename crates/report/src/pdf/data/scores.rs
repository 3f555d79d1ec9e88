//! The scores, and how they are calculated.

use domain::report::Report;
use domain::score::{DimensionScore, SCORING_VERSION};
use domain::text::{enumeration, sentence};
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::view::{ReportView, ScoreView, SumView};
use crate::wording::counted;
use crate::wording::score::decimals;

pub(super) fn scores(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    let dimensions: Vec<_> = view
        .dimensions
        .iter()
        .map(|score| self::score(set, score))
        .collect();
    let overall = view.overall.as_ref();
    dict([
        (
            "overall",
            overall.map_or(Value::None, |overall| self::score(set, overall)),
        ),
        (
            "changes",
            view.changes.as_deref().map_or(Value::None, |changes| {
                format!("{changes} since the last audit").into_value()
            }),
        ),
        ("dimensions", array(dimensions)),
    ])
}

fn score(set: &mut Typesetter<'_>, score: &ScoreView<'_>) -> Value {
    let takers: Vec<_> = score
        .takers
        .iter()
        .map(|taker| {
            dict([
                ("title", set.words(taker.title, limits::TITLE)),
                ("cost", taker.cost.as_str().into_value()),
            ])
        })
        .collect();
    dict([
        ("label", score.label.into_value()),
        ("score", score.score.into_value()),
        ("band", score.band.word().into_value()),
        ("held", score.is_held.into_value()),
        ("lost", score.lost.into_value()),
        ("change", score.change_in_words().into_value()),
        ("takers", array(takers)),
        ("more", score.more_takers.into_value()),
    ])
}

pub(super) fn sums(set: &mut Typesetter<'_>, report: &Report, view: &ReportView<'_>) -> Value {
    let weights = &report.score.weights;
    let dimensions: Vec<_> = view
        .sums
        .iter()
        .map(|sum| {
            dict([
                ("label", sum.dimension.label().into_value()),
                ("score", sum.score.subscore.into_value()),
                ("weight", weights.get(sum.dimension).into_value()),
                ("start", sum.start.as_str().into_value()),
                ("passed", sum.passed.as_str().into_value()),
                ("checks", checks(set, sum)),
                ("left-out", left_out(sum).into_value()),
                ("cap", cap(set, sum.score)),
            ])
        })
        .collect();
    dict([
        ("dimensions", array(dimensions)),
        ("explanation", view.explanation.into_value()),
        ("overall", overall(report).into_value()),
    ])
}

/// The checks, those that cost most first.
fn checks(set: &mut Typesetter<'_>, sum: &SumView<'_>) -> Value {
    let rows = sum.terms.iter().take(limits::ROWS).map(|term| {
        dict([
            ("check", set.code(term.check_id, limits::NAME)),
            ("lowers", term.lowers.into_value()),
            ("penalty", term.penalty.as_str().into_value()),
            ("judged", term.judged.as_str().into_value()),
            ("failed", term.failed.as_str().into_value()),
            ("reach", term.reach.as_str().into_value()),
            ("cost", term.cost.as_str().into_value()),
        ])
    });
    array(rows.collect::<Vec<_>>())
}

fn left_out(sum: &SumView<'_>) -> String {
    match sum.terms.len().saturating_sub(limits::ROWS) {
        0 => String::new(),
        more => {
            let more = counted(more, "more check", "more checks");
            format!("And {more} that cost less.")
        }
    }
}

/// The cap of a dimension, as a sentence; empty without one.
fn cap(set: &mut Typesetter<'_>, score: &DimensionScore) -> Value {
    let text = score.cap.as_ref().map_or_else(String::new, |cap| {
        let (maximum, check) = (cap.maximum, &cap.check_id);
        let reason = sentence(cap.reason.trim_end_matches('.'));
        if cap.maximum < score.uncapped {
            let uncapped = score.uncapped;
            format!("{check} caps the score at {maximum}; it would be {uncapped}: {reason}")
        } else {
            format!("{check} sets a cap of {maximum}, which the score does not reach: {reason}")
        }
    });
    set.words(&text, limits::PARAGRAPH)
}

/// "6 / (1/83.2 + 1/100 + …) = 81.7, rounded to 82."
fn overall(report: &Report) -> String {
    let score = &report.score;
    if score.version != SCORING_VERSION {
        return format!("The overall score is {}.", score.overall);
    }
    let parts = || {
        let dimensions = score.dimensions.iter();
        dimensions
            .map(|(&dimension, sum)| (score.weights.get(dimension), sum.score.to_points().max(1.0)))
    };
    let terms: Vec<_> = parts()
        .map(|(weight, points)| format!("{weight}/{}", decimals(points, 2)))
        .collect();
    let labels: Vec<_> = score
        .dimensions
        .keys()
        .map(|dimension| dimension.label().to_owned())
        .collect();
    let weights: u64 = parts().map(|(weight, _)| u64::from(weight)).sum();
    format!(
        "{}, in this order: {weights} / ({}), rounded to {}.",
        enumeration(&labels),
        terms.join(" + "),
        score.overall,
    )
}
