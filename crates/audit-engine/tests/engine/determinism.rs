//! The same site gives the same result with any number of connections and in repeated audits.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test panics on unexpected results"
)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use audit_engine::check::{Check, Rule};
use audit_engine::checks::catalogue;
use audit_engine::egress::EgressOptions;
use audit_engine::{AuditOptions, Auditor};
use domain::report::{AuditResult, Report, Variant};
use domain::score::DimensionWeights;
use testkit::LoopbackServer;
use testkit::hostile::{Behaviour, HostileServer};
use testkit::large_site::{Defect, LargeSite};

/// The number of connections of five audits.
const CONNECTIONS: [usize; 5] = [1, 2, 32, 32, 1];

/// The pages of the largest site here, and the cap for a site of endless pages.
const MAX_PAGES: u32 = 100;
const TRAPPED_PAGES: u32 = 60;

/// Checks that measure time; they have no weight.
const MEASURED: [&str; 1] = ["ttfb"];

/// All checks except those that measure time.
fn all() -> Vec<&'static Check> {
    catalogue()
        .into_iter()
        .filter(|check| !MEASURED.contains(&check.id))
        .collect()
}

/// Site checks, which could depend on the order of responses, and the checks for the defects of a
/// large site.
fn of_the_site() -> Vec<&'static Check> {
    let mut checks = all();
    checks.retain(|check| {
        let defect = Defect::ALL.iter().any(|defect| defect.check() == check.id);
        defect || !matches!(check.rule, Rule::Page(_) | Rule::Summary(..))
    });
    checks
}

/// A site served on loopback.
struct Site<'a> {
    start: &'a str,
    target: &'a str,
    max_pages: u32,
}

/// An audit's complete output as text: the result, and the scores computed from it.
fn audited(site: &Site<'_>, connections: usize, only: Vec<&'static Check>) -> String {
    let allow = [site.target.parse().unwrap()].into_iter().collect();
    let options = AuditOptions {
        concurrency: Some(connections),
        retry_pause: Duration::ZERO,
        max_pages: site.max_pages,
        external: false,
        only: Some(only),
        ..AuditOptions::default()
    };
    let auditor =
        Auditor::with_egress(EgressOptions::new(allow, "TestBot/1.0".to_owned()), options).unwrap();
    let audit = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(auditor.audit(site.start))
        .unwrap();
    let mut result: AuditResult = audit.result;
    // The number of requests includes failed requests that were retried.
    result.coverage.requests = 0;
    for visit in &mut result.pages {
        // A measured time.
        visit.details.response_ms = None;
    }
    let report = Report::assemble(&result, Variant::Current, &DimensionWeights::default());
    let pages: Vec<&str> = audit
        .site
        .pages
        .iter()
        .map(|page| page.url.as_str())
        .collect();
    format!("{pages:#?}\n{:#?}\n{result:#?}", report.score)
}

fn assert_the_same(site: &Site<'_>, only: &[&'static Check]) {
    let mut first: Option<String> = None;
    for connections in CONNECTIONS {
        let audited = audited(site, connections, only.to_vec());
        let Some(first) = &first else {
            first = Some(audited);
            continue;
        };
        if let Some((one, other)) = first
            .lines()
            .zip(audited.lines())
            .find(|(one, other)| one != other)
        {
            panic!("with {connections} connections: {one} became {other}");
        }
        assert_eq!(first.len(), audited.len());
    }
}

/// Audits a large site with `pages` pages.
fn assert_the_same_of(pages: u32, only: &[&'static Check]) {
    let made = Arc::new(OnceLock::new());
    let server = LoopbackServer::start({
        let made = Arc::clone(&made);
        move |request| {
            let site: &LargeSite = made.wait();
            site.respond(request)
        }
    })
    .unwrap();
    let origin = format!("http://{}", server.target());
    made.set(LargeSite::new(pages, 5, &origin, &Defect::ALL))
        .unwrap();
    let site = Site {
        start: &format!("{origin}/"),
        target: &server.target(),
        max_pages: MAX_PAGES,
    };
    assert_the_same(&site, only);
}

#[test]
fn a_large_site_has_the_same_result_with_1_2_and_32_connections() {
    assert_the_same_of(MAX_PAGES, &of_the_site());
}

#[test]
fn every_check_has_the_same_result_with_1_2_and_32_connections() {
    assert_the_same_of(12, &all());
}

#[test]
fn a_site_of_crawl_traps_has_the_same_result_with_1_2_and_32_connections() {
    let server = HostileServer::start(&[
        Behaviour::Calendar,
        Behaviour::Facets,
        Behaviour::GrowingPath,
        Behaviour::SessionIds,
        Behaviour::SameBody,
        Behaviour::EndlessPages,
        Behaviour::RedirectCircle,
        Behaviour::RedirectEndless,
        Behaviour::Closed,
        Behaviour::LengthTooLong,
        Behaviour::TruncatedGzip,
        Behaviour::SitemapCircle,
    ])
    .unwrap();
    let start = server.start_url();
    let site = Site {
        start: start.as_str(),
        target: &server.target(),
        max_pages: TRAPPED_PAGES,
    };
    assert_the_same(&site, &of_the_site());
}
