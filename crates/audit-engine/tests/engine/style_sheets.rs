//! Pages are audited with their linked style sheets.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::sync::Arc;
use std::time::Duration;

use audit_engine::checks::find;
use audit_engine::gather::{Headers, Recording};
use audit_engine::{Audit, AuditOptions, Auditor};
use testkit::ReplayFetcher;
use url::Url;

const START: &str = "https://example.com/";
const IMAGE: &str = "<div class=menu><img src=/x.png></div><a href=/b>next</a>";

/// A site of two pages that have an image without alt text and link style sheets.
fn audit(head: &str, sheets: &[(&str, &str)]) -> (Audit, ReplayFetcher) {
    audit_with("image-alt", &format!("{head}<body>{IMAGE}"), sheets)
}

/// As [`audit`], with this check and this content of both pages.
fn audit_with(check: &str, content: &str, sheets: &[(&str, &str)]) -> (Audit, ReplayFetcher) {
    let mut recording = Recording::default();
    let mut add = |path: &str, kind: &str, body: String| {
        let url = Url::parse(START).unwrap().join(path).unwrap();
        recording.add(
            &url,
            200,
            Headers::from_iter([("content-type", kind)]),
            body,
        );
    };
    let page = format!("<!doctype html><html lang=en>{content}");
    add("/", "text/html", page.clone());
    add("/b", "text/html", page);
    for (path, css) in sheets {
        let kind = if *path == "/robots.txt" {
            "text/plain"
        } else {
            "text/css"
        };
        add(path, kind, (*css).to_owned());
    }
    let fetcher = ReplayFetcher::new(recording);
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        only: Some(find(check).into_iter().collect()),
        ..AuditOptions::default()
    };
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    (runtime.block_on(auditor.audit(START)).unwrap(), fetcher)
}

/// The number of pages on which the image is reported.
fn found(head: &str, sheets: &[(&str, &str)]) -> u64 {
    failed(&audit(head, sheets).0)
}

/// The number of pages on which the check fails.
fn failed(audit: &Audit) -> u64 {
    audit
        .result
        .tallies
        .checks
        .iter()
        .map(|tally| tally.failed)
        .sum()
}

const LINKED: &str = "<link rel=stylesheet href=/s.css>";

#[test]
fn elements_hidden_by_a_linked_sheet_are_not_evaluated() {
    assert_eq!(found(LINKED, &[("/s.css", ".menu{display:none}")]), 0);
    assert_eq!(found(LINKED, &[("/s.css", ".other{display:none}")]), 2);
    // A missing style sheet hides nothing.
    assert_eq!(found(LINKED, &[]), 2);
}

#[test]
fn colors_of_linked_sheets_are_judged_on_every_page() {
    let found = |head: &str, css: &str| {
        let content = format!("{head}<body><p class=menu>Some text <a href=/b>next</a>");
        let sheets = [("/s.css", css), ("/t.css", ".menu{background:#000}")];
        failed(&audit_with("color-contrast", &content, &sheets).0)
    };
    assert_eq!(found(LINKED, ".menu{color:#999}"), 2);
    assert_eq!(found(LINKED, ".menu{color:#333}"), 0);
    assert_eq!(found(LINKED, "@import 't.css';.menu{color:#333}"), 2);
    // A sheet that does not exist changes nothing, also in browsers.
    let missing = format!("{LINKED}<link rel=stylesheet href=/missing.css>");
    assert_eq!(found(&missing, ".menu{color:#999}"), 2);
    // One that no request is sent for may change everything.
    let elsewhere = format!("{LINKED}<link rel=stylesheet href=https://cdn.example.net/s.css>");
    assert_eq!(found(&elsewhere, ".menu{color:#999}"), 0);
}

#[test]
fn the_order_of_sheets_in_the_page_decides() {
    let hides = ("/s.css", ".menu{display:none}");
    let shows = "<style>.menu{display:block}</style>";
    assert_eq!(found(&format!("{LINKED}{shows}"), &[hides]), 2);
    assert_eq!(found(&format!("{shows}{LINKED}"), &[hides]), 0);
    let two = "<link rel=stylesheet href=/t.css><link rel=stylesheet href=/s.css>";
    assert_eq!(found(two, &[hides, ("/t.css", ".menu{display:block}")]), 0);
}

#[test]
fn only_sheets_whose_media_match_the_viewport_count() {
    let hides = ("/s.css", ".menu{display:none}");
    for (head, affected) in [
        ("<link rel=stylesheet href=/s.css media=print>", 2),
        (
            "<link rel=stylesheet href=/s.css media='(max-width:40em)'>",
            2,
        ),
        (
            "<link rel=stylesheet href=/s.css media='(min-width:20em)'>",
            0,
        ),
        // The menu is visible on phones.
        (
            "<link rel=stylesheet href=/s.css media='(min-width:40em)'>",
            2,
        ),
        ("<link rel=stylesheet href=/s.css disabled>", 2),
        ("<link rel='alternate stylesheet' title=x href=/s.css>", 2),
    ] {
        assert_eq!(found(head, &[hides]), affected, "{head}");
    }
}

#[test]
fn imported_sheets_come_before_the_importing_sheet() {
    let a = ("/a.css", ".menu{display:none}");
    let imports = "@import 'a.css';";
    assert_eq!(found(LINKED, &[("/s.css", imports), a]), 0);
    let over = "@import url(a.css);.menu{display:flex}";
    assert_eq!(found(LINKED, &[("/s.css", over), a]), 2);
    let circle = ("/a.css", "@import 's.css';.menu{display:none}");
    assert_eq!(found(LINKED, &[("/s.css", imports), circle]), 0);
}

#[test]
fn a_sheet_is_requested_once_and_not_if_robots_txt_disallows_it() {
    let sheets = [("/s.css", "@import 'a.css';"), ("/a.css", "p{color:red}")];
    let (_, fetcher) = audit(LINKED, &sheets);
    for path in ["s.css", "a.css"] {
        let asked = format!("GET https://example.com/{path}");
        let times = fetcher.log().iter().filter(|line| **line == asked).count();
        assert_eq!(times, 1, "{path}");
    }
    let robots = ("/robots.txt", "User-agent: *\nDisallow: /s.css\n");
    let (_, fetcher) = audit(LINKED, &[robots, ("/s.css", ".menu{display:none}")]);
    assert!(!fetcher.log().iter().any(|line| line.ends_with("/s.css")));
}

#[test]
fn a_sheet_that_imports_itself_causes_no_delay() {
    let hides = ".menu{display:none}";
    let many = format!("{}{hides}", "@import 's.css';".repeat(75_000));
    // It exceeds the limit for a sheet, so its effect is unknown.
    assert_eq!(found(LINKED, &[("/s.css", &many)]), 2);
    let some = format!("{}{hides}", "@import 's.css';".repeat(100));
    assert_eq!(found(LINKED, &[("/s.css", &some)]), 0);
}
