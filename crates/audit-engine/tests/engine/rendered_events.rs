//! Checks that judge what happens while a browser shows the pages of a site.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use audit_engine::gather::{
    FileCoverage, MessageKind, PageEvents, PageMessage, PageRequest, RequestEnd,
};
use audit_engine::lab::RequestKind;
use domain::report::AuditResult;
use testkit::ReplayRenderer;
use url::Url;

use crate::replayed::{self, START, options};

/// Audits a start page and two pages behind it, on which this happens.
fn audit(check: &str, more: &str, events: [PageEvents; 3]) -> AuditResult {
    let markup = "<!doctype html><title>x</title><script src=/a.js></script><a href=/1>1</a><a href=/2>2</a>";
    let start = Url::parse(START).unwrap();
    let mut renderer = ReplayRenderer::new();
    let mut site = more.to_owned();
    for (path, events) in ["/", "/1", "/2"].into_iter().zip(events) {
        let url = start.join(path).unwrap();
        renderer = renderer.shows(&url, markup).with_events(&url, events);
        site += &format!("\n=== {path}\n{markup}");
    }
    replayed::audit(&site, renderer, options(&[check])).result
}

#[test]
fn one_fault_on_all_pages_is_one_cause() {
    let events = |number: u32| PageEvents {
        messages: vec![PageMessage {
            kind: MessageKind::Exception,
            text: format!(
                "Error: chunk {number} of https://example.com/c.js?v={number} is missing"
            ),
            url: START.to_owned(),
            line: number,
            column: 1,
            count: number,
        }],
        requests: vec![PageRequest {
            url: format!("https://example.com/gone.js?page={number}"),
            kind: RequestKind::Script,
            end: RequestEnd::Status(404),
            wire_bytes: 0,
        }],
        ..PageEvents::default()
    };
    let found = audit("console-errors", "", [events(1), events(20), events(333)]);
    let causes: Vec<(u64, &str)> = found.findings[0]
        .causes
        .iter()
        .map(|cause| (cause.occurrences_total, cause.title.as_str()))
        .collect();
    let expected = [
        (
            3,
            "Uncaught exception: Error: chunk 1 of https://example.com/c.js?v=1 is missing",
        ),
        (
            3,
            "Request for script fails with status 404: https://example.com/gone.js",
        ),
    ];
    assert_eq!(causes, expected);
}

#[test]
fn code_that_one_page_uses_is_used() {
    let script =
        "=== /a.js\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n%repeat 6000 harbour();";
    let events = |unused: (u32, u32)| {
        let url = "https://example.com/a.js".to_owned();
        PageEvents {
            coverage: Some(vec![FileCoverage::new(url, 60_000, vec![unused])]),
            ..PageEvents::default()
        }
    };
    let messages = |all: [(u32, u32); 3]| {
        let found = audit("js-unused", script, all.map(events));
        let judged: u64 = found.tallies.checks.iter().map(|tally| tally.judged).sum();
        assert_eq!(judged, 1);
        let places = found
            .findings
            .iter()
            .flat_map(|finding| finding.occurrences());
        places
            .map(|place| place.message.clone())
            .collect::<Vec<_>>()
    };
    let failing = messages([(0, 60_000), (20_000, 60_000), (0, 50_000)]);
    assert_eq!(failing.len(), 1);
    assert!(
        failing[0].starts_with("50 percent of the script did not run on any of the 3 pages"),
        "{failing:?}"
    );
    assert_eq!(
        messages([(0, 60_000), (40_000, 60_000), (0, 50_000)]),
        Vec::<String>::new()
    );
}

#[test]
fn a_script_that_an_exception_ends_is_not_called_unused() {
    let script =
        "=== /a.js\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n%repeat 6000 harbour();";
    let url = "https://example.com/a.js";
    let events = PageEvents {
        messages: vec![PageMessage {
            kind: MessageKind::Exception,
            text: "ReferenceError: x is not defined".to_owned(),
            url: url.to_owned(),
            line: 1,
            column: 1,
            count: 1,
        }],
        coverage: Some(vec![FileCoverage::new(
            url.to_owned(),
            60_000,
            vec![(100, 60_000)],
        )]),
        ..PageEvents::default()
    };
    let found = audit(
        "js-unused",
        script,
        [events.clone(), events.clone(), events],
    );
    assert!(found.findings.is_empty());
}

#[test]
fn pages_without_coverage_say_nothing_about_scripts() {
    let found = audit("js-unused", "", [(); 3].map(|()| PageEvents::default()));
    assert!(found.findings.is_empty());
    assert!(found.tallies.checks.iter().all(|tally| tally.judged == 0));
}
