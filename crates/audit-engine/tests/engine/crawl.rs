//! How a site is crawled: which pages, in which order, with which requests.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test panics on unexpected results"
)]

use std::sync::Arc;
use std::time::Duration;

use audit_engine::gather::robots::Pattern;
use audit_engine::gather::{FetchFuture, Fetcher, Headers, Recording, Request};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor, Remedy};
use domain::FailureCode;
use domain::report::StoppedBy;
use testkit::ReplayFetcher;
use url::Url;

const START: &str = "https://example.com/";

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        ..AuditOptions::default()
    }
}

fn run(fetcher: &ReplayFetcher, options: AuditOptions, url: &str) -> Result<Audit, AuditError> {
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options);
    tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(url))
}

fn crawl(site: &str, options: AuditOptions) -> (Audit, ReplayFetcher) {
    let fetcher = ReplayFetcher::parse(site).unwrap();
    let audit = run(&fetcher, options, START).unwrap();
    (audit, fetcher)
}

fn failure(site: &str) -> (FailureCode, String) {
    let fetcher = ReplayFetcher::parse(site).unwrap();
    let error = run(&fetcher, options(), START).unwrap_err();
    (error.code().unwrap(), error.to_string())
}

fn pages(audit: &Audit) -> Vec<&str> {
    audit
        .site
        .pages
        .iter()
        .map(|page| page.url.path())
        .collect()
}

/// A site in which page n links to pages 3n+1, 3n+2 and 3n+3.
fn tree(count: usize) -> Recording {
    let mut recording = Recording::default();
    let headers = || Headers::from_iter([("content-type", "text/html")]);
    for n in 0..count {
        let links: String = (3 * n + 1..=3 * n + 3)
            .filter(|child| *child < count)
            .map(|child| format!("<a href=/{child}>{child}</a>"))
            .collect();
        let path = if n == 0 { String::new() } else { n.to_string() };
        let url = Url::parse(START).unwrap().join(&path).unwrap();
        recording.add(
            &url,
            200,
            headers(),
            format!("<title>Page {n}</title>{links}"),
        );
    }
    recording
}

