//! The coverage, and the checks that were not evaluated.

use domain::report::Report;
use domain::text::grouped;
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::view::ReportView;
use crate::wording::coverage::{completeness, skip_reasons};
use crate::wording::lab::{heading, values};
use crate::wording::number_of;
use crate::wording::scripts::{HEADING as SCRIPTS_HEADING, MEANING as SCRIPTS_MEANING};
use crate::wording::unjudged::{HEADING, MEANING};

pub(super) fn coverage(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let coverage = &report.coverage;
    let numbers = [
        ("Discovered URLs", coverage.pages_discovered),
        ("Requested URLs", coverage.pages_fetched),
        ("Pages audited", coverage.pages_audited),
        ("Requests in total", coverage.requests),
    ];
    let numbers = numbers.map(|(label, number)| row(label.into_value(), number));
    let skipped = skip_reasons(coverage);
    let skipped: Vec<_> = skipped
        .take(limits::REASONS)
        .map(|(reason, number)| {
            let reason = set.words(&reason, limits::REASON);
            row(reason, number)
        })
        .collect();
    let measured = coverage.measured.iter().take(limits::MEASURED).map(|page| {
        dict([
            ("url", set.code(&page.url, limits::URL)),
            ("values", values(page).into_value()),
        ])
    });
    let measured: Vec<_> = measured.collect();
    let profile = coverage.measured.first();
    dict([
        (
            "profile",
            profile
                .map_or_else(String::new, |first| heading(coverage, first))
                .into_value(),
        ),
        ("measured", array(measured)),
        ("whole", completeness(coverage).into_value()),
        ("numbers", array(numbers)),
        ("skipped", array(skipped)),
    ])
}

fn row(label: Value, number: u64) -> Value {
    dict([("label", label), ("number", grouped(number).into_value())])
}

/// What scripts change, in words of ours.
pub(super) fn scripts(view: &ReportView<'_>) -> Value {
    let rows = view.scripts.rows.iter().map(|row| {
        dict([
            ("subject", row.subject.into_value()),
            ("extent", row.extent.as_str().into_value()),
            ("none", row.without_scripts.into_value()),
            ("google", row.google.into_value()),
            ("visitors", row.visitors.into_value()),
        ])
    });
    dict([
        ("heading", SCRIPTS_HEADING.into_value()),
        ("meaning", SCRIPTS_MEANING.into_value()),
        ("rows", array(rows.collect::<Vec<_>>())),
        ("same", view.scripts.same_in_words().into_value()),
    ])
}

/// The reasons why checks gave no verdict on all, each with its checks.
pub(super) fn unjudged(set: &mut Typesetter<'_>, view: &ReportView<'_>) -> Value {
    let rows: Vec<_> = view
        .unjudged
        .iter()
        .take(limits::REASONS)
        .map(|row| {
            let checks = row.checks.iter().take(limits::CHECKS);
            let checks: Vec<_> = checks
                .map(|(check_id, aside)| {
                    dict([
                        ("check", set.code(check_id, limits::NAME)),
                        ("number", aside.as_str().into_value()),
                    ])
                })
                .collect();
            dict([
                ("verb", row.verb.into_value()),
                ("reason", set.words(row.whole, limits::REASON)),
                ("checks", array(checks)),
                (
                    "more",
                    more(row.checks.len(), limits::CHECKS, "check", "checks").into_value(),
                ),
            ])
        })
        .collect();
    dict([
        ("heading", HEADING.into_value()),
        ("meaning", MEANING.into_value()),
        ("rows", array(rows)),
        (
            "more",
            more(view.unjudged.len(), limits::REASONS, "reason", "reasons").into_value(),
        ),
    ])
}

/// "and 3 more reasons"; empty where all are shown.
fn more(number: usize, shown: usize, one: &str, many: &str) -> String {
    match number.saturating_sub(shown) {
        0 => String::new(),
        1 => format!("and 1 more {one}"),
        more => format!("and {} more {many}", grouped(number_of(more))),
    }
}
