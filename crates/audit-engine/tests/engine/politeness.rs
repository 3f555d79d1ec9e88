//! Rate limits per host, across all audits of the process. Time is tokio's paused clock.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher, HostLimits, Limiter};
use audit_engine::gather::{FetchErrorKind, FetchFuture, Fetcher, Headers, Recording, Request};
use audit_engine::site::UrlState;
use audit_engine::{Audit, AuditOptions, Auditor, default_user_agent};
use domain::report::StoppedBy;
use domain::target::AllowTargets;
use rstest::rstest;
use testkit::{LoopbackServer, TestResponse};
use tokio::time::Instant;
use url::Url;

const START: &str = "https://example.com/";

type Answers = dyn Fn(usize, &Request) -> Option<(u16, Headers)> + Send + Sync;

/// A host with latency that counts requests.
struct Counting {
    recording: Recording,
    latency: Duration,
    /// A response instead of the recorded one, by the number of previous requests for the path.
    instead: Box<Answers>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    under_way: usize,
    most_at_once: usize,
    starts: Vec<(Instant, String)>,
    hits: HashMap<String, usize>,
}

impl Counting {
    fn new(recording: Recording, latency: Duration) -> Self {
        Self {
            recording,
            latency,
            instead: Box::new(|_, _| None),
            seen: Mutex::default(),
        }
    }

    fn most_at_once(&self) -> usize {
        self.seen.lock().unwrap().most_at_once
    }

    fn starts(&self) -> Vec<Instant> {
        let seen = self.seen.lock().unwrap();
        seen.starts.iter().map(|(start, _)| *start).collect()
    }

    /// The maximum number of requests that started within one second.
    fn most_in_a_second(&self) -> usize {
        let starts = self.starts();
        let second = Duration::from_secs(1);
        let within = |from: &Instant| {
            let until = *from + second;
            starts
                .iter()
                .filter(|at| (*from..until).contains(at))
                .count()
        };
        starts.iter().map(within).max().unwrap_or(0)
    }
}

impl Fetcher for Counting {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let path = request.url.path().to_owned();
        let before = {
            let mut seen = self.seen.lock().unwrap();
            seen.under_way += 1;
            seen.most_at_once = seen.most_at_once.max(seen.under_way);
            seen.starts.push((Instant::now(), path.clone()));
            let hits = seen.hits.entry(path).or_default();
            *hits += 1;
            *hits - 1
        };
        Box::pin(async move {
            tokio::time::sleep(self.latency).await;
            self.seen.lock().unwrap().under_way -= 1;
            let mut answer = self.recording.answer(&request)?;
            if let Some((status, headers)) = (self.instead)(before, &request) {
                answer.status = status;
                answer.headers = headers;
                answer.body = bytes::Bytes::new();
            }
            Ok(answer)
        })
    }
}

/// A start page that links to `pages` pages, and a robots.txt.
fn star(pages: usize, robots: &str) -> Recording {
    let mut recording = Recording::default();
    let start = Url::parse(START).unwrap();
    let html = || Headers::from_iter([("content-type", "text/html")]);
    let text = || Headers::from_iter([("content-type", "text/plain")]);
    let links: String = (0..pages)
        .map(|n| format!("<a href=/{n}>{n}</a>"))
        .collect();
    recording.add(&start, 200, html(), links);
    recording.add(
        &start.join("/robots.txt").unwrap(),
        200,
        text(),
        robots.to_owned(),
    );
    for n in 0..pages {
        let body = format!("<title>Page {n}</title>");
        recording.add(&start.join(&format!("/{n}")).unwrap(), 200, html(), body);
    }
    recording
}

fn auditor(site: &Arc<Counting>, limiter: &Arc<Limiter>, options: AuditOptions) -> Auditor {
    let fetcher: Arc<dyn Fetcher> = Arc::<Counting>::clone(site);
    Auditor::with_fetcher(fetcher, AllowTargets::default(), options)
        .sharing_limits(Arc::clone(limiter))
}

async fn two_audits(site: &Arc<Counting>) {
    let limiter = Arc::default();
    let one = auditor(site, &limiter, AuditOptions::default());
    let other = auditor(site, &limiter, AuditOptions::default());
    let (one, other) = (Box::pin(one.audit(START)), Box::pin(other.audit(START)));
    let (one, other) = tokio::join!(one, other);
    assert_eq!(
        one.unwrap().site.pages.len(),
        other.unwrap().site.pages.len()
    );
}