#[test]
fn pages_are_ordered_breadth_first_with_any_number_of_connections() {
    let mut seen = Vec::new();
    for concurrency in [1, 2, 32] {
        let fetcher = ReplayFetcher::new(tree(100));
        let options = AuditOptions {
            concurrency: Some(concurrency),
            ..options()
        };
        let audit = run(&fetcher, options, START).unwrap();
        let expected: Vec<String> = (1..100).map(|n| format!("/{n}")).collect();
        assert_eq!(pages(&audit)[1..], expected);
        let mut requests = fetcher.log();
        requests.sort();
        seen.push((audit.result, requests));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn the_page_cap_is_exact_and_takes_the_lowest_numbers() {
    for concurrency in [1, 32] {
        let fetcher = ReplayFetcher::new(tree(100));
        let options = AuditOptions {
            max_pages: 17,
            concurrency: Some(concurrency),
            ..options()
        };
        let audit = run(&fetcher, options, START).unwrap();
        assert_eq!(audit.site.pages.len(), 17);
        assert_eq!(pages(&audit).last(), Some(&"/16"));
        assert_eq!(audit.result.coverage.stopped_by, Some(StoppedBy::PageCap));
        assert!(!audit.result.coverage.complete);
        // No page beyond the cap was requested.
        assert_eq!(fetcher.hits("https://example.com/17"), 0);
    }
}

#[test]
fn responses_that_are_not_pages_do_not_count_towards_the_cap() {
    let (audit, _) = crawl(
        "=== /\n<a href=/gone>x</a><a href=/a.pdf>p</a><a href=/b>b</a><a href=/c>c</a>\n\
         === /a.pdf\nHTTP/1.1 200 OK\nContent-Type: application/pdf\n\nx\n\
         === /b\n<p>b\n=== /c\n<p>c\n",
        AuditOptions {
            max_pages: 3,
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/", "/b", "/c"]);
}

#[test]
fn reaching_the_cap_exactly_keeps_the_crawl_complete() {
    let fetcher = ReplayFetcher::new(tree(5));
    let audit = run(
        &fetcher,
        AuditOptions {
            max_pages: 5,
            ..options()
        },
        START,
    )
    .unwrap();
    assert!(audit.result.coverage.complete);
}

#[test]
fn depth_is_counted_in_clicks() {
    let (audit, fetcher) = crawl(
        "=== /\n<a href=/1>1</a>\n=== /1\n<a href=/2>2</a>\n=== /2\n<p>2\n",
        AuditOptions {
            max_depth: Some(1),
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/", "/1"]);
    assert_eq!(fetcher.hits("https://example.com/2"), 0);
    assert_eq!(audit.result.coverage.stopped_by, Some(StoppedBy::Depth));
}

#[test]
fn patterns_select_pages_and_make_the_crawl_incomplete() {
    const SITE: &str = "=== /\n<a href=/docs/a>a</a><a href=/docs/b?print=1>b</a><a href=/blog>c</a>\n\
         === /docs/a\n<p>a\n=== /docs/b?print=1\n<p>b\n=== /blog\n<p>c\n";
    let patterns = |texts: &[&str]| texts.iter().map(|text| Pattern::new(text)).collect();
    let (audit, fetcher) = crawl(
        SITE,
        AuditOptions {
            include: patterns(&["/docs/"]),
            exclude: patterns(&["*print="]),
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/", "/docs/a"]);
    // Excluded pages are fetched for their links, once each.
    assert_eq!(fetcher.hits("https://example.com/blog"), 1);
    assert_eq!(fetcher.hits("https://example.com/docs/b?print=1"), 1);
    let coverage = &audit.result.coverage;
    assert!(!coverage.complete);
    assert_eq!(coverage.stopped_by, None);
    assert_eq!(coverage.skipped, [("excluded".to_owned(), 2)]);
}

#[test]
fn the_start_page_is_audited_regardless_of_patterns() {
    let (audit, _) = crawl(
        "=== /\n<a href=/a>a</a>\n=== /a\n<p>a\n",
        AuditOptions {
            include: vec![Pattern::new("/nothing")],
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/"]);
}

#[test]
fn urls_that_differ_only_in_their_fragment_are_requested_once() {
    let (_, fetcher) = crawl(
        "=== /\n<a href=/a#x>x</a><a href=/a#y>y</a>\n=== /a\n<p>a\n",
        options(),
    );
    assert_eq!(fetcher.hits("https://example.com/a"), 1);
}

#[test]
fn a_trailing_slash_distinguishes_urls_and_is_never_added_or_removed() {
    let (_, fetcher) = crawl("=== /\n<a href=/about>x</a>\n=== /about\n<p>a\n", options());
    assert_eq!(fetcher.hits("https://example.com/about"), 1);
    assert_eq!(fetcher.hits("https://example.com/about/"), 0);
}

#[test]
fn an_internal_redirect_is_followed_once_and_is_not_a_page() {
    let (audit, fetcher) = crawl(
        "=== /\n<a href=/old>o</a><a href=/new>n</a>\n\
         === /old\nHTTP/1.1 301 Moved\nLocation: new\n\n=== /new\n<p>n\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/new"]);
    assert_eq!(fetcher.hits("https://example.com/new"), 1);
    let old = audit
        .site
        .lookup(&Url::parse("https://example.com/old").unwrap())
        .unwrap()
        .0;
    assert_eq!(
        audit.site.page_behind(old).map(|page| page.url.path()),
        Some("/new")
    );
}

#[test]
fn links_to_other_sites_are_counted_and_not_requested() {
    let (audit, fetcher) = crawl(
        "=== /\n<a href=https://other.example.org/>o</a><a href=https://docs.example.com/>d</a>\n",
        options(),
    );
    assert_eq!(audit.result.coverage.skipped, [("external".to_owned(), 2)]);
    assert_eq!(fetcher.hits("https://other.example.org/"), 0);
}

#[test]
fn external_links_are_requested_with_head_and_then_with_get() {
    let fetcher = ReplayFetcher::parse(
        "=== /\n<a href=https://a.example.org/>a</a><a href=https://b.example.org/>b</a>\n\
         === https://a.example.org/\n<p>a\n",
    )
    .unwrap();
    run(
        &fetcher,
        AuditOptions {
            external: true,
            ..options()
        },
        START,
    )
    .unwrap();
    assert_eq!(fetcher.hits("https://a.example.org/"), 1);
    assert_eq!(fetcher.hits("https://b.example.org/"), 2);
}

#[test]
fn robots_txt_is_obeyed_and_disallowed_urls_are_counted() {
    let (audit, fetcher) = crawl(
        "=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: assaybot\nDisallow: /private\n\
         === /\n<a href=/private/a>p</a><a href=/b>b</a>\n=== /b\n<p>b\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/b"]);
    assert_eq!(fetcher.hits("https://example.com/private/a"), 0);
    assert_eq!(
        audit.result.coverage.skipped,
        [("robots_disallowed".to_owned(), 1)]
    );
}

#[test]
fn robots_txt_can_be_ignored() {
    let (audit, _) = crawl(
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /\n=== /\n<p>x\n",
        AuditOptions {
            respect_robots: false,
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/"]);
}

#[test]
fn sitemap_urls_come_last_in_url_order() {
    let (audit, _) = crawl(
        "=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nSitemap: https://example.com/map.xml\n\
         === /map.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
         <url><loc>https://example.com/z</loc></url><url><loc>https://example.com/y</loc></url>\
         <url><loc>https://example.com/a</loc></url></urlset>\n\
         === /\n<a href=/a>a</a>\n=== /a\n<p>a\n=== /y\n<p>y\n=== /z\n<p>z\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/a", "/y", "/z"]);
    let depths: Vec<_> = audit.site.pages.iter().map(|page| page.depth).collect();
    assert_eq!(depths, [Some(0), Some(1), None, None]);
}

#[test]
fn a_landing_on_the_same_registrable_domain_is_adopted() {
    let fetcher = ReplayFetcher::parse(
        "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://www.example.com/en/\n\n\
         === https://www.example.com/en/\n<a href=https://example.com/b>b</a>\n\
         === https://example.com/b\n<p>b\n",
    )
    .unwrap();
    let audit = run(&fetcher, options(), "http://example.com/").unwrap();
    assert_eq!(audit.site.start.as_str(), "https://www.example.com/en/");
    assert_eq!(pages(&audit), ["/en/", "/b"]);
}

#[test]
fn a_redirect_to_another_domain_ends_the_audit() {
    let (code, message) = failure("=== /\nHTTP/1.1 302 Found\nLocation: https://example.org/\n\n");
    assert_eq!(code, FailureCode::RedirectedElsewhere);
    assert!(message.contains("https://example.org/"), "{message}");
}

#[test]
fn a_redirect_to_a_private_address_is_not_followed() {
    let (code, _) =
        failure("=== /\nHTTP/1.1 302 Found\nLocation: http://169.254.169.254/latest/\n\n");
    assert_eq!(code, FailureCode::TargetNotAllowed);
}

#[test]
fn a_redirect_loop_ends_the_audit() {
    let (code, _) = failure(
        "=== /\nHTTP/1.1 302 Found\nLocation: /a\n\n=== /a\nHTTP/1.1 302 Found\nLocation: /\n\n",
    );
    assert_eq!(code, FailureCode::TooManyRedirects);
}

#[test]
fn a_site_that_blocks_the_crawler_has_no_score() {
    for answer in [
        "403 Forbidden\n",
        "429 Too Many\n",
        "503 Busy\nCf-Mitigated: challenge\n",
    ] {
        let (code, message) = failure(&format!("=== /\nHTTP/1.1 {answer}\n"));
        assert_eq!(code, FailureCode::Blocked, "{message}");
    }
}

#[test]
fn a_disallowed_start_page_is_not_requested() {
    let fetcher = ReplayFetcher::parse(
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /\n=== /\n<p>x\n",
    )
    .unwrap();
    let error = run(&fetcher, options(), START).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::RobotsDisallowed));
    assert_eq!(error.remedy(), Some(&Remedy::IgnoreRobots));
    assert!(!error.to_string().contains("--"), "{error}");
    assert_eq!(fetcher.hits(START), 0);
}

#[test]
fn a_failing_robots_txt_disallows_everything_and_a_failing_site_is_reported() {
    let (code, message) = failure("=== /robots.txt\nHTTP/1.1 503 Busy\n\n=== /\n<p>x\n");
    assert_eq!(code, FailureCode::RobotsDisallowed, "{message}");
    let (code, message) =
        failure("=== /robots.txt\nHTTP/1.1 500 Oops\n\n=== /\nHTTP/1.1 500 Oops\n\n");
    assert_eq!(code, FailureCode::HttpError, "{message}");
}

#[test]
fn a_start_page_that_is_not_html_has_no_score() {
    let (code, message) =
        failure("=== /\nHTTP/1.1 200 OK\nContent-Type: application/pdf\n\n%PDF-1.7\n");
    assert_eq!(code, FailureCode::NotHtml);
    assert!(message.contains("application/pdf"), "{message}");
}

#[test]
fn a_page_with_one_503_is_retried() {
    let (_, fetcher) = crawl(
        "=== /\n<a href=/busy>b</a>\n=== /busy\nHTTP/1.1 503 Busy\n\n",
        options(),
    );
    assert_eq!(fetcher.hits("https://example.com/busy"), 3);
}

#[test]
fn each_resource_is_requested_once() {
    let (audit, fetcher) = crawl(
        "=== /\n<link rel=stylesheet href=/s.css><a href=/b>b</a><img src=/i.png>\n\
         === /b\n<link rel=stylesheet href=/s.css><script src=https://cdn.example.net/x.js></script>\n\
         === /s.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\nbody{}\n",
        options(),
    );
    assert_eq!(fetcher.hits("https://example.com/s.css"), 1);
    assert_eq!(fetcher.hits("https://cdn.example.net/x.js"), 0);
    let sheet = audit
        .site
        .resources
        .iter()
        .find(|r| r.url.path() == "/s.css")
        .unwrap();
    assert_eq!((sheet.pages, sheet.bytes), (2, 6));
}

#[test]
fn loopback_is_refused_with_the_target_that_would_be_allowed() {
    let fetcher = ReplayFetcher::parse("=== http://127.0.0.1:8080/\n<p>x\n").unwrap();
    let error = run(&fetcher, options(), "http://127.0.0.1:8080/").unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::TargetNotAllowed));
    let remedy = Remedy::AllowTarget("127.0.0.1:8080".to_owned());
    assert_eq!(error.remedy(), Some(&remedy));
    assert!(!error.to_string().contains("--"), "{error}");
    assert_eq!(fetcher.count(), 0);
}

#[test]
fn an_invalid_url_is_a_usage_error() {
    for url in [
        "",
        "example.com",
        "ftp://example.com/",
        "https://u:p@example.com/",
        "https://",
    ] {
        let fetcher = ReplayFetcher::default();
        let error = run(&fetcher, options(), url).unwrap_err();
        assert!(matches!(error, AuditError::InvalidUrl(_)), "{url}: {error}");
    }
}

#[test]
fn what_is_stored_of_a_large_site_does_not_depend_on_the_connections() {
    let links = |from: usize, count: usize| -> String {
        (from..from + count)
            .map(|n| format!("<a href=/{n}>{n}</a>"))
            .collect()
    };
    let mut site = format!("=== /\n{}\n", links(0, 10_090));
    for n in 0..10 {
        site += &format!("=== /{n}\n{}\n", links(20_000 + 10 * n, 10));
    }
    let kept = [1, 32].map(|concurrency| {
        let options = AuditOptions {
            max_pages: 11,
            concurrency: Some(concurrency),
            only: Some(Vec::new()),
            ..options()
        };
        let (audit, _) = crawl(&site, options);
        let pages = audit.site.pages.iter();
        pages.map(|page| page.links.len()).collect::<Vec<_>>()
    });
    assert!(kept[0][3] < 10, "{kept:?}");
    assert_eq!(kept[0], kept[1]);
}

/// Replays a recording, and panics for one path.
struct Panics(Recording, &'static str);

impl Fetcher for Panics {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        assert_ne!(request.url.path(), self.1, "as the test wants it");
        self.0.fetch(request)
    }
}

#[test]
fn a_panicking_visit_loses_only_one_page() {
    let site = "=== /\n<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>\n\
                === /1\n<p>1\n=== /2\n<p>2\n=== /3\n<a href=/4>4</a>\n=== /4\n<p>4\n";
    let fetcher = Arc::new(Panics(Recording::parse(site).unwrap(), "/2"));
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options());
    let audit = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(START))
        .unwrap();
    assert_eq!(pages(&audit), ["/", "/1", "/3", "/4"]);
    let coverage = &audit.result.coverage;
    assert_eq!(coverage.stopped_by, None);
    assert_eq!((coverage.pages_discovered, coverage.pages_fetched), (5, 5));
}
