//! Known failures of audit tools, and tests that this one does not have them. Each test has the
//! number of the failure in the design's list.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::egress::EgressOptions;
use audit_engine::gather::{FetchFuture, Fetcher, Recording, Request};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor, default_user_agent};
use domain::FailureCode;
use domain::report::Finding;
use domain::target::AllowTargets;
use rstest::rstest;
use testkit::{LoopbackServer, ReplayFetcher, TestResponse};
use url::Url;

const START: &str = "https://example.com/";

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    }
}

fn run(fetcher: &ReplayFetcher, options: AuditOptions, url: &str) -> Result<Audit, AuditError> {
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options);
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit(url))
}

fn audit(site: &str) -> (Audit, ReplayFetcher) {
    let fetcher = ReplayFetcher::parse(site).unwrap();
    let audit = run(&fetcher, options(), START).unwrap();
    (audit, fetcher)
}

fn pages(audit: &Audit) -> Vec<&str> {
    audit
        .site
        .pages
        .iter()
        .map(|page| page.url.path())
        .collect()
}

fn findings<'a>(audit: &'a Audit, check: &str) -> Vec<&'a Finding> {
    assert!(
        audit.result.catalogue.iter().any(|id| id == check),
        "there is no check {check}"
    );
    audit
        .result
        .findings
        .iter()
        .filter(|finding| finding.check_id == check)
        .collect()
}

/// The paths on which a check failed.
fn found_on(audit: &Audit, check: &str) -> Vec<String> {
    findings(audit, check)
        .iter()
        .flat_map(|finding| finding.occurrences())
        .map(|found| Url::parse(&found.url).unwrap().path().to_owned())
        .collect()
}

#[test]
fn failure_01_redirects_errors_and_noindex_pages_are_not_audited_as_pages() {
    let (audit, _) = audit(
        "=== /\n<title>Home of the ferries</title><meta name=description content='All ferries of the island, their times and prices.'>\
         <a href=/old>o</a><a href=/gone>g</a><a href=/hidden>h</a><a href=/bare>b</a>\n\
         === /old\nHTTP/1.1 301 Moved\nLocation: /\nContent-Type: text/html\n\n<p>moved\n\
         === /gone\nHTTP/1.1 410 Gone\nContent-Type: text/html\n\n<p>gone\n\
         === /hidden\n<title>Hidden away from all</title><meta name=robots content=noindex><p>x\n\
         === /bare\n<title>Bare of everything</title><p>x\n",
    );
    assert_eq!(pages(&audit), ["/", "/hidden", "/bare"]);
    assert_eq!(found_on(&audit, "description-missing"), ["/bare"]);
    assert!(findings(&audit, "title-missing").is_empty());
}

#[rstest]
#[case("http://example.com/", "https://www.example.com/")]
#[case("https://www.example.com/a", "https://example.com/a/")]
#[case("https://example.com:443/", "https://example.com/en/")]
fn failure_02_a_redirected_start_url_does_not_reduce_the_audit_to_one_page(
    #[case] asked: &str,
    #[case] landed: &str,
) {
    let asked_for = Url::parse(asked).unwrap();
    let fetcher = ReplayFetcher::parse(&format!(
        "=== {asked_for}\nHTTP/1.1 301 Moved\nLocation: {landed}\n\n\
         === {landed}\n<a href=https://example.com/b>b</a><a href=https://www.example.com/c>c</a>\n\
         === https://example.com/b\n<p>b\n=== https://www.example.com/c\n<p>c\n"
    ))
    .unwrap();
    let audit = run(&fetcher, options(), asked).unwrap();
    assert_eq!(audit.site.start.as_str(), landed);
    assert_eq!(audit.site.pages.len(), 3);
}

#[test]
fn failure_02_a_foreign_landing_is_never_adopted() {
    let fetcher =
        ReplayFetcher::parse("=== /\nHTTP/1.1 302 Found\nLocation: https://example.org/\n\n")
            .unwrap();
    let error = run(&fetcher, options(), START).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::RedirectedElsewhere));
    assert_eq!(fetcher.hits("https://example.org/"), 0);
}

