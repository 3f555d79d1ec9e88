//! How much was seen, and what was not judged.

use domain::report::{Coverage, CrawlMode, Report, StoppedBy, UnjudgedCheck};
use domain::text::{count, enumeration, grouped};

use crate::unjudged::{by_reason, number, verb};

use super::sheet::{PLAIN, Sheet};

/// How many checks without a verdict are named for each reason.
const NAMED: usize = 5;

pub(super) fn write(sheet: &mut Sheet, coverage: &Coverage) {
    let said = told(coverage, stopped(coverage));
    sheet.paragraph("", &said, PLAIN);
}

/// How much was seen, for readers who are at no command line.
pub(crate) fn sentences(coverage: &Coverage) -> String {
    let stopped = match coverage.stopped_by {
        Some(StoppedBy::PageCap) => "The crawl stopped at the page limit.",
        _ => stopped(coverage),
    };
    told(coverage, stopped)
}

fn told(coverage: &Coverage, stopped: &str) -> String {
    let sentences = [pages(coverage), stopped.to_owned(), skipped(coverage)];
    let said = sentences.into_iter().filter(|text| !text.is_empty());
    said.collect::<Vec<_>>().join(" ")
}

/// One paragraph for each reason why checks gave no verdict.
pub(super) fn write_unjudged(sheet: &mut Sheet, report: &Report, all: bool) {
    for line in unjudged(&report.unjudged, all) {
        sheet.paragraph("", &line, PLAIN);
    }
}

fn pages(coverage: &Coverage) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let others = coverage
        .pages_discovered
        .saturating_sub(coverage.pages_audited);
    let requests = count(coverage.requests, "request", "requests");
    let mode = match coverage.mode {
        CrawlMode::Static => "as the server sent them",
        CrawlMode::Rendered => "in a browser, after their scripts",
    };
    let audited = format!("Audited {pages}, {mode}, with {requests}.");
    match others {
        0 => audited,
        1 => format!("{audited} One more address was found that is no page, or was not visited."),
        others => format!(
            "{audited} {} more addresses were found that are no pages, or were not visited.",
            grouped(others)
        ),
    }
}

const fn stopped(coverage: &Coverage) -> &'static str {
    match coverage.stopped_by {
        None => "",
        Some(StoppedBy::PageCap) => "The crawl stopped at the page limit; --max-pages raises it.",
        Some(StoppedBy::Depth) => "Pages deeper than the limit were not visited.",
        Some(StoppedBy::Deadline) => "The crawl ran out of time; what it saw is scored.",
        Some(StoppedBy::Cancelled) => "The crawl was cancelled; what it saw is scored.",
    }
}

/// "Skipped: robots disallowed (12) and external (1,204)."
fn skipped(coverage: &Coverage) -> String {
    let reasons: Vec<_> = coverage
        .skipped
        .iter()
        .filter(|(_, number)| *number > 0)
        .map(|(reason, number)| format!("{} ({})", reason.replace('_', " "), grouped(*number)))
        .collect();
    if reasons.is_empty() {
        String::new()
    } else {
        format!("Skipped: {}.", enumeration(&reasons))
    }
}

/// "Not run (no browser): contrast and focus-order."
fn unjudged(unjudged: &[UnjudgedCheck], all: bool) -> Vec<String> {
    let by_reason = by_reason(unjudged).into_iter();
    by_reason
        .map(|(why, checks)| {
            let checks = checks.into_iter().map(shown).collect();
            let checks = named(checks, all);
            let reason = why.reason().trim_end_matches('.');
            format!("{} ({reason}): {checks}.", verb(why))
        })
        .collect()
}

/// "link-broken-internal (1,204)"
fn shown(check: &UnjudgedCheck) -> String {
    let id = &check.check_id;
    number(check).map_or_else(
        || id.clone(),
        |number| format!("{id} ({})", grouped(number)),
    )
}

fn named(mut checks: Vec<String>, all: bool) -> String {
    // One name takes no more room than "and 1 more".
    if !all && checks.len() > NAMED + 1 {
        let more = checks.len() - NAMED;
        checks.truncate(NAMED);
        checks.push(format!("{more} more"));
    }
    enumeration(&checks)
}
