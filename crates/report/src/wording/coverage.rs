//! How much of a site was seen.

use domain::report::{Coverage, CrawlMode, StoppedBy};
use domain::text::{count, enumeration, grouped};

/// How pages were read.
pub(crate) const fn mode(mode: CrawlMode) -> &'static str {
    match mode {
        CrawlMode::Static => "as the server sent them",
        CrawlMode::Rendered => "in a browser, after their scripts",
    }
}

/// Why the crawl ended early.
pub(crate) const fn stop(stopped: StoppedBy) -> &'static str {
    match stopped {
        StoppedBy::PageCap => "The crawl stopped at the page limit.",
        StoppedBy::Depth => "Pages deeper than the limit were not visited.",
        StoppedBy::Deadline => "The crawl ran out of time; what it saw is scored.",
        StoppedBy::Cancelled => "The crawl was cancelled; what it saw is scored.",
    }
}

/// [`stop`], for readers at the command line.
pub(crate) const fn stop_on_terminal(stopped: StoppedBy) -> &'static str {
    match stopped {
        StoppedBy::PageCap => "The crawl stopped at the page limit; --max-pages raises it.",
        other => stop(other),
    }
}

/// [`stop`], in few words behind a semicolon.
pub(crate) const fn stop_in_short(stopped: StoppedBy) -> &'static str {
    match stopped {
        StoppedBy::PageCap => "; the page limit ended the crawl",
        StoppedBy::Depth => "; deeper pages were not visited",
        StoppedBy::Deadline => "; the crawl ran out of time",
        StoppedBy::Cancelled => "; the crawl was cancelled",
    }
}

/// "Audited 12 pages, as the server sent them, with 31 requests. …"
pub(crate) fn sentences(coverage: &Coverage) -> String {
    sentences_with(coverage, stop)
}

/// [`sentences`], for readers at the command line.
pub(crate) fn sentences_on_terminal(coverage: &Coverage) -> String {
    sentences_with(coverage, stop_on_terminal)
}

fn sentences_with(coverage: &Coverage, stop: fn(StoppedBy) -> &'static str) -> String {
    let stopped = coverage.stopped_by.map_or("", stop).to_owned();
    let sentences = [pages(coverage), stopped, skipped(coverage)];
    let shown = sentences.into_iter().filter(|text| !text.is_empty());
    shown.collect::<Vec<_>>().join(" ")
}

/// "Audited 12 pages, as the server sent them. The crawl stopped at the page limit."
#[cfg(feature = "pdf")]
pub(crate) fn sentences_in_short(coverage: &Coverage) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let audited = format!("Audited {pages}, {}.", mode(coverage.mode));
    match coverage.stopped_by {
        None => audited,
        Some(stopped) => format!("{audited} {}", stop(stopped)),
    }
}

/// Whether every page was seen, and why not.
#[cfg(feature = "pdf")]
pub(crate) const fn completeness(coverage: &Coverage) -> &'static str {
    match (coverage.complete, coverage.stopped_by) {
        (true, _) => "Every page that was found was seen.",
        (false, None) => "Not every page that was found was seen.",
        (false, Some(stopped)) => stop(stopped),
    }
}

fn pages(coverage: &Coverage) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let others = coverage
        .pages_discovered
        .saturating_sub(coverage.pages_audited);
    let requests = count(coverage.requests, "request", "requests");
    let audited = format!("Audited {pages}, {}, with {requests}.", mode(coverage.mode));
    match others {
        0 => audited,
        1 => format!("{audited} One more address was found that is no page, or was not visited."),
        others => format!(
            "{audited} {} more addresses were found that are no pages, or were not visited.",
            grouped(others)
        ),
    }
}

/// The reasons why addresses were skipped, and how many were.
pub(crate) fn skip_reasons(coverage: &Coverage) -> impl Iterator<Item = (String, u64)> {
    let reasons = coverage.skipped.iter().filter(|(_, number)| *number > 0);
    reasons.map(|(reason, number)| (reason.replace('_', " "), *number))
}

/// "Skipped: robots disallowed (12) and external (1,204)."
fn skipped(coverage: &Coverage) -> String {
    let reasons: Vec<_> = skip_reasons(coverage)
        .map(|(reason, number)| format!("{reason} ({})", grouped(number)))
        .collect();
    if reasons.is_empty() {
        String::new()
    } else {
        format!("Skipped: {}.", enumeration(&reasons))
    }
}
