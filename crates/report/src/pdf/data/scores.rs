//! The scores, and the sums that lead to them.

use domain::Dimension;
use domain::report::Report;
use domain::score::{DimensionScore, Exact};
use domain::text::{enumeration, sentence};
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::view::{ReportView, SumView};
use crate::wording::counted;
use crate::wording::score::{decimals, trimmed};

pub(super) fn scores(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    let dimensions: Vec<_> = view
        .dimensions
        .iter()
        .map(|score| {
            dict([
                ("label", score.label.into_value()),
                ("score", score.score.into_value()),
                ("band", score.band.word().into_value()),
                ("held", score.is_held.into_value()),
                ("summary", set.words(score.summary, limits::PARAGRAPH)),
            ])
        })
        .collect();
    let overall = view.overall.as_ref();
    let score = overall.map_or(0, |overall| overall.score);
    let band = overall.map_or("", |overall| overall.band.word());
    dict([
        ("overall", score.into_value()),
        ("band", band.into_value()),
        ("dimensions", array(dimensions)),
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
                ("sum-of-weights", sum.sum_of_weights.as_str().into_value()),
                ("checks", checks(set, sum)),
                ("left-out", left_out(sum.score).into_value()),
                ("result", result(set, sum.score)),
            ])
        })
        .collect();
    dict([
        ("dimensions", array(dimensions)),
        ("overall", overall(report).into_value()),
    ])
}

/// The checks, those that cost most first.
fn checks(set: &mut Typesetter<'_>, sum: &SumView<'_>) -> Value {
    let rows = sum.terms.iter().take(limits::ROWS).map(|term| {
        dict([
            ("check", set.code(term.check_id, limits::NAME)),
            ("weight", term.weight.into_value()),
            ("applicable", term.applicable.as_str().into_value()),
            ("affected", term.affected.as_str().into_value()),
            ("score", term.score.as_str().into_value()),
            ("deduction", term.deduction.as_str().into_value()),
        ])
    });
    array(rows.collect::<Vec<_>>())
}

fn left_out(sum: &DimensionScore) -> String {
    match sum.checks.len().saturating_sub(limits::ROWS) {
        0 => String::new(),
        more => {
            let more = counted(more, "more check", "more checks");
            format!("And {more} with smaller deductions.")
        }
    }
}

/// "100 − 17.5 = 82.5, rounded to 83."
fn result(set: &mut Typesetter<'_>, sum: &DimensionScore) -> Value {
    let lost: Exact = sum.checks.iter().map(|check| &check.deduction).sum();
    let left = 100.0 - lost.to_f64();
    let uncapped = sum.uncapped();
    let mut text = format!(
        "100 − {} = {}, rounded to {uncapped}.",
        decimals(&lost, 3),
        trimmed(format!("{left:.3}")),
    );
    if let Some(cap) = &sum.cap {
        let (maximum, check) = (cap.maximum, &cap.check_id);
        let reason = cap.reason.trim_end_matches('.');
        text.push_str(&if cap.maximum < uncapped {
            format!(" Capped at {maximum} by {check}: {}", sentence(reason))
        } else {
            format!(
                " {check} sets a cap of {maximum}, which the score does not reach: {}",
                sentence(reason)
            )
        });
    }
    set.words(&text, limits::PARAGRAPH)
}

/// "(83 + 100 + 62) / 3 = 81.667, rounded to 82."
fn overall(report: &Report) -> String {
    let score = &report.score;
    let parts = || {
        score
            .dimensions
            .iter()
            .map(|(&dimension, sum)| (score.weights.get(dimension), sum.subscore, dimension))
    };
    let equal = parts().all(|(weight, ..)| weight == 1);
    let term = |(weight, subscore, _): (u32, u8, Dimension)| match equal {
        true => subscore.to_string(),
        false => format!("{weight} × {subscore}"),
    };
    let terms: Vec<_> = parts().map(term).collect();
    let divisor: u64 = parts().map(|(weight, ..)| u64::from(weight)).sum();
    let sum: u64 = parts()
        .map(|(weight, subscore, _)| u64::from(weight) * u64::from(subscore))
        .sum();
    let mean = decimals(&Exact::fraction(sum, divisor), 3);
    let labels: Vec<_> = parts()
        .map(|(.., dimension)| dimension.label().to_owned())
        .collect();
    format!(
        "{}, in this order: ({}) / {divisor} = {mean}, rounded to {}.",
        enumeration(&labels),
        terms.join(" + "),
        score.overall,
    )
}
