//! Where robots.txt is requested, and what the response means: RFC 9309, sections 2.3 and 2.5.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::sync::Arc;
use std::time::Duration;

use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use domain::FailureCode;
use rstest::rstest;
use testkit::ReplayFetcher;

const START: &str = "https://example.com/";
const SITE: &str = "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\n<p>a\n=== /b\n<p>b\n";
const FORBIDS_A: &str =
    "HTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /a\n";

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        ..AuditOptions::default()
    }
}

fn run(site: &str, url: &str) -> (Result<Audit, AuditError>, ReplayFetcher) {
    let fetcher = ReplayFetcher::parse(site).unwrap();
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options());
    let audit = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(url));
    (audit, fetcher)
}

fn pages(site: &str) -> Vec<String> {
    let (audit, _) = run(site, START);
    let audit = audit.unwrap();
    let pages = audit.site.pages.iter();
    pages.map(|page| page.url.path().to_owned()).collect()
}

fn refused(site: &str) -> (FailureCode, ReplayFetcher) {
    let (audit, fetcher) = run(site, START);
    (audit.unwrap_err().code().unwrap(), fetcher)
}

#[test]
fn section_2_3_the_file_is_requested_first_at_the_top_level_in_lower_case() {
    let (audit, fetcher) = run(SITE, "https://example.com/b");
    assert!(audit.is_ok());
    assert_eq!(
        fetcher.log().first().map(String::as_str),
        Some("GET https://example.com/robots.txt")
    );
}

#[rstest]
#[case("http://example.com:8080/", "http://example.com:8080/robots.txt")]
#[case("http://example.com/", "http://example.com/robots.txt")]
#[case("https://www.example.com/x/y?z", "https://www.example.com/robots.txt")]
fn section_2_3_the_file_belongs_to_scheme_and_authority(#[case] url: &str, #[case] robots: &str) {
    let (_, fetcher) = run(
        &format!("=== {robots}\n{FORBIDS_A}\n=== {url}\n<p>x\n"),
        url,
    );
    assert_eq!(fetcher.hits(robots), 1);
}

#[test]
fn section_2_3_1_1_a_fetched_file_is_followed() {
    assert_eq!(
        pages(&format!("{SITE}=== /robots.txt\n{FORBIDS_A}")),
        ["/", "/b"]
    );
}

#[test]
fn section_2_3_1_1_the_media_type_is_ignored() {
    let html = FORBIDS_A.replace("text/plain", "text/html");
    assert_eq!(
        pages(&format!("{SITE}=== /robots.txt\n{html}")),
        ["/", "/b"]
    );
}

#[test]
fn an_html_page_instead_of_the_file_has_no_rules() {
    let html = "<!doctype html><title>Home</title><p>Disallow: /";
    assert_eq!(
        pages(&format!("{SITE}=== /robots.txt\n{html}\n")),
        ["/", "/a", "/b"]
    );
}

/// A robots.txt after `hops` redirects from host to host.
fn behind(hops: usize) -> String {
    let at = |n: usize| match n {
        0 => "https://example.com/robots.txt".to_owned(),
        n => format!("https://h{n}.example.org/r"),
    };
    let redirects: String = (0..hops)
        .map(|n| {
            format!(
                "=== {}\nHTTP/1.1 302 Found\nLocation: {}\n\n",
                at(n),
                at(n + 1)
            )
        })
        .collect();
    format!("{SITE}{redirects}=== {}\n{FORBIDS_A}", at(hops))
}

#[rstest]
#[case(1)]
#[case(5)]
fn section_2_3_1_2_five_redirects_are_followed_and_apply_to_the_first_host(#[case] hops: usize) {
    assert_eq!(pages(&behind(hops)), ["/", "/b"]);
}

#[test]
fn section_2_3_1_2_more_redirects_make_the_file_unavailable() {
    assert_eq!(pages(&behind(6)), ["/", "/a", "/b"]);
    let circle = "=== /robots.txt\nHTTP/1.1 302 Found\nLocation: /robots.txt\n\n";
    assert_eq!(pages(&format!("{SITE}{circle}")), ["/", "/a", "/b"]);
}