#[test]
fn failure_03_a_trailing_slash_distinguishes_urls_and_is_never_added_or_removed() {
    let (both, _) = audit(
        "=== /\n<a href=/about>a</a><a href=/about/>b</a>\n=== /about\n<p>one\n=== /about/\n<p>two\n",
    );
    assert_eq!(pages(&both), ["/", "/about", "/about/"]);
    let (_, fetcher) = audit("=== /\n<a href=/about>a</a>\n=== /about\n<p>one\n");
    assert_eq!(fetcher.hits("https://example.com/about/"), 0);
}

#[test]
fn failure_04_an_incomplete_crawl_reports_no_orphans_depth_or_coverage() {
    const CHECKS: [&str; 3] = ["orphan-page", "sitemap-coverage-gap", "click-depth-high"];
    const SITE: &str = "=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/orphan\n\
         === /\n<a href=/1>1</a>\n=== /1\n<a href=/2>2</a>\n=== /2\n<a href=/3>3</a>\n=== /3\n<a href=/4>4</a>\n\
         === /4\n<a href=/5>5</a>\n=== /5\n<p>5\n=== /orphan\n<p>o\n";
    let (whole, _) = audit(SITE);
    let cut =
        |options: AuditOptions| run(&ReplayFetcher::parse(SITE).unwrap(), options, START).unwrap();
    let capped = cut(AuditOptions {
        max_pages: 6,
        ..options()
    });
    let shallow = cut(AuditOptions {
        max_depth: Some(4),
        ..options()
    });
    for check in CHECKS {
        assert!(!findings(&whole, check).is_empty(), "{check}");
        assert!(findings(&capped, check).is_empty(), "{check}");
        assert!(findings(&shallow, check).is_empty(), "{check}");
    }
}

#[test]
fn failure_04_a_crawl_with_a_trap_reports_no_orphans_depth_or_coverage() {
    const CHECKS: [&str; 3] = ["orphan-page", "sitemap-coverage-gap", "click-depth-high"];
    let site = |linked: &str| {
        format!(
            "=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/\nhttps://example.com/orphan\n\
             === /\n<a href=/1>1</a><a href={linked}>x</a>\n=== /1\n<a href=/2>2</a>\n=== /2\n<a href=/3>3</a>\n\
             === /3\n<a href=/4>4</a>\n=== /4\n<a href=/5>5</a>\n=== /5\n<p>5\n=== /orphan\n<p>o\n"
        )
    };
    let (whole, _) = audit(&site("/1"));
    let (trapped, _) = audit(&site("/a/b/a/b/a/b/a/b/a/b/a/b"));
    assert!(whole.result.coverage.complete);
    let coverage = &trapped.result.coverage;
    assert_eq!(coverage.skipped, [("trap".to_owned(), 1)]);
    assert!(!coverage.complete);
    // The crawl was not cut short: everything but the endless URL space was crawled.
    assert_eq!(coverage.stopped_by, None);
    for check in CHECKS {
        assert!(!findings(&whole, check).is_empty(), "{check}");
        assert!(findings(&trapped, check).is_empty(), "{check}");
    }
}

/// Replays a recording with a delay, and records the number of concurrent requests.
struct Slow {
    recording: Recording,
    under_way: AtomicUsize,
    seen: Mutex<Vec<(String, usize)>>,
}

const ANSWER_TIME: Duration = Duration::from_millis(70);

impl Fetcher for Slow {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(async move {
            let others = self.under_way.fetch_add(1, Ordering::SeqCst);
            let url = request.url.to_string();
            self.seen.lock().unwrap().push((url, others));
            // As in the client: measured from when the request is sent, not from when it is queued.
            let sent = tokio::time::Instant::now();
            tokio::time::sleep(ANSWER_TIME).await;
            let mut answer = self.recording.answer(&request);
            if let Ok(answer) = &mut answer {
                answer.time_to_first_byte = sent.elapsed();
            }
            self.under_way.fetch_sub(1, Ordering::SeqCst);
            answer
        })
    }
}

