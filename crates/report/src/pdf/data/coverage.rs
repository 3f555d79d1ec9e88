//! How much was seen, and what was not judged.

use domain::report::{Report, UnjudgedCheck};
use domain::text::grouped;
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::wording::coverage::{completeness, skip_reasons};
use crate::wording::unjudged::{HEADING, MEANING, aside, by_reason, verb};

pub(super) fn coverage(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let coverage = &report.coverage;
    let numbers = [
        ("Addresses of pages found", coverage.pages_discovered),
        ("Pages requested and answered", coverage.pages_fetched),
        ("Pages audited", coverage.pages_audited),
        ("Requests, for pages and all else", coverage.requests),
    ];
    let numbers = numbers.map(|(label, number)| row(label.into_value(), number));
    let skipped = skip_reasons(coverage);
    let skipped: Vec<_> = skipped
        .take(limits::ROWS)
        .map(|(reason, number)| {
            let reason = set.words(&reason, limits::MESSAGE);
            row(reason, number)
        })
        .collect();
    dict([
        ("whole", completeness(coverage).into_value()),
        ("numbers", array(numbers)),
        ("skipped", array(skipped)),
    ])
}

fn row(label: Value, number: u64) -> Value {
    dict([("label", label), ("number", grouped(number).into_value())])
}

/// The reasons why checks gave no verdict on all, each with its checks.
pub(super) fn unjudged(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let rows: Vec<_> = by_reason(&report.unjudged)
        .into_iter()
        .take(limits::ROWS)
        .map(|(why, checks)| {
            let named = checks.into_iter().take(limits::ROWS);
            let named: Vec<_> = named.map(|check| unjudged_check(set, check)).collect();
            dict([
                ("verb", verb(why).into_value()),
                ("reason", set.words(why.reason(), limits::MESSAGE)),
                ("checks", array(named)),
            ])
        })
        .collect();
    dict([
        ("heading", HEADING.into_value()),
        ("meaning", MEANING.into_value()),
        ("rows", array(rows)),
    ])
}

fn unjudged_check(set: &mut Typesetter<'_>, check: &UnjudgedCheck) -> Value {
    dict([
        ("check", set.code(&check.check_id, limits::NAME)),
        ("number", aside(check).into_value()),
    ])
}