#[test]
fn a_redirect_to_a_forbidden_target_is_not_followed_and_disallows_everything() {
    let (audit, fetcher) = run_guarded(
        "=== /robots.txt\nHTTP/1.1 302 Found\nLocation: http://169.254.169.254/robots.txt\n\n\
         === http://169.254.169.254/robots.txt\nFAILS not-allowed\n",
    );
    assert_eq!(
        audit.unwrap_err().code(),
        Some(FailureCode::RobotsDisallowed)
    );
    assert!(!fetcher.log().contains(&format!("GET {START}")));
}

fn run_guarded(robots: &str) -> (Result<Audit, AuditError>, ReplayFetcher) {
    run(&format!("{SITE}{robots}"), START)
}

#[rstest]
#[case(400)]
#[case(401)]
#[case(403)]
#[case(404)]
#[case(410)]
#[case(451)]
fn section_2_3_1_3_without_a_file_everything_may_be_fetched(#[case] status: u16) {
    let robots = format!("=== /robots.txt\nHTTP/1.1 {status} X\n\nUser-agent: *\nDisallow: /\n");
    assert_eq!(pages(&format!("{SITE}{robots}")), ["/", "/a", "/b"]);
}

/// Google treats 429 as a server error. In the RFC it is in the 400-499 range.
#[test]
fn section_2_3_1_3_status_429_is_in_the_range_400_to_499() {
    let robots = "=== /robots.txt\nHTTP/1.1 429 Too Many\n\n";
    assert_eq!(pages(&format!("{SITE}{robots}")), ["/", "/a", "/b"]);
}

#[rstest]
#[case(500)]
#[case(502)]
#[case(503)]
#[case(504)]
#[case(599)]
fn section_2_3_1_4_a_server_error_disallows_everything(#[case] status: u16) {
    let robots = format!("=== /robots.txt\nHTTP/1.1 {status} X\n\nUser-agent: *\nAllow: /\n");
    let (code, fetcher) = refused(&format!("{SITE}{robots}"));
    assert_eq!(code, FailureCode::RobotsDisallowed);
    assert!(!fetcher.log().contains(&format!("GET {START}")));
}

#[rstest]
#[case("timeout", FailureCode::Timeout)]
#[case("connect", FailureCode::ConnectionRefused)]
#[case("dns", FailureCode::DnsFailure)]
#[case("tls", FailureCode::TlsError)]
fn section_2_3_1_4_a_network_error_ends_the_audit_before_any_page(
    #[case] kind: &str,
    #[case] expected: FailureCode,
) {
    let (code, fetcher) = refused(&format!("{SITE}=== /robots.txt\nFAILS {kind}\n"));
    assert_eq!(code, expected);
    assert_eq!(fetcher.hits(START), 0);
}

#[rstest]
#[case("FAILS timeout\n")]
#[case("FAILS connect\n")]
#[case("HTTP/1.1 503 Busy\n\n")]
fn section_2_3_1_4_applies_after_a_redirect_as_well(#[case] answer: &str) {
    let robots = format!(
        "=== /robots.txt\nHTTP/1.1 301 Moved\nLocation: https://cdn.example.org/r\n\n\
         === https://cdn.example.org/r\n{answer}"
    );
    assert_eq!(
        refused(&format!("{SITE}{robots}")).0,
        FailureCode::RobotsDisallowed
    );
}

#[test]
fn section_2_4_the_file_is_requested_once_per_audit_and_not_cached() {
    let (_, fetcher) = run(SITE, START);
    assert_eq!(fetcher.hits("https://example.com/robots.txt"), 1);
}

#[test]
fn section_2_5_the_part_of_a_file_beyond_500_kib_is_ignored() {
    let filler = "# filler\n".repeat(60_000);
    let robots = format!(
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /b\n{filler}Disallow: /a\n"
    );
    assert_eq!(pages(&format!("{SITE}{robots}")), ["/", "/a"]);
}