#[tokio::test(start_paused = true)]
async fn failure_05_time_to_first_byte_excludes_time_in_the_queue() {
    let links: String = (0..40).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
    let fetcher = Arc::new(Slow {
        recording: Recording::parse(&format!("=== /\n{links}\n")).unwrap(),
        under_way: AtomicUsize::new(0),
        seen: Mutex::default(),
    });
    let options = AuditOptions {
        max_rate: Some(1.0),
        crawl_budget: Duration::from_secs(120),
        ..options()
    };
    let shared: Arc<dyn Fetcher> = Arc::<Slow>::clone(&fetcher);
    let auditor = Auditor::with_fetcher(shared, Default::default(), options);
    let audit = auditor.audit(START).await.unwrap();
    assert_eq!(audit.site.probes.first_byte, [ANSWER_TIME; 3]);
    let seen = fetcher.seen.lock().unwrap();
    let timed: Vec<&(String, usize)> = seen.iter().rev().take(4).collect();
    assert!(
        timed
            .iter()
            .all(|(url, others)| url == START && *others == 0),
        "{timed:?}"
    );
}

#[test]
fn failure_05_ttfb_is_measured_on_an_open_connection() {
    let server = LoopbackServer::start(|request| match request.path() {
        "/" => TestResponse::html("<!doctype html><title>Home</title><p>x"),
        _ => TestResponse::new(404, "no"),
    })
    .unwrap();
    let audit = over_network(&[&server], 1);
    assert_eq!(audit.site.probes.first_byte.len(), 3);
    assert_eq!(server.connections(), 1);
}

fn over_network(servers: &[&LoopbackServer], concurrency: usize) -> Audit {
    let allow: AllowTargets = servers
        .iter()
        .map(|server| server.target().parse().unwrap())
        .collect();
    let options = AuditOptions {
        concurrency: Some(concurrency),
        ..options()
    };
    let auditor =
        Auditor::with_egress(EgressOptions::new(allow, default_user_agent()), options).unwrap();
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(auditor.audit(servers[0].url("/").as_str()))
        .unwrap()
}

#[rstest]
#[case("", "<meta name=robots content=none>")]
#[case("", "<meta name=ROBOTS content='nofollow, NOINDEX'>")]
#[case("", "<meta name=googlebot content=noindex>")]
#[case("X-Robots-Tag: noindex\n", "")]
#[case("X-Robots-Tag: googlebot: noindex\n", "")]
#[case("X-Robots-Tag: all\nX-Robots-Tag: none\n", "")]
fn failure_06_noindex_is_recognized_in_every_form(#[case] header: &str, #[case] meta: &str) {
    // On the start page, or on most pages, it is a mistake, and the page is judged as indexable.
    let (audit, _) = audit(&format!(
        "=== /\n<a href=/a>a</a><a href=/b>b</a>\n=== /a\nHTTP/1.1 200 OK\nContent-Type: text/html\n{header}\n\
         <title>A</title>{meta}<p>x\n=== /b\n<p>x\n"
    ));
    let pages = &audit.site.pages;
    let has_noindex: Vec<bool> = pages.iter().map(|page| page.noindex.is_some()).collect();
    assert_eq!(has_noindex, [false, true, false]);
    // A directive that another contradicts is a mistake as well.
    assert_eq!(pages[1].is_indexable(), header.contains("all"));
}