#[tokio::test(start_paused = true)]
async fn two_audits_of_one_host_share_8_connections_and_20_requests_per_second() {
    let slow = Arc::new(Counting::new(star(60, ""), Duration::from_millis(900)));
    two_audits(&slow).await;
    assert_eq!(slow.most_at_once(), 8);
    assert!(slow.most_in_a_second() <= 20, "{}", slow.most_in_a_second());

    let fast = Arc::new(Counting::new(star(60, ""), Duration::from_millis(5)));
    two_audits(&fast).await;
    assert!(fast.most_at_once() <= 8);
    assert_eq!(fast.most_in_a_second(), 20);
}

#[tokio::test(start_paused = true)]
async fn twin_two_audits_without_shared_limits_are_twice_as_fast() {
    let site = Arc::new(Counting::new(star(60, ""), Duration::from_millis(900)));
    let one = auditor(&site, &Arc::default(), AuditOptions::default());
    let other = auditor(&site, &Arc::default(), AuditOptions::default());
    let (one, other) = tokio::join!(one.audit(START), other.audit(START));
    assert!(one.is_ok() && other.is_ok());
    assert!(site.most_at_once() > 8);
}

#[tokio::test(start_paused = true)]
async fn higher_limits_of_one_audit_do_not_raise_those_of_another() {
    let greedy = AuditOptions {
        concurrency: Some(64),
        max_rate: Some(10_000.0),
        ..AuditOptions::default()
    };
    let site = Arc::new(Counting::new(star(60, ""), Duration::from_millis(900)));
    let limiter: Arc<Limiter> = Arc::default();
    let _polite = limiter.lease("example.com", HostLimits::POLITE);
    let audit = auditor(&site, &limiter, greedy.clone()).audit(START).await;
    assert!(audit.is_ok());
    assert!(site.most_at_once() <= 8);
    assert!(site.most_in_a_second() <= 20);

    let alone = Arc::new(Counting::new(star(60, ""), Duration::from_millis(900)));
    let audit = auditor(&alone, &Arc::default(), greedy).audit(START).await;
    assert!(audit.is_ok());
    assert!(
        alone.most_at_once() > 8,
        "an operator's explicit choice holds"
    );
}