#[test]
fn robots_txt_of_every_origin_in_the_redirect_chain_is_requested() {
    let (audit, fetcher) = run(
        "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n\
         === https://example.com/\nHTTP/1.1 301 Moved\nLocation: https://www.example.com/\n\n\
         === https://www.example.com/\n<p>home\n",
        "http://example.com/",
    );
    assert!(audit.is_ok());
    for origin in [
        "http://example.com",
        "https://example.com",
        "https://www.example.com",
    ] {
        assert_eq!(fetcher.hits(&format!("{origin}/robots.txt")), 1, "{origin}");
    }
}

#[test]
fn an_origin_in_the_redirect_chain_that_disallows_the_start_url_ends_the_audit() {
    let (audit, fetcher) = run(
        "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n\
         === https://example.com/robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /\n\
         === https://example.com/\n<p>home\n",
        "http://example.com/",
    );
    assert_eq!(
        audit.unwrap_err().code(),
        Some(FailureCode::RobotsDisallowed)
    );
    assert_eq!(fetcher.hits(START), 0);
}

#[test]
fn resources_sitemaps_and_probes_obey_robots_txt_as_well() {
    let site = "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /*.css$\nDisallow: /sitemap\n\
         Disallow: /llms.txt\nDisallow: /hidden\n\
         === /\n<link rel=stylesheet href=/s.css><img src=/i.png><a href=/hop>h</a>\n\
         === /hop\nHTTP/1.1 302 Found\nLocation: /hidden\n\n";
    let (audit, fetcher) = run(site, START);
    assert!(audit.is_ok());
    assert_eq!(fetcher.hits("https://example.com/i.png"), 1);
    for path in [
        "s.css",
        "sitemap.xml",
        "sitemap_index.xml",
        "llms.txt",
        "hidden",
    ] {
        assert_eq!(
            fetcher.hits(&format!("https://example.com/{path}")),
            0,
            "{path}"
        );
    }
}

#[test]
fn section_2_3_each_origin_has_its_own_file_and_is_requested_once() {
    let site = "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /x\n\
         === https://www.example.com/robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /y\n\
         === http://example.com/robots.txt\nFAILS connect\n\
         === /\n<a href=/x>1</a><a href=/y>2</a><a href=https://www.example.com/x>3</a>\
         <a href=https://www.example.com/y>4</a><a href=http://example.com/x>5</a>\n\
         === /y\n<p>y\n=== https://www.example.com/x\n<p>x\n";
    let (audit, fetcher) = run(site, START);
    let audit = audit.unwrap();
    let pages: Vec<&str> = audit
        .site
        .pages
        .iter()
        .map(|page| page.url.as_str())
        .collect();
    assert_eq!(
        pages,
        [START, "https://example.com/y", "https://www.example.com/x"]
    );
    assert_eq!(
        audit.result.coverage.skipped,
        [("robots_disallowed".to_owned(), 2)]
    );
    assert_eq!(fetcher.hits("https://www.example.com/robots.txt"), 1);
    assert_eq!(fetcher.hits("https://www.example.com/y"), 0);
    assert_eq!(fetcher.hits("http://example.com/x"), 0);
}

#[test]
fn twin_an_audit_that_ignores_robots_txt_requests_it_from_no_other_origin() {
    let site = format!("{SITE}=== https://www.example.com/\n<p>www\n");
    let fetcher =
        ReplayFetcher::parse(&site.replace("<a href=/b>", "<a href=https://www.example.com/>"))
            .unwrap();
    let options = AuditOptions {
        respect_robots: false,
        ..options()
    };
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options);
    let audit = tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(START));
    assert!(audit.is_ok());
    // Requested for the link, and as the site's other host name.
    assert_eq!(fetcher.hits("https://www.example.com/"), 2);
    assert_eq!(fetcher.hits("https://www.example.com/robots.txt"), 0);
}