#[test]
fn failure_06_two_canonicals_two_titles_and_a_canonical_in_the_body_are_found() {
    let (audit, _) = audit(
        "=== /\n<!doctype html><html lang=en><head><title>One title</title>\
         <link rel=canonical href=/><link rel=canonical href=/a></head><body><p>x</body></html>\n\
         === /a\n<p>x\n",
    );
    assert!(!findings(&audit, "canonical-multiple").is_empty());
    let (audit, _) = self::audit(
        "=== /\n<!doctype html><html lang=en><head><title>One title</title><title>Two titles</title></head>\
         <body><p>x</p><link rel=canonical href=/></body></html>\n",
    );
    assert!(!findings(&audit, "title-multiple").is_empty());
    assert!(!findings(&audit, "canonical-outside-head").is_empty());
}

#[test]
fn failure_07_common_robots_txt_extensions_are_not_errors() {
    let (audit, _) = audit(
        "=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /x\nCrawl-delay: 0\n\
         Content-Signal: search=yes, ai-train=no\nClean-param: ref /\nHost: example.com\nRequest-rate: 1/5\n\
         === /\n<p>x\n",
    );
    assert!(findings(&audit, "robots-invalid-syntax").is_empty());
}

#[test]
fn failure_08_non_pages_are_not_requested_and_relative_urls_are_resolved() {
    let (audit, fetcher) = audit(
        "=== /\n<a href='mailto:a@example.com'>m</a><a href='tel:+4930'>t</a><a href='data:text/html,x'>d</a>\
         <a href='javascript:void 0'>j</a><a href='#top'>f</a><a href=''>e</a><a href=/dir/old>o</a>\n\
         === /dir/old\nHTTP/1.1 301 Moved\nLocation: new?x=1\n\n\
         === /dir/new?x=1\n<title>New</title><link rel=canonical href='/dir/new?x=1'><p>n\n",
    );
    assert_eq!(pages(&audit), ["/", "/dir/new"]);
    // The page is its own canonical, regardless of the URL that led to it.
    assert!(audit.site.pages[1].is_indexable());
    let strange = fetcher
        .requests()
        .iter()
        .filter(|request| request.url.scheme() != "https" && request.url.scheme() != "http")
        .count();
    assert_eq!(strange, 0);
    assert_eq!(audit.result.coverage.pages_discovered, 3);
}

#[rstest]
#[case("403 Forbidden", false)]
#[case("401 Unauthorized", false)]
#[case("429 Too Many Requests", false)]
#[case("451 Legal", false)]
#[case("503 Busy", false)]
#[case("999 Denied", false)]
#[case("404 Not Found", true)]
#[case("410 Gone", true)]
fn failure_09_a_refusal_is_not_a_broken_link(#[case] answer: &str, #[case] broken: bool) {
    let (audit, _) = audit(&format!(
        "=== /\n<a href=https://other.example.org/x>x</a><a href=https://other.example.org/>o</a>\n\
         === https://other.example.org/x\nHTTP/1.1 {answer}\n\n=== https://other.example.org/\n<p>o\n"
    ));
    assert_eq!(!findings(&audit, "link-broken-external").is_empty(), broken);
}

#[test]
fn failure_09_a_dns_error_is_a_broken_link_and_a_timeout_is_not() {
    let site = |what: &str| {
        format!(
            "=== /\n<a href=https://x.example.org/>x</a><a href=https://other.example.org/>o</a>\n\
             === https://x.example.org/\nFAILS {what}\n=== https://other.example.org/\n<p>o\n"
        )
    };
    let broken = |what: &str| !findings(&audit(&site(what)).0, "link-broken-external").is_empty();
    assert!(!broken("timeout"));
    assert!(broken("dns"));
}

#[rstest]
#[case("403 Forbidden\n")]
#[case("429 Too Many\n")]
#[case("999 Denied\n")]
#[case("503 Busy\nServer: cloudflare\nCf-Mitigated: challenge\n")]
fn failure_09_a_site_that_blocks_the_crawler_has_no_score(#[case] answer: &str) {
    let fetcher = ReplayFetcher::parse(&format!("=== /\nHTTP/1.1 {answer}\n")).unwrap();
    let error = run(&fetcher, options(), START).unwrap_err();
    assert_eq!(error.code(), Some(FailureCode::Blocked));
}

