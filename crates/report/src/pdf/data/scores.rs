//! The scores, and the sums that lead to them.

use std::cmp::Ordering;

use domain::Dimension;
use domain::report::Report;
use domain::score::{CheckScore, DimensionScore, Exact};
use domain::text::{enumeration, grouped, sentence};
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::wording::counted;
use crate::wording::score::{Band, decimals, trimmed};

pub(super) fn scores(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let dimensions: Vec<_> = report
        .score
        .dimensions
        .iter()
        .map(|(&dimension, score)| {
            let summary = report.summaries.dimensions.get(&dimension);
            let summary = summary.map_or("", String::as_str);
            let held = score.binding_cap().is_some();
            dict([
                ("label", dimension.label().into_value()),
                ("score", score.subscore.into_value()),
                ("band", Band::from_score(score.subscore).word().into_value()),
                ("held", held.into_value()),
                ("summary", set.words(summary, limits::PARAGRAPH)),
            ])
        })
        .collect();
    let overall = report.score.overall;
    dict([
        ("overall", overall.into_value()),
        ("band", Band::from_score(overall).word().into_value()),
        ("dimensions", array(dimensions)),
    ])
}

pub(super) fn sums(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let score = &report.score;
    let dimensions: Vec<_> = score
        .dimensions
        .iter()
        .map(|(&dimension, sum)| {
            dict([
                ("label", dimension.label().into_value()),
                ("score", sum.subscore.into_value()),
                ("weight", score.weights.get(dimension).into_value()),
                ("sum-of-weights", grouped(sum.sum_of_weights).into_value()),
                ("checks", checks(set, sum)),
                ("left-out", left_out(sum).into_value()),
                ("result", result(set, sum)),
            ])
        })
        .collect();
    dict([
        ("dimensions", array(dimensions)),
        ("overall", overall(report).into_value()),
    ])
}

/// The checks, those that cost most first.
fn checks(set: &mut Typesetter<'_>, sum: &DimensionScore) -> Value {
    let mut checks: Vec<_> = sum.checks.iter().collect();
    checks.sort_by(|one, other| costliest_first(one, other));
    let rows = checks.into_iter().take(limits::ROWS).map(|check| {
        dict([
            ("check", set.code(&check.check_id, limits::NAME)),
            ("weight", check.weight.into_value()),
            ("applicable", grouped(check.applicable).into_value()),
            ("affected", grouped(check.affected).into_value()),
            ("score", decimals(&check.score, 4).into_value()),
            ("deduction", decimals(&check.deduction, 3).into_value()),
        ])
    });
    array(rows.collect::<Vec<_>>())
}

fn costliest_first(one: &CheckScore, other: &CheckScore) -> Ordering {
    other
        .deduction
        .cmp(&one.deduction)
        .then_with(|| one.check_id.cmp(&other.check_id))
}

fn left_out(sum: &DimensionScore) -> String {
    match sum.checks.len().saturating_sub(limits::ROWS) {
        0 => String::new(),
        more => {
            let more = counted(more, "more check", "more checks");
            format!("And {more} that cost less than these.")
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
            format!(" Held at {maximum} by {check}: {}", sentence(reason))
        } else {
            format!(
                " {check} sets a cap of {maximum}, which the sum does not reach: {}",
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
