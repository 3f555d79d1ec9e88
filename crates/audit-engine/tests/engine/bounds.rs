//! What exceeds a limit is not stored, and checks claim nothing about it.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::sync::Arc;
use std::time::Duration;

use audit_engine::bounds::{
    MAX_ALTERNATES_BYTES, MAX_RESOURCE_BODY_BYTES, MAX_RESOURCE_HEADER_BYTES, MAX_STYLESHEET_BYTES,
};
use audit_engine::checks::find;
use audit_engine::gather::{Headers, Recording};
use audit_engine::{Audit, AuditOptions, Auditor};
use testkit::ReplayFetcher;
use url::Url;

const START: &str = "https://example.com/";

/// A site, built from its files.
#[derive(Default)]
struct TestSite(Recording);

impl TestSite {
    fn add(&mut self, path: &str, headers: &[(&str, &str)], body: impl Into<bytes::Bytes>) {
        let url = Url::parse(START).unwrap().join(path).unwrap();
        let headers = headers.iter().copied().collect::<Headers>();
        self.0.add(&url, 200, headers, body);
    }

    fn page(&mut self, path: &str, html: &str) {
        let html = format!("<!doctype html><html lang=en><title>Ferries</title>{html}");
        self.add(path, &[("content-type", "text/html")], html);
    }

    /// Audits the site with one check.
    fn audit(self, check: &str) -> Audit {
        let options = AuditOptions {
            retry_pause: Duration::ZERO,
            max_rate: Some(1e6),
            external: false,
            only: Some(find(check).into_iter().collect()),
            ..AuditOptions::default()
        };
        let fetcher = Arc::new(ReplayFetcher::new(self.0));
        let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(auditor.audit(START)).unwrap()
    }
}

fn affected(audit: &Audit) -> u64 {
    let tallies = audit.result.tallies.checks.iter();
    tallies.map(|tally| tally.failed).sum()
}

#[test]
fn script_bodies_are_stored_up_to_a_limit() {
    const MIB: usize = 1024 * 1024;
    let number = MAX_RESOURCE_BODY_BYTES / MIB + 3;
    let mut site = TestSite::default();
    let body = bytes::Bytes::from("x".repeat(MIB));
    let mut html = String::new();
    for script in 0..number {
        html.push_str(&format!("<script src=/{script}.js></script>"));
        let headers = [("content-type", "text/javascript")];
        site.add(&format!("/{script}.js"), &headers, body.clone());
    }
    site.page("/", &html);
    let audit = site.audit("js-too-heavy");
    let resources = &audit.site.resources;
    assert_eq!(resources.len(), number);
    let kept: usize = resources.iter().map(|resource| resource.body.len()).sum();
    assert!(kept <= MAX_RESOURCE_BODY_BYTES + number * 64, "{kept}");
    assert!(kept > MAX_RESOURCE_BODY_BYTES - MIB, "{kept}");
    let sizes = resources.iter().map(|resource| resource.bytes);
    assert_eq!(sizes.sum::<u64>(), u64::try_from(number * MIB).unwrap());
}

#[test]
fn resource_headers_are_stored_up_to_a_limit() {
    let long = "x".repeat(MAX_RESOURCE_HEADER_BYTES);
    let mut site = TestSite::default();
    let headers = [
        ("content-type", "text/javascript"),
        ("x-long", &long),
        ("cache-control", "no-store"),
    ];
    site.add("/a.js", &headers, "1");
    site.page("/", "<script src=/a.js></script>");
    let audit = site.audit("js-too-heavy");
    let kept = &audit.site.resources[0].headers;
    assert!(!kept.has("x-long"));
    assert_eq!(kept.get("cache-control"), Some("no-store"));
}

#[test]
fn language_versions_beyond_the_limit_are_not_evaluated() {
    let audit_with = |versions: usize| {
        let mut site = TestSite::default();
        let path = "x".repeat(1_000);
        let others: String = (0..versions)
            .map(|number| format!("<link rel=alternate hreflang=fr href=/{number}/{path}>"))
            .collect();
        // The other page has no hreflang return link to this one.
        let here =
            "<link rel=alternate hreflang=en href=/><link rel=alternate hreflang=de href=/de>";
        site.page("/", &format!("{here}{others}<a href=/de>Deutsch</a>"));
        site.page("/de", "<link rel=alternate hreflang=de href=/de>");
        site.audit("hreflang-no-return")
    };
    let few = audit_with(0);
    assert!(!few.site.pages[0].alternates_cut);
    assert_eq!(affected(&few), 1);
    let many = audit_with(100);
    let page = &many.site.pages[0];
    let kept = page.alternates.iter();
    let kept: usize = kept
        .map(|(code, url)| code.len() + url.as_str().len())
        .sum();
    assert!(
        page.alternates_cut && kept <= MAX_ALTERNATES_BYTES,
        "{kept}"
    );
    assert_eq!(affected(&many), 0);
}

#[test]
fn style_sheets_beyond_the_budget_are_not_used() {
    const SHEET: usize = 900 * 1024;
    let fit = MAX_STYLESHEET_BYTES / SHEET;
    let audit_with = |comment: usize| {
        let css = format!("/*{}*/.other{{display:none}}", "x".repeat(comment));
        let mut site = TestSite::default();
        let mut linked = String::new();
        for sheet in 0..=fit {
            site.add(
                &format!("/{sheet}.css"),
                &[("content-type", "text/css")],
                css.clone(),
            );
            if sheet < fit {
                linked.push_str(&format!("<link rel=stylesheet href=/{sheet}.css>"));
            }
        }
        let image = "<div class=menu><img src=/x.png></div><a href=/b>next</a>";
        site.page("/", &format!("{linked}<body>{image}"));
        let last = format!("<link rel=stylesheet href=/{fit}.css>");
        site.page("/b", &format!("{last}<body>{image}"));
        site.audit("image-alt")
    };
    assert_eq!(affected(&audit_with(10)), 2);
    assert_eq!(affected(&audit_with(SHEET)), 1);
}