#[rstest]
#[case::the_bad_ones_last(["good_one=1; Secure", "bad_one=1", "bad_two=1"])]
#[case::the_bad_ones_first(["bad_one=1", "bad_two=1", "good_one=1; Secure"])]
#[case::a_good_one_between(["bad_one=1", "good_one=1; Secure", "bad_two=1"])]
fn failure_10_every_set_cookie_counts(#[case] cookies: [&str; 3]) {
    let [one, two, three] = cookies.map(|cookie| format!("Set-Cookie: {cookie}; HttpOnly\n"));
    let (audit, _) = audit(&format!(
        "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\n{one}{two}{three}\n<p>x\n"
    ));
    let found = format!("{:?}", findings(&audit, "cookie-not-secure"));
    assert!(
        found.contains("bad_one") && found.contains("bad_two"),
        "{found}"
    );
    assert!(!found.contains("good_one"), "{found}");
    let set = audit.site.pages[0]
        .headers
        .as_ref()
        .unwrap()
        .get_all("set-cookie");
    assert_eq!(set.count(), 3);
}

#[rstest]
#[case::an_element_that_is_not_closed("<ul><li><div>one</li></ul><p>x", "unclosed")]
#[case::an_attribute_given_twice("<p id=a class=b id=c>x", "duplicate-attribute")]
#[case::overlapping_elements("<b><p>x</b></p>", "misnested")]
#[case::a_head_element_behind_the_body("<p>x</body><title>Times</title></html>", "head-in-body")]
#[case::an_end_within_a_tag("<p>x</p><a href='/x", "ends-early")]
fn failure_11_markup_that_the_parser_repairs_is_reported(
    #[case] markup: &str,
    #[case] cause: &str,
) {
    let page = |body: &str| {
        format!(
            "=== /\n<!doctype html><html lang=en><head><title>Ferries</title></head><body>{body}\n"
        )
    };
    let (broken, _) = audit(&page(markup));
    let causes: Vec<&str> = findings(&broken, "html-parse-errors")
        .iter()
        .flat_map(|finding| &finding.causes)
        .map(|cause| &*cause.key)
        .collect();
    assert!(causes.contains(&cause), "{causes:?}");
    // Optional end tags may be missing.
    let (whole, _) = audit(&page("<ul><li>one<li>two</ul><p>x"));
    assert!(findings(&whole, "html-parse-errors").is_empty());
}

#[test]
fn failure_12_a_finding_stores_a_sample_and_the_exact_total() {
    let images = "<img src=/i.png>".repeat(50);
    let (audit, _) = audit(&format!("=== /\n<title>Images</title>{images}\n"));
    let alt = findings(&audit, "image-alt");
    assert_eq!(alt.len(), 1);
    assert_eq!(alt[0].occurrences_total, 50);
    assert_eq!(alt[0].occurrences().count(), 20);
}

#[test]
fn failure_13_technical_prose_is_not_keyword_stuffing() {
    let prose = "The border router announces the route to every neighbour. A router that hears the route \
         compares its metric with that of the route it has, and the router keeps the better route. ";
    let (audit, _) = audit(&format!(
        "=== /\n<!doctype html><html lang=en><head><title>How a router learns a route</title></head><body><main><h1>Router and route</h1><p>{}</p></main></body></html>\n",
        prose.repeat(4)
    ));
    let about_words: Vec<&str> = audit
        .result
        .findings
        .iter()
        .filter(|finding| finding.dimension == domain::Dimension::Content)
        .map(|finding| &*finding.check_id)
        .collect();
    assert!(about_words.is_empty(), "{about_words:?}");
}

