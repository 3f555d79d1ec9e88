//! Which requests get the headers that a run adds.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test panics on unexpected results"
)]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::gather::{FetchFuture, Fetcher, Recording, Request};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use domain::run::RequestHeaders;
use testkit::{LoopbackServer, ReplayFetcher, TestResponse};
use url::Url;

/// A secret that no other origin may receive.
const CANARY: &str = "Bearer canary-7f3a91c2";

fn options() -> AuditOptions {
    let headers = [("Authorization".to_owned(), CANARY.to_owned())];
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        headers: RequestHeaders::parse(headers.into_iter().collect()).unwrap(),
        ..AuditOptions::default()
    }
}

fn run(fetcher: Arc<dyn Fetcher>, start: &str, options: AuditOptions) -> Result<Audit, AuditError> {
    let allow = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let auditor = Auditor::with_fetcher(fetcher, allow, options);
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(auditor.audit(start))
}

/// Requests with and without the canary, by whether their origin may receive it.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    own_with: usize,
    own_without: usize,
    others_with: usize,
    others_without: usize,
}

impl Seen {
    fn new<'a>(requests: impl IntoIterator<Item = (bool, &'a [(String, String)])>) -> Self {
        let mut seen = Self::default();
        for (own, headers) in requests {
            let with = headers.iter().any(|(_, value)| value.contains(CANARY));
            *match (own, with) {
                (true, true) => &mut seen.own_with,
                (true, false) => &mut seen.own_without,
                (false, true) => &mut seen.others_with,
                (false, false) => &mut seen.others_without,
            } += 1;
        }
        seen
    }
}

/// Counts the requests of a fetcher. `own` lists the origins that may receive the canary.
fn seen(log: &ReplayFetcher, own: &[&str]) -> Seen {
    let own: Vec<_> = own
        .iter()
        .map(|url| Url::parse(url).unwrap().origin())
        .collect();
    let requests = log.requests();
    Seen::new(requests.iter().map(|request| {
        (
            own.contains(&request.url.origin()),
            request.headers.as_slice(),
        )
    }))
}

/// A site that refers to other origins in every possible way, and back.
const SITE: &str = "\
=== https://example.com/robots.txt
HTTP/1.1 200 OK
Content-Type: text/plain

Sitemap: https://example.com/map.xml
Sitemap: https://maps.example.net/map.xml
Sitemap: https://example.com/moved-map.xml
=== https://example.com/map.xml
HTTP/1.1 200 OK
Content-Type: application/xml

<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap><loc>https://example.com/nested.xml</loc></sitemap><sitemap><loc>https://maps.example.net/nested.xml</loc></sitemap></sitemapindex>
=== https://example.com/moved-map.xml
HTTP/1.1 301 Moved
Location: https://maps.example.net/moved-map.xml

=== https://maps.example.net/map.xml
HTTP/1.1 200 OK
Content-Type: application/xml

<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>https://maps.example.net/x</loc></url><url><loc>https://www.example.com/listed</loc></url></urlset>
=== https://example.com/
<html lang=en><title>Home</title>
<link rel=stylesheet href=/s.css><link rel=stylesheet href=https://cdn.example.net/s.css>
<img src=https://img.example.net/i.png><img src=/away.png><img src=http://example.com/plain.png>
<iframe src=https://frame.example.net/></iframe><script src=//cdn.example.net/x.js></script>
<a href=/out>out</a><a href=/there-and-back>t</a><a href=https://links.example.net/a>a</a>
<a href=https://back.example.net/>back</a><a href=http://example.com/plain>plain</a>
<a href=https://www.example.com/w>w</a><a href=https://example.com:8443/p>port</a>
<a href=https://api.example.com/>api</a><a href=https://example.com./dot>dot</a><a href=/down>down</a>
=== https://example.com/out
HTTP/1.1 302 Found
Location: https://links.example.net/landed

=== https://example.com/down
HTTP/1.1 302 Found
Location: http://example.com/downgraded

=== http://example.com/downgraded
HTTP/1.1 302 Found
Location: https://example.com/up-again

=== https://example.com/up-again
<title>Up</title>
=== https://example.com/there-and-back
HTTP/1.1 302 Found
Location: https://www.example.com/back

=== https://www.example.com/back
HTTP/1.1 302 Found
Location: https://example.com/home-again

=== https://example.com/home-again
<title>Again</title>
=== https://example.com/away.png
HTTP/1.1 302 Found
Location: https://img.example.net/away.png

=== https://back.example.net/
HTTP/1.1 302 Found
Location: https://example.com/from-outside

=== https://www.example.com/w
<title>W</title><a href=https://example.com/from-www>x</a>
";

