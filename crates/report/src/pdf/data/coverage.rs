//! How much was seen, and what was not judged.

use std::collections::BTreeMap;

use domain::report::{Coverage, CrawlMode, Report, StoppedBy, Unjudged};
use domain::text::{count, grouped};
use typst::foundations::{IntoValue, Value};

use super::super::limits;
use super::super::typeset::{Typesetter, array, dict};

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

/// The reasons why checks gave no verdict, each with all of its checks.
pub(super) fn unjudged(set: &mut Typesetter<'_>, report: &Report) -> Value {
    let mut by_reason: BTreeMap<&Unjudged, Vec<&str>> = BTreeMap::new();
    for check in &report.unjudged {
        let checks = by_reason.entry(&check.why).or_default();
        checks.push(&check.check_id);
    }
    let rows: Vec<_> = by_reason
        .into_iter()
        .take(limits::ROWS)
        .map(|(why, checks)| {
            let named = checks.iter().take(limits::ROWS);
            let named: Vec<_> = named.map(|check| set.code(check, limits::NAME)).collect();
            dict([
                ("verb", verb(why).into_value()),
                ("reason", set.words(why.reason(), limits::MESSAGE)),
                ("checks", array(named)),
            ])
        })
        .collect();
    array(rows)
}

/// What happened to a check without a verdict.
const fn verb(unjudged: &Unjudged) -> &'static str {
    match unjudged {
        Unjudged::NotRun(_) => "Not run",
        Unjudged::CannotTell(_) => "Cannot tell",
        Unjudged::Errored(_) => "Failed to run",
    }
}