#[test]
fn failure_13_a_licence_does_not_make_a_script_unminified() {
    let site = |script: &str| {
        format!(
            "=== /\n<!doctype html><title>x</title><script src=/a.js defer></script>\n\
             === /a.js\nHTTP/1.1 200 OK\nContent-Type: text/javascript\n\n{script}\n"
        )
    };
    let licence =
        "/*!\n%repeat 400  * Permission is hereby granted, free of charge, to any person. \n */\n";
    let minified = "%repeat 100 function a(b){return b+1}var c=a(2);";
    let readable = "%repeat 200 function   addTide( hours ) {      return hours + 12;    }   ";
    let unminified = |script: &str| !findings(&audit(&site(script)).0, "js-unminified").is_empty();
    assert!(!unminified(&format!("{licence}{minified}")));
    assert!(unminified(&format!("{licence}{readable}")));
}

#[test]
fn failure_13_a_substring_is_not_a_secret_session_or_version() {
    let (audit, _) = audit(
        "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nServer: Apache-Coyote\nSet-Cookie: assessment=1; Secure\n\n\
         <!doctype html><html lang=en><title>x</title><p>Skills: task_live_stream, desk_live_map, obsession.</p>\n",
    );
    for check in [
        "secret-in-source",
        "cookie-not-httponly",
        "cookie-samesite",
        "server-version-exposed",
    ] {
        assert!(findings(&audit, check).is_empty(), "{check}");
    }
}

#[test]
fn failure_13_a_honeypot_field_is_not_hidden_focus() {
    let (audit, _) = audit(
        "=== /\n<!doctype html><html lang=en><title>x</title><main><h1>Write to us</h1><form method=post>\
         <label>Name <input name=name autocomplete=name></label>\
         <div aria-hidden=true style='position:absolute;left:-9999px'><label>Leave this empty <input name=website tabindex=-1 autocomplete=off></label></div>\
         <div style='display:none'><input name=fax></div>\
         <button>Send</button></form></main>\n",
    );
    for check in ["aria-hidden-focus", "label", "tabindex-positive"] {
        assert!(findings(&audit, check).is_empty(), "{check}");
    }
}

#[test]
fn failure_14_a_soft_404_is_confirmed_by_a_second_request() {
    const FIRST: &str = "/assay-probe-a379a6f6eeafb9a5";
    const SECOND: &str = "/assay-probe-5e378c118034e275";
    let lost = "<title>Lost?</title><p>We could not find what you were looking for.";
    let site = |second: &str| format!("=== /\n<p>x\n=== {FIRST}\n{lost}\n=== {SECOND}\n{second}\n");
    let (soft, _) = audit(&site(lost));
    assert!(!findings(&soft, "missing-page-not-404").is_empty());
    let (chance, fetcher) = audit(&site("HTTP/1.1 404 Not Found\n"));
    assert!(findings(&chance, "missing-page-not-404").is_empty());
    assert_eq!(fetcher.hits(&format!("https://example.com{SECOND}")), 1);
    // A correctly configured site gets no second request.
    let (_, fetcher) = audit("=== /\n<p>x\n");
    assert_eq!(fetcher.hits(&format!("https://example.com{FIRST}")), 1);
    assert_eq!(fetcher.hits(&format!("https://example.com{SECOND}")), 0);
}

#[test]
fn failure_15_an_unchanged_site_has_the_same_result_each_time() {
    let mut site = String::new();
    for n in 0..30 {
        let path = if n == 0 { String::new() } else { n.to_string() };
        let links: String = (n + 1..n + 4)
            .map(|m| format!("<a href=/{m}>{m}</a>"))
            .collect();
        site += &format!("=== /{path}\n<title>Page {n}</title><img src=/i{n}.png>{links}\n");
    }
    let audited = |concurrency| {
        let options = AuditOptions {
            max_pages: 20,
            concurrency: Some(concurrency),
            ..options()
        };
        run(&ReplayFetcher::parse(&site).unwrap(), options, START)
            .unwrap()
            .result
    };
    let first = audited(1);
    for concurrency in [1, 2, 32] {
        assert_eq!(audited(concurrency), first);
    }
}

