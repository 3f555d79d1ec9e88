//! How much of a site was audited.

use std::borrow::Cow;

use domain::report::{Coverage, CrawlMode, StoppedBy};
use domain::text::{count, enumeration, grouped};

use super::lab;

/// How pages were loaded.
pub(crate) fn mode(coverage: &Coverage) -> Cow<'static, str> {
    match coverage.mode {
        CrawlMode::Static => Cow::Borrowed("static HTML"),
        CrawlMode::Rendered if coverage.pages_rendered < coverage.pages_audited => {
            Cow::Owned(format!(
                "{} of them rendered in a browser",
                grouped(coverage.pages_rendered)
            ))
        }
        CrawlMode::Rendered => Cow::Borrowed("rendered in a browser"),
    }
}

/// Why the crawl ended early.
pub(crate) const fn stop(stopped: StoppedBy) -> &'static str {
    match stopped {
        StoppedBy::PageCap => "The crawl stopped at the page limit.",
        StoppedBy::Depth => "Pages deeper than the limit were not visited.",
        StoppedBy::Deadline => {
            "The crawl reached its time limit; the scores cover the pages audited so far."
        }
        StoppedBy::Cancelled => {
            "The crawl was cancelled; the scores cover the pages audited so far."
        }
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
        StoppedBy::PageCap => "; the crawl stopped at the page limit",
        StoppedBy::Depth => "; deeper pages were not visited",
        StoppedBy::Deadline => "; the crawl reached its time limit",
        StoppedBy::Cancelled => "; the crawl was cancelled",
    }
}

/// "Audited 12 pages (static HTML) with 31 requests. …"
#[must_use]
pub fn sentences(coverage: &Coverage) -> String {
    sentences_with(coverage, stop)
}

/// [`sentences`], for readers at the command line.
pub(crate) fn sentences_on_terminal(coverage: &Coverage) -> String {
    sentences_with(coverage, stop_on_terminal)
}

fn sentences_with(coverage: &Coverage, stop: fn(StoppedBy) -> &'static str) -> String {
    let stopped = coverage.stopped_by.map_or("", stop).to_owned();
    let measured = lab::sentences(coverage);
    let sentences = [pages(coverage), stopped, skipped(coverage), measured];
    let shown = sentences.into_iter().filter(|text| !text.is_empty());
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether all pages were audited, and why not.
#[cfg(feature = "pdf")]
pub(crate) const fn completeness(coverage: &Coverage) -> &'static str {
    match (coverage.complete, coverage.stopped_by) {
        (true, _) => "All discovered pages were audited.",
        (false, None) => "Not all discovered pages were audited.",
        (false, Some(stopped)) => stop(stopped),
    }
}

fn pages(coverage: &Coverage) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let others = coverage
        .pages_discovered
        .saturating_sub(coverage.pages_audited);
    let requests = count(coverage.requests, "request", "requests");
    let audited = format!("Audited {pages} ({}) with {requests}.", mode(coverage));
    match others {
        0 => audited,
        1 => {
            format!("{audited} One more URL was discovered that is not a page or was not visited.")
        }
        others => format!(
            "{audited} {} more URLs were discovered that are not pages or were not visited.",
            grouped(others)
        ),
    }
}

/// The reasons why URLs were skipped, with counts.
pub(crate) fn skip_reasons(coverage: &Coverage) -> impl Iterator<Item = (String, u64)> {
    let reasons = coverage.skipped.iter().filter(|(_, number)| *number > 0);
    reasons.map(|(reason, number)| (skip_reason(reason), *number))
}

/// The reason why URLs were skipped, by its name in the API, as it follows "Skipped:".
fn skip_reason(name: &str) -> String {
    let words = match name {
        "robots_disallowed" => "disallowed by robots.txt",
        "depth" => "deeper than the depth limit",
        "page_cap" => "beyond the page limit",
        "deadline" => "not reached within the time limit",
        "cancelled" => "not reached before the audit was cancelled",
        "external" => "on other sites",
        "target_not_allowed" => "at addresses that are not allowed",
        "excluded" => "excluded by the options",
        "trap" => "part of a crawl trap",
        "url_too_long" => "with a URL that is too long",
        "budget" => "beyond the request limit",
        "artifact_not_stored" => "pictures, which could not be stored",
        "page_not_measured" => "the measuring of pages",
        "page_over_run_render_limit" => {
            "the rendering of pages beyond the plan's limit for a run, which were judged as served"
        }
        "page_over_monthly_render_limit" => {
            "the rendering of pages beyond the plan's limit for the month, which were judged as served"
        }
        "page_not_rendered" => "the rendering of pages, which were judged as served",
        // Of a later version's report.
        other => return other.replace('_', " "),
    };
    words.to_owned()
}

/// "Skipped: disallowed by robots.txt (12) and on other sites (1,204)."
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
