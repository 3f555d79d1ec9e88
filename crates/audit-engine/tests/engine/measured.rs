//! Audits with pages that a browser measures, with a renderer that replays loads.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use audit_engine::check::Need;
use audit_engine::checks::catalogue;
use audit_engine::lab::{
    Frame, Histogram, LargestPaint, MachineIndexes, MeasuredLoad, Observed, Shift, Task,
};
use audit_engine::{Audit, AuditOptions, LabOptions};
use domain::report::{LabProfile, MAX_MEASURED_PAGES, PageMeasurement, Report, Unjudged, Variant};
use domain::score::{DimensionWeights, Share};
use domain::waiver::{AuditWaivers, Waiver, WaiverAuthor, WaiverAuthorKind, WaiverTerms};
use domain::{Confidence, Dimension};
use testkit::ReplayRenderer;
use url::Url;

use crate::replayed::{self, START, options};

fn at(path: &str) -> Url {
    Url::parse(START).unwrap().join(path).unwrap()
}

/// A load that paints after this time, and shifts and blocks nothing.
fn load(path: &str, lcp_ms: u32) -> MeasuredLoad {
    MeasuredLoad {
        url: at(path),
        profile: LabProfile::MobileSlow4g,
        benchmark: MachineIndexes {
            mean: 1_100,
            before: 1_000,
            after: 1_000,
        },
        is_settled: true,
        observed: Observed {
            fcp_ms: Some(900),
            largest: Some(LargestPaint {
                at_ms: lcp_ms,
                ..LargestPaint::default()
            }),
            frames: vec![Frame {
                at_ms: 900,
                histogram: Histogram::of_rgb(&[0; 300]),
            }],
            main_thread_ms: Some(500),
            ended_ms: 9_000,
            ..Observed::default()
        },
    }
}

fn unsteady(path: &str) -> MeasuredLoad {
    MeasuredLoad {
        benchmark: MachineIndexes {
            mean: 1_000,
            before: 1_000,
            after: 400,
        },
        ..load(path, 9_000)
    }
}

/// The checks that need measured pages.
fn of_metrics() -> AuditOptions {
    let checks = catalogue().into_iter();
    let ids: Vec<&str> = checks
        .filter(|check| check.needs(Need::Measured))
        .map(|check| check.id)
        .collect();
    assert_eq!(ids.len(), 7);
    options(&ids)
}

/// Audits a site of these pages, which the start page links to.
fn audit(paths: &[&str], renderer: ReplayRenderer, options: AuditOptions) -> Audit {
    let links: String = paths
        .iter()
        .map(|path| format!("<a href={path}>Page</a>"))
        .collect();
    let home = format!("<!doctype html><title>Home</title><p>Text</p>{links}");
    let (mut site, mut renderer) = (String::new(), renderer);
    for path in paths.iter().chain(&["/"]) {
        let markup = if *path == "/" {
            home.as_str()
        } else {
            "<title>Page</title><p>Text"
        };
        site += &format!(
            "=== https://example.com{path}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{markup}\n"
        );
        renderer = renderer.shows(&at(path), markup);
    }
    replayed::audit(&site, renderer, options)
}

/// Audits a site of one page that has these loads. Returns also what was measured.
fn audit_with_start_page_loads(loads: [MeasuredLoad; 3]) -> (Audit, PageMeasurement) {
    let renderer = ReplayRenderer::new().measures(&at("/"), loads);
    let audit = audit(&[], renderer, of_metrics());
    let measured = &audit.result.coverage.measured;
    assert_eq!(measured.len(), 1, "{measured:#?}");
    let page = measured[0].clone();
    (audit, page)
}

fn report(audit: &Audit) -> Report {
    Report::assemble(
        &audit.result,
        Variant::Current,
        &DimensionWeights::default(),
    )
}

#[test]
fn the_start_page_has_three_loads_and_the_median_one_is_reported() {
    let loads = [load("/", 4_000), load("/", 2_500), load("/", 9_000)];
    let (audit, page) = audit_with_start_page_loads(loads);
    assert_eq!((page.runs, page.metrics.lcp_ms), (3, Some(4_000)));
    assert_eq!((page.confidence, page.benchmark), (Confidence::High, 1_100));
    // 0.25 × 0.5, and the other grades are 1.
    assert_eq!(page.score, Some(Share::from_billionths(875_000_000)));
    let ids = audit
        .result
        .findings
        .iter()
        .map(|found| found.check_id.as_str());
    assert_eq!(ids.collect::<Vec<_>>(), ["lcp"]);
}

#[test]
fn a_start_page_that_does_not_settle_is_loaded_once() {
    let never_rests = MeasuredLoad {
        is_settled: false,
        ..load("/", 4_000)
    };
    let loads = [never_rests, load("/", 2_500), load("/", 2_500)];
    let (_, page) = audit_with_start_page_loads(loads);
    assert_eq!((page.runs, page.metrics.lcp_ms), (1, Some(4_000)));
    assert_eq!(page.confidence, Confidence::Medium);
}

#[test]
fn one_page_of_each_pattern_is_measured_and_five_in_all() {
    let paths = ["/a/1", "/a/2", "/b/1", "/c/1", "/d/1", "/e/1"];
    let mut renderer = ReplayRenderer::new().measures(&at("/"), [load("/", 900)]);
    for path in paths {
        renderer = renderer.measures(&at(path), [load(path, 900)]);
    }
    let audit = audit(&paths, renderer, of_metrics());
    let measured = audit.result.coverage.measured.iter();
    let urls: Vec<Url> = measured.map(|page| page.url.parse().unwrap()).collect();
    let expected = ["/", "/a/1", "/b/1", "/c/1", "/d/1"].map(at);
    assert_eq!(urls, expected);
}