#[test]
fn failure_16_what_is_not_applicable_is_not_counted_as_passed() {
    let (bare, _) = audit("=== /\n<!doctype html><html lang=en><title>x</title><p>x\n");
    let (full, _) = audit(
        "=== /\nHTTP/1.1 200 OK\nContent-Type: text/html\nSet-Cookie: theme=dark; Secure\n\n\
         <!doctype html><html lang=en><title>x</title><p>x<img src=/i alt=Pier><input aria-label=Name>\n",
    );
    let counted = |audit: &Audit, check: &str| {
        let tallies = &audit.result.tallies;
        tallies.checks.iter().any(|tally| tally.check_id == check)
    };
    for check in ["image-alt", "label", "cookie-not-secure"] {
        assert!(!counted(&bare, check), "{check}");
        assert!(counted(&full, check), "{check}");
    }
    // Nor is the check reported as unable to tell.
    let unjudged = &bare.result.unjudged;
    assert!(unjudged.iter().all(|check| check.check_id != "image-alt"));
    assert!(
        bare.result
            .tallies
            .checks
            .iter()
            .all(|tally| tally.judged > 0)
    );
}

/// Texts on which backtracking regular expressions take years.
#[test]
fn failure_17_no_page_text_causes_catastrophic_backtracking() {
    let manifest = include_str!("../../Cargo.toml");
    let backtracking = ["fancy-regex", "onig", "pcre", "regex"];
    let used = backtracking
        .iter()
        .find(|engine| manifest.lines().any(|line| line.starts_with(**engine)));
    assert_eq!(used, None);
    let texts = [
        "a".repeat(60_000) + "!",
        "a ".repeat(30_000) + "@",
        "((((".repeat(10_000),
        "sk_live_".repeat(8_000),
        "aaaa@".repeat(10_000) + "x",
        "\u{e9}\u{300}".repeat(10_000),
    ];
    let pages: String = texts
        .iter()
        .enumerate()
        .map(|(n, text)| format!("=== /{n}\n<title>{n}</title><p>{text}</p><!-- {text} -->\n"))
        .collect();
    let links: String = (0..texts.len())
        .map(|n| format!("<a href=/{n}>{n}</a>"))
        .collect();
    let (audit, _) = audit(&format!("=== /\n{links}\n{pages}"));
    assert_eq!(audit.site.pages.len(), texts.len() + 1);
    let gave_up: Vec<_> = audit
        .result
        .unjudged
        .iter()
        .filter(|check| matches!(check.why, domain::report::Unjudged::Errored(_)))
        .collect();
    assert!(gave_up.is_empty(), "{gave_up:?}");
}

#[test]
fn failure_18_external_links_are_not_broken_because_of_head_alone() {
    let other = LoopbackServer::start(|request| match (&*request.method, request.path()) {
        ("HEAD", "/head-405") => TestResponse::new(405, ""),
        ("HEAD", "/head-404") => TestResponse::new(404, ""),
        ("HEAD", "/head-501") => TestResponse::new(501, ""),
        (_, "/gone") => TestResponse::new(404, "no"),
        _ => TestResponse::html("<p>here"),
    })
    .unwrap();
    let links: String = ["/head-405", "/head-404", "/head-501", "/fine", "/gone"]
        .iter()
        .map(|path| format!("<a href='{}'>x</a>", other.url(path)))
        .collect();
    let site = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(format!("<!doctype html><title>Home</title>{links}")),
        _ => TestResponse::new(404, "no"),
    })
    .unwrap();
    let audit = over_network(&[&site, &other], 4);
    let broken = findings(&audit, "link-broken-external");
    assert_eq!(broken.len(), 1, "{broken:?}");
    assert_eq!(broken[0].causes[0].key, other.url("/gone").as_str());
    let log = other.log();
    for (path, requests) in [
        ("/head-405", 2),
        ("/head-404", 2),
        ("/fine", 1),
        ("/gone", 2),
    ] {
        assert_eq!(other.hits(path), requests, "{path}: {log:?}");
    }
}