#[tokio::test(start_paused = true)]
async fn two_audits_share_the_crawl_delay_with_one_request_at_a_time() {
    let robots = "User-agent: *\nCrawl-delay: 3\n";
    let site = Arc::new(Counting::new(star(8, robots), Duration::from_millis(700)));
    two_audits(&site).await;
    // Both audits request robots.txt and the start page before they know the delay.
    let starts = site.starts();
    assert!(starts.len() > 20);
    for pair in starts[5..].windows(2) {
        assert!(pair[1] - pair[0] >= Duration::from_secs(3));
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_of_one_page_pauses_the_whole_host() {
    let mut site = Counting::new(star(40, ""), Duration::from_millis(100));
    site.instead = Box::new(|before, request| {
        let refused = request.url.path() == "/5" && before == 0;
        refused.then(|| (429, Headers::from_iter([("retry-after", "7")])))
    });
    let site = Arc::new(site);
    let audit = auditor(&site, &Arc::default(), AuditOptions::default())
        .audit(START)
        .await
        .unwrap();
    assert_eq!(audit.site.pages.len(), 41);
    let seen = site.seen.lock().unwrap();
    let refused = seen.starts.iter().find(|(_, path)| path == "/5").unwrap().0;
    // Requests already under way may start until the response arrives.
    let arrived = refused + Duration::from_millis(100);
    let next = seen
        .starts
        .iter()
        .map(|(at, _)| *at)
        .find(|at| *at > arrived);
    assert!(next.unwrap() - arrived >= Duration::from_secs(7));
}

#[tokio::test(start_paused = true)]
async fn a_rate_limit_per_minute_is_waited_for_and_loses_no_page() {
    let mut site = Counting::new(star(40, ""), Duration::from_millis(50));
    let begun = Instant::now();
    site.instead = Box::new(move |_, _| {
        let is_limited = (1..60).contains(&begun.elapsed().as_secs());
        is_limited.then(|| (429, Headers::from_iter([("retry-after", "60")])))
    });
    let audit = auditor(&Arc::new(site), &Arc::default(), AuditOptions::default())
        .audit(START)
        .await
        .unwrap();
    assert_eq!(audit.site.pages.len(), 41);
    assert!(begun.elapsed() > Duration::from_secs(60));
}

#[tokio::test(start_paused = true)]
async fn own_hosts_have_no_rate_limit_but_backoff_applies() {
    let mut site = Counting::new(star(200, ""), Duration::from_millis(900));
    site.instead = Box::new(|before, request| {
        let refused = request.url.path() == "/150" && before == 0;
        refused.then(|| (503, Headers::from_iter([("retry-after", "9")])))
    });
    let site = Arc::new(site);
    let fetcher: Arc<dyn Fetcher> = Arc::<Counting>::clone(&site);
    let own: AllowTargets = ["example.com:443".parse().unwrap()].into_iter().collect();
    let audit = Auditor::with_fetcher(fetcher, own, AuditOptions::default())
        .audit(START)
        .await
        .unwrap();
    assert_eq!(audit.site.pages.len(), 201);
    assert_eq!(site.most_at_once(), 32);
    assert!(site.most_in_a_second() >= 32);
    let starts = site.starts();
    let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max();
    assert!(longest.unwrap() >= Duration::from_secs(9));
}

#[tokio::test(start_paused = true)]
async fn a_host_that_slows_down_gets_fewer_requests() {
    // Half of the pages take forty times as long.
    let text: String = (0..120)
        .map(|n| {
            let ms = if n < 60 { 50 } else { 2_000 };
            format!("=== /{n}\nHTTP/1.1 200 OK\nContent-Type: text/html\n:first-byte-ms: {ms}\n\n<p>{n}\n")
        })
        .collect();
    let links: String = (0..120).map(|n| format!("<a href=/{n}>{n}</a>")).collect();
    let recording = Recording::parse(&format!("=== /\n{links}\n{text}")).unwrap();
    let site = Arc::new(Counting::new(recording, Duration::from_millis(40)));
    let audit = auditor(&site, &Arc::default(), AuditOptions::default());
    assert_eq!(audit.audit(START).await.unwrap().site.pages.len(), 121);
    let seen = site.seen.lock().unwrap();
    let at = |path: &str| seen.starts.iter().find(|(_, seen)| seen == path).unwrap().0;
    let (fast, slow) = (at("/50") - at("/10"), at("/115") - at("/75"));
    assert!(slow >= fast * 3, "{fast:?} {slow:?}");
}

#[tokio::test(start_paused = true)]
async fn a_page_that_keeps_refusing_is_recorded_with_any_number_of_connections() {
    for concurrency in [None, Some(1), Some(32)] {
        let mut site = Counting::new(star(30, ""), Duration::from_millis(10));
        site.instead = Box::new(|_, request| {
            let refused = request.url.path() == "/7";
            refused.then(|| (429, Headers::new()))
        });
        let site = Arc::new(site);
        let options = AuditOptions {
            concurrency,
            ..AuditOptions::default()
        };
        let audit = auditor(&site, &Arc::default(), options).audit(START).await;
        let audit = audit.unwrap();
        assert_eq!(audit.site.pages.len(), 30);
        let url = Url::parse(START).unwrap().join("/7").unwrap();
        let (_, entry) = audit.site.lookup(&url).unwrap();
        assert!(matches!(&entry.state, UrlState::Responded(answer) if answer.status == 429));
        assert_eq!(site.seen.lock().unwrap().hits["/7"], 3);
    }
}

#[tokio::test(start_paused = true)]
async fn a_retry_after_beyond_the_limit_is_not_retried() {
    let mut site = Counting::new(star(30, ""), Duration::from_millis(10));
    site.instead = Box::new(|_, request| {
        let refused = request.url.path() == "/7";
        refused.then(|| (503, Headers::from_iter([("retry-after", "3600")])))
    });
    let site = Arc::new(site);
    let begin = Instant::now();
    let audit = auditor(&site, &Arc::default(), AuditOptions::default());
    assert_eq!(audit.audit(START).await.unwrap().site.pages.len(), 30);
    assert_eq!(site.seen.lock().unwrap().hits["/7"], 1);
    // About 40 requests at 20 per second, slower after the refusal, plus its backoff of 4 s.
    assert!(begin.elapsed() > Duration::from_secs(5));
    assert!(
        begin.elapsed() < Duration::from_secs(20),
        "{:?}",
        begin.elapsed()
    );
}

/// Audits a site that links to another one, both on loopback.
fn audit_on_loopback(options: AuditOptions) -> (Audit, LoopbackServer, LoopbackServer) {
    let other = LoopbackServer::start(|_| TestResponse::html("<p>other")).unwrap();
    let link = other.url("/page");
    let site = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(format!(
            "<title>Home</title><a href={link}>other</a><a href=/a>a</a><link rel=stylesheet href=/s.css>"
        )),
        "/robots.txt" => TestResponse::text("User-agent: *\nDisallow: /a\n"),
        "/sitemap.xml" => TestResponse::text("/b"),
        _ => TestResponse::html("<p>page"),
    })
    .unwrap();
    let allow: AllowTargets = [site.target(), other.target()]
        .iter()
        .map(|target| target.parse().unwrap())
        .collect();
    let egress = EgressOptions::new(allow.clone(), default_user_agent());
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..options
    };
    let auditor = Auditor::with_fetcher(fetcher, allow, options);
    let audit = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(auditor.audit(site.url("/").as_str()));
    (audit.unwrap(), site, other)
}