/// Every other origin that the site refers to.
const OTHERS: [&str; 10] = [
    "https://maps.example.net/map.xml",
    "https://maps.example.net/nested.xml",
    "https://cdn.example.net/s.css",
    "https://img.example.net/i.png",
    "https://links.example.net/a",
    "https://back.example.net/",
    "http://example.com/plain",
    "https://www.example.com/back",
    "https://example.com:8443/p",
    "https://api.example.com/",
];

#[test]
fn only_requests_to_the_own_origin_have_the_headers() {
    let fetcher = ReplayFetcher::parse(SITE).unwrap();
    run(Arc::new(fetcher.clone()), "https://example.com/", options()).unwrap();
    for url in OTHERS {
        assert!(fetcher.hits(url) > 0, "{url} was not asked for");
    }
    for path in [
        "robots.txt",
        "llms.txt",
        "s.css",
        "up-again",
        "home-again",
        "from-outside",
    ] {
        let url = format!("https://example.com/{path}");
        assert!(fetcher.hits(&url) > 0, "{url} was not asked for");
    }
    let seen = seen(&fetcher, &["https://example.com/"]);
    println!("{seen:?}");
    assert!(seen.own_with > 15 && seen.others_without > 15, "{seen:?}");
    assert_eq!((seen.own_without, seen.others_with), (0, 0));
}

/// Adds the canary to every request, like a client without any rules.
struct Leaky(ReplayFetcher);

impl Fetcher for Leaky {
    fn fetch(&self, mut request: Request) -> FetchFuture<'_> {
        let leaked = ("authorization".to_owned(), CANARY.to_owned());
        request.headers.push(leaked);
        self.0.fetch(request)
    }
}

#[test]
fn the_counters_detect_a_leak() {
    let fetcher = ReplayFetcher::parse(SITE).unwrap();
    let leaky = Arc::new(Leaky(fetcher.clone()));
    run(leaky, "https://example.com/", options()).unwrap();
    assert!(seen(&fetcher, &["https://example.com/"]).others_with > 15);
}

#[test]
fn the_https_upgrade_of_the_same_host_keeps_the_headers() {
    let site = format!(
        "=== http://example.com/\nHTTP/1.1 301 Moved\nLocation: https://example.com/\n\n{SITE}"
    );
    let fetcher = ReplayFetcher::parse(&site).unwrap();
    run(Arc::new(fetcher.clone()), "http://example.com/", options()).unwrap();
    let seen = seen(&fetcher, &["http://example.com/", "https://example.com/"]);
    assert!(seen.own_with > 15 && seen.others_without > 15, "{seen:?}");
    assert_eq!((seen.own_without, seen.others_with), (0, 0));
}

#[test]
fn a_redirected_start_url_sends_no_headers_to_another_host_or_plain_http() {
    for landing in [
        "https://www.example.com/",
        "https://app.example.com/",
        "http://example.com/",
    ] {
        let fetcher = ReplayFetcher::parse(&format!(
            "=== https://example.com/\nHTTP/1.1 301 Moved\nLocation: {landing}\n\n\
             === {landing}\n<title>x</title><a href=/a>a</a><img src=/i.png>\n"
        ))
        .unwrap();
        run(Arc::new(fetcher.clone()), "https://example.com/", options()).unwrap();
        let seen = seen(&fetcher, &["https://example.com/"]);
        assert!(
            seen.own_with > 0 && seen.others_without > 0,
            "{landing}: {seen:?}"
        );
        assert_eq!((seen.own_without, seen.others_with), (0, 0), "{landing}");
    }
}

#[test]
fn headers_reach_a_real_server_and_no_other_port() {
    let stranger = LoopbackServer::start(|_| TestResponse::html("<title>Other</title>")).unwrap();
    let there = stranger.url("/").to_string();
    let own = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(format!(
            "<title>Home</title><a href=/out>o</a><a href={there}linked>l</a><img src={there}i.png>"
        )),
        "/out" => TestResponse::new(302, "").header("Location", &format!("{there}out")),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let allow: domain::target::AllowTargets = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let egress = audit_engine::egress::EgressOptions::new(allow, "Assay/1".to_owned());
    let options = AuditOptions {
        user_agent: Some("Somebody/2.0 (+https://example.com/who)".to_owned()),
        ..options()
    };
    let auditor = Auditor::with_egress(egress, options).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    runtime
        .unwrap()
        .block_on(auditor.audit(own.url("/").as_str()))
        .unwrap();

    let (ours, theirs) = (own.requests(), stranger.requests());
    let of = |requests: &[testkit::TestRequest], own| {
        Seen::new(
            requests
                .iter()
                .map(|request| (own, request.headers.as_slice())),
        )
    };
    let (at_home, abroad) = (of(&ours, true), of(&theirs, false));
    assert!(
        at_home.own_with > 5 && at_home.own_without == 0,
        "{at_home:?}"
    );
    assert!(
        abroad.others_without > 2 && abroad.others_with == 0,
        "{abroad:?}"
    );
    // Every request has the user agent exactly once.
    for request in ours.iter().chain(&theirs) {
        let agents = request
            .headers
            .iter()
            .filter(|(name, _)| name.eq_ignore_ascii_case("user-agent"))
            .map(|(_, value)| value.as_str());
        assert_eq!(
            agents.collect::<Vec<_>>(),
            ["Somebody/2.0 (+https://example.com/who)"]
        );
    }
}