#[test]
fn the_number_of_measured_pages_is_limited() {
    let paths: Vec<String> = (0..2 * MAX_MEASURED_PAGES)
        .map(|number| format!("/{}/", "x".repeat(number + 1)))
        .collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut renderer = ReplayRenderer::new().measures(&at("/"), [load("/", 900)]);
    for path in &paths {
        renderer = renderer.measures(&at(path), [load(path, 900)]);
    }
    let options = AuditOptions {
        lab: LabOptions {
            pages: usize::MAX,
            ..LabOptions::default()
        },
        ..of_metrics()
    };
    let measured = audit(&paths, renderer, options).result.coverage.measured;
    assert_eq!(measured.len(), MAX_MEASURED_PAGES);
}

#[test]
fn a_page_is_loaded_once_more_if_the_machine_changed() {
    let renderer = ReplayRenderer::new()
        .measures(&at("/"), [unsteady("/"), load("/", 2_500)])
        .measures(
            &at("/a/1"),
            [unsteady("/a/1"), unsteady("/a/1"), load("/a/1", 900)],
        );
    let audit = audit(&["/a/1"], renderer, of_metrics());
    let [home, other] = &*audit.result.coverage.measured else {
        panic!("{:#?}", audit.result.coverage);
    };
    assert_eq!((home.confidence, home.runs), (Confidence::High, 1));
    assert_eq!((other.confidence, other.score), (Confidence::Low, None));
    assert_eq!(other.metrics.lcp_ms, Some(9_000));
    assert_eq!(audit.result.findings, []);
    let reasons: Vec<_> = audit
        .result
        .unjudged
        .iter()
        .map(|check| &check.why)
        .collect();
    assert_eq!(reasons.len(), 6);
    assert!(
        reasons
            .iter()
            .all(|why| matches!(why, Unjudged::CannotTell(reason) if reason.contains("speed")))
    );
    let metrics = audit.result.tallies.metrics.unwrap();
    assert_eq!(metrics.pages.count, 1);
}

#[test]
fn a_page_that_leads_elsewhere_or_does_not_load_is_not_measured() {
    let elsewhere = MeasuredLoad {
        url: at("/elsewhere"),
        ..load("/a/1", 900)
    };
    let renderer = ReplayRenderer::new()
        .measures(&at("/"), [load("/", 900)])
        .measures(&at("/a/1"), [elsewhere]);
    let audit = audit(&["/a/1", "/b/1"], renderer, of_metrics());
    assert_eq!(audit.result.coverage.measured.len(), 1);
    let not_measured = ("page_not_measured".to_owned(), 2);
    assert!(audit.result.coverage.skipped.contains(&not_measured));
    assert!(audit.result.coverage.complete);
}

#[test]
fn without_measured_pages_the_checks_do_not_run_and_the_score_is_that_of_the_others() {
    let audit = audit(&[], ReplayRenderer::new(), of_metrics());
    assert_eq!(audit.result.coverage.measured, []);
    assert_eq!(audit.result.tallies.metrics, None);
    let reasons = audit.result.unjudged.iter().map(|check| check.why.reason());
    assert!(
        reasons.clone().count() == 7 && reasons.clone().all(|why| why == "no page was measured")
    );
    let report = report(&audit);
    assert_eq!(
        report.score.dimensions[&Dimension::Performance].metrics,
        None
    );
}

#[test]
fn metrics_are_seven_tenths_of_performance_and_their_gains_are_what_is_missing() {
    let mut slow = load("/", 4_000);
    slow.observed.long_tasks = vec![Task {
        at_ms: 1_000,
        ms: 650,
    }];
    slow.observed.shifts = vec![Shift {
        at_ms: 1_500,
        millionths: 250_000,
    }];
    let audit = audit(
        &[],
        ReplayRenderer::new().measures(&at("/"), [slow]),
        of_metrics(),
    );
    let report = report(&audit);
    let performance = &report.score.dimensions[&Dimension::Performance];
    // 20 + 80 / 2 of the metrics, and nothing else was found.
    assert_eq!(performance.metrics.unwrap().mean().to_points(), 60.0);
    assert_eq!(performance.score.to_points(), 72.0);
    let costs: Vec<(&str, f64)> = performance
        .checks
        .iter()
        .filter(|check| check.cost > Share::ZERO)
        .map(|check| (check.check_id.as_str(), check.cost.to_points()))
        .collect();
    assert_eq!(costs, [("cls", 8.75), ("lcp", 8.75), ("tbt", 10.5)]);
    let issues: Vec<&str> = report
        .issues
        .iter()
        .map(|issue| issue.check_id.as_str())
        .collect();
    assert_eq!(issues, ["tbt", "cls", "lcp"], "the largest gain first");
    // Pages have no part in it.
    assert_eq!(performance.pages.mean(), Share::ONE);
}

#[test]
fn a_waiver_makes_a_metric_cost_nothing() {
    let terms = WaiverTerms {
        check_id: "lcp".to_owned(),
        path: None,
        cause: None,
        reason: "The image is the product.".to_owned(),
        expires_at: None,
    };
    let author = WaiverAuthor {
        kind: WaiverAuthorKind::File,
        id: None,
        name: "the file".to_owned(),
    };
    let waivers = AuditWaivers::at(
        [Waiver::of_file(terms, author)],
        "2026-11-21T12:00:00Z".parse().unwrap(),
    );
    let options = AuditOptions {
        waivers,
        ..of_metrics()
    };
    let renderer = ReplayRenderer::new().measures(&at("/"), [load("/", 9_000)]);
    let report = report(&audit(&[], renderer, options));
    assert_eq!(
        report.score.dimensions[&Dimension::Performance].subscore,
        100
    );
    assert_eq!(report.issues[0].waived, 1);
}