#[test]
fn every_request_names_the_visitor_its_version_and_where_to_read_about_it() {
    for respect_robots in [true, false] {
        let (_, site, other) = audit_on_loopback(AuditOptions {
            respect_robots,
            ..AuditOptions::default()
        });
        for path in ["/robots.txt", "/", "/sitemap.xml", "/s.css", "/llms.txt"] {
            assert!(site.hits(path) > 0, "{path}");
        }
        assert_eq!(site.hits("/a") > 0, !respect_robots);
        assert!(other.hits("/page") > 0);
        let version = env!("CARGO_PKG_VERSION");
        let honest = format!("AssayBot/{version} (+https://assay.example/bot)");
        for request in site.requests().iter().chain(&other.requests()) {
            assert_eq!(
                request.header("user-agent"),
                Some(honest.as_str()),
                "{}",
                request.target
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn backoff_of_an_external_host_delays_nothing_else() {
    let text = "=== /\n<a href=https://a.example.org/1>1</a><a href=https://a.example.org/2>2</a>\
         <a href=https://b.example.org/>b</a>\n\
         === https://a.example.org/1\nHTTP/1.1 429 No\nRetry-After: 25\n\n\
         === https://a.example.org/2\nHTTP/1.1 429 No\nRetry-After: 25\n\n\
         === https://b.example.org/\n<p>b\n";
    let site = Arc::new(Counting::new(
        Recording::parse(text).unwrap(),
        Duration::from_millis(5),
    ));
    let begin = Instant::now();
    let audit = auditor(&site, &Arc::default(), AuditOptions::default());
    let audit = audit.audit(START).await.unwrap();
    assert!(
        begin.elapsed() < Duration::from_secs(10),
        "{:?}",
        begin.elapsed()
    );
    let state = |url: &str| {
        let url = Url::parse(url).unwrap();
        audit.site.lookup(&url).unwrap().1.state.clone()
    };
    // The first response arrives before the second request is dispatched, which is then dropped.
    assert!(matches!(
        state("https://a.example.org/1"),
        UrlState::Responded(answer) if answer.status == 429
    ));
    assert!(matches!(
        state("https://a.example.org/2"),
        UrlState::Failed(FetchErrorKind::Timeout, _)
    ));
    assert!(matches!(
        state("https://b.example.org/"),
        UrlState::Responded(_)
    ));
    {
        let seen = site.seen.lock().unwrap();
        assert_eq!(seen.hits.get("/1"), Some(&1), "one HEAD");
        assert_eq!(seen.hits.get("/2"), None);
    }
    // The audit treats a refused link like one that was not requested.
    let broken = |finding: &domain::report::Finding| finding.check_id == "link-broken-external";
    assert!(!audit.result.findings.iter().any(broken));
}

/// Replays a recording, with a fixed delay for each response.
struct After(Duration, Recording);

impl Fetcher for After {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        Box::pin(async move {
            tokio::time::sleep(self.0).await;
            self.1.answer(&request)
        })
    }
}

#[rstest]
#[case(Duration::ZERO)]
#[case(Duration::from_secs(2))]
#[case(Duration::from_secs(10))]
#[tokio::test(start_paused = true)]
async fn a_large_site_with_a_long_crawl_delay_gets_a_score(#[case] each: Duration) {
    let mut site =
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nCrawl-delay: 10\n".to_owned();
    let links: String = (0..60)
        .map(|n| {
            format!("<a href=/{n}>{n}</a><img src=/{n}.png><a href=https://e{n}.example.org/>e</a>")
        })
        .collect();
    site += &format!("=== /\n{links}\n");
    for n in 0..60 {
        site += &format!("=== /{n}\n<title>Page {n}</title>\n");
    }
    let fetcher = Arc::new(After(each, Recording::parse(&site).unwrap()));
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), AuditOptions::default());
    let begun = tokio::time::Instant::now();
    let audit = auditor.audit("https://example.com/").await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(575));
    let coverage = &audit.result.coverage;
    assert_eq!(coverage.stopped_by, Some(StoppedBy::Deadline));
    assert!(coverage.pages_audited > 15, "{}", coverage.pages_audited);
    // Some of the time is reserved for well-known URLs and other hosts.
    let probe = audit.site.probes.missing_page.as_ref().unwrap();
    assert!(probe.answer().is_some());
    let asked = audit.site.urls.iter().filter(|(_, entry)| {
        !entry.internal && !matches!(entry.state, UrlState::Known | UrlState::Skipped(_))
    });
    assert!(asked.count() > 0);
}