#[test]
fn robots_txt_is_matched_by_product_token_with_any_user_agent() {
    let fetcher = ReplayFetcher::parse(
        "=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: assaybot\nDisallow: /private\n\nUser-agent: somebody\nDisallow: /\n\
         === /\n<a href=/private>p</a><a href=/b>b</a>\n=== /b\n<p>b\n",
    )
    .unwrap();
    let options = AuditOptions {
        user_agent: Some("Somebody/2.0".to_owned()),
        ..options()
    };
    run(Arc::new(fetcher.clone()), "https://example.com/", options).unwrap();
    assert_eq!(fetcher.hits("https://example.com/private"), 0);
    assert_eq!(fetcher.hits("https://example.com/b"), 1);
    for request in fetcher.requests() {
        let agent = ("user-agent".to_owned(), "Somebody/2.0".to_owned());
        assert!(request.headers.contains(&agent), "{}", request.url);
    }
}

/// Replays a recording and stores the `Debug` output of each request.
struct Showing {
    recording: Recording,
    shown: Mutex<String>,
}

impl Fetcher for Showing {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        *self.shown.lock().unwrap() += &format!("{request:?}\n");
        self.recording.fetch(request)
    }
}

#[test]
fn header_values_are_never_shown() {
    let fetcher = Arc::new(Showing {
        recording: Recording::parse(SITE).unwrap(),
        shown: Mutex::default(),
    });
    let auditor_options = options();
    assert!(!format!("{auditor_options:?}").contains("canary"));
    let audit = run(fetcher.clone(), "https://example.com/", auditor_options).unwrap();
    let shown = fetcher.shown.lock().unwrap();
    assert!(
        shown.contains("authorization") && !shown.contains("canary"),
        "{shown}"
    );
    assert!(!format!("{:?}", audit.result).contains("canary"));
    assert!(!format!("{:?}", audit.site).contains("canary"));

    // Errors, too: errors of the start page contain the URL and the response.
    for answer in [
        "FAILS tls",
        "FAILS protocol",
        "HTTP/1.1 401 Unauthorized\n",
        "HTTP/1.1 500 X\n",
    ] {
        let fetcher = ReplayFetcher::parse(&format!("=== /\n{answer}\n")).unwrap();
        let error = run(Arc::new(fetcher), "https://example.com/", options()).unwrap_err();
        assert!(!format!("{error:?} {error}").contains("canary"), "{error}");
    }
}

#[test]
fn headers_that_a_site_echoes_are_masked_in_the_report() {
    let token = CANARY.strip_prefix("Bearer ").unwrap();
    let page = format!(
        "<html lang=\"{token}\"><title>{CANARY}</title><h1>{token}</h1><img src=/{token}.png class={token}>\
         <a href=\"/gone?{token}\">{CANARY}</a><a href=/moved>m</a>"
    );
    let own = LoopbackServer::start(move |request| match request.path() {
        "/" => TestResponse::html(page.clone()).header("X-Powered-By", CANARY),
        "/moved" => {
            let sent = request.header("authorization").unwrap_or_default();
            let token = sent.rsplit(' ').next().unwrap_or_default();
            TestResponse::new(302, "").header("Location", &format!("/login?token={token}"))
        }
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let allow: domain::target::AllowTargets = ["127.0.0.1".parse().unwrap()].into_iter().collect();
    let egress = audit_engine::egress::EgressOptions::new(allow, "Assay/1".to_owned());
    let auditor = Auditor::with_egress(egress, options()).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build();
    let audit = runtime
        .unwrap()
        .block_on(auditor.audit(own.url("/").as_str()))
        .unwrap();
    assert!(own.hits("/login") > 0 && !audit.result.findings.is_empty());
    let shown = format!("{:?} {:?}", audit.result, audit.site);
    assert!(!shown.contains("canary"), "{shown}");
    assert!(shown.contains("***"));
}
