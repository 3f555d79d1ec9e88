//! How much was seen, and what was not judged.

use domain::report::{Coverage, CrawlMode, Report, StoppedBy, UnjudgedCheck};
use domain::text::{count, grouped};
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};
use crate::unjudged::{HEADING, MEANING, by_reason, number, verb};

/// "12 pages audited, as the server sent them. The crawl stopped at the page limit."
pub(super) fn seen(coverage: &Coverage) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let mode = match coverage.mode {
        CrawlMode::Static => "as the server sent them",
        CrawlMode::Rendered => "in a browser, after their scripts",
    };
    let mut text = format!("Audited {pages}, {mode}.");
    if let Some(stopped) = coverage.stopped_by {
        text.push(' ');
        text.push_str(stop(stopped));
    }
    text
}

const fn stop(stopped: StoppedBy) -> &'static str {
    match stopped {
        StoppedBy::PageCap => "The crawl stopped at the page limit.",
        StoppedBy::Depth => "Pages deeper than the limit were not visited.",
        StoppedBy::Deadline => "The crawl ran out of time; what it saw is scored.",
        StoppedBy::Cancelled => "The crawl was cancelled; what it saw is scored.",
    }
}

pub(super) fn coverage(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let coverage = &report.coverage;
    let numbers = [
        ("Addresses of pages found", coverage.pages_discovered),
        ("Pages requested and answered", coverage.pages_fetched),
        ("Pages audited", coverage.pages_audited),
        ("Requests, for pages and all else", coverage.requests),
    ];
    let numbers = numbers.map(|(label, number)| row(label.into_value(), number));
    let whole = match (coverage.complete, coverage.stopped_by) {
        (true, _) => "Every page that was found was seen.",
        (false, None) => "Not every page that was found was seen.",
        (false, Some(stopped)) => stop(stopped),
    };
    let skipped = coverage.skipped.iter().filter(|(_, number)| *number > 0);
    let skipped: Vec<_> = skipped
        .take(limits::ROWS)
        .map(|(reason, number)| {
            let reason = set.words(&reason.replace('_', " "), limits::MESSAGE);
            row(reason, *number)
        })
        .collect();
    dict([
        ("whole", whole.into_value()),
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
    let number = number(check).map(|number| format!(" ({})", grouped(number)));
    dict([
        ("check", set.code(&check.check_id, limits::NAME)),
        ("number", number.unwrap_or_default().into_value()),
    ])
}
