//! What the crawler finds and skips, and that it accounts for every URL.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::gather::robots::Pattern;
use audit_engine::gather::{FetchFuture, Fetcher, Headers, Recording, Request};
use audit_engine::site::{SitemapUnread, TrapKind};
use audit_engine::{Audit, AuditError, AuditOptions, Auditor};
use proptest::prelude::*;
use testkit::ReplayFetcher;
use url::Url;

const START: &str = "https://example.com/";

fn options() -> AuditOptions {
    AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        external: false,
        only: Some(Vec::new()),
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

fn crawl(site: &str, options: AuditOptions) -> (Audit, ReplayFetcher) {
    let fetcher = ReplayFetcher::parse(site).unwrap();
    let audit = run(&fetcher, options, START).unwrap();
    (audit, fetcher)
}

fn pages(audit: &Audit) -> Vec<String> {
    audit
        .site
        .pages
        .iter()
        .map(|page| page.url[url::Position::BeforePath..].to_owned())
        .collect()
}

fn skipped(audit: &Audit) -> BTreeMap<&str, u64> {
    let skipped = &audit.result.coverage.skipped;
    skipped
        .iter()
        .map(|(reason, count)| (reason.as_str(), *count))
        .collect()
}

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    texts.iter().map(|text| Pattern::new(text)).collect()
}

fn links(targets: impl IntoIterator<Item = String>) -> String {
    targets
        .into_iter()
        .map(|target| format!("<a href='{target}'>{target}</a>"))
        .collect()
}

fn add(recording: &mut Recording, path: &str, body: String) {
    let url = Url::parse(START).unwrap().join(path).unwrap();
    let headers = Headers::from_iter([("content-type", "text/html")]);
    recording.add(&url, 200, headers, body);
}

#[test]
fn a_page_is_reached_through_excluded_pages() {
    const SITE: &str = "=== /\n<a href=/a>a</a>\n=== /a\n<a href=/b>b</a>\n=== /b\n<a href=/docs/c>c</a>\n\
         === /docs/c\n<p>c\n";
    for options in [
        AuditOptions {
            include: patterns(&["/docs/"]),
            ..options()
        },
        AuditOptions {
            exclude: patterns(&["/a", "/b"]),
            ..options()
        },
    ] {
        let (audit, _) = crawl(SITE, options);
        assert_eq!(pages(&audit), ["/", "/docs/c"]);
        assert_eq!(audit.site.pages[1].depth, Some(3));
        assert_eq!(skipped(&audit), BTreeMap::from([("excluded", 2)]));
        assert_eq!(audit.result.coverage.pages_fetched, 2);
    }
}

#[test]
fn excluded_pages_do_not_count_towards_the_cap_and_have_their_own_limit() {
    let mut recording = Recording::default();
    add(
        &mut recording,
        "/",
        links((0..3_000).map(|n| format!("/x/{n}"))),
    );
    for n in 0..3_000 {
        add(
            &mut recording,
            &format!("/x/{n}"),
            format!("<title>{n}</title>{n}"),
        );
    }
    let fetcher = ReplayFetcher::new(recording);
    let audit = run(
        &fetcher,
        AuditOptions {
            max_pages: 10,
            exclude: patterns(&["/x/"]),
            ..options()
        },
        START,
    )
    .unwrap();
    assert_eq!(pages(&audit), ["/"]);
    assert_eq!(skipped(&audit), BTreeMap::from([("excluded", 3_000)]));
    let asked = fetcher
        .log()
        .iter()
        .filter(|line| line.contains("/x/"))
        .count();
    assert!(asked < 1_100, "{asked}");
}

#[test]
fn excluded_pages_listed_only_in_a_sitemap_are_not_requested() {
    let (audit, fetcher) = crawl(
        "=== /\n<p>x\n=== /sitemap.xml\nHTTP/1.1 200 OK\n\nhttps://example.com/no\nhttps://example.com/docs/a\n\
         === /docs/a\n<p>a\n=== /no\n<p>no\n",
        AuditOptions {
            include: patterns(&["/docs/"]),
            ..options()
        },
    );
    assert_eq!(pages(&audit), ["/", "/docs/a"]);
    assert_eq!(fetcher.hits("https://example.com/no"), 0);
}

#[test]
fn shop_products_are_not_a_crawl_trap_but_shop_filters_are() {
    let mut recording = Recording::default();
    let shelves = links((0..30).map(|n| format!("/shelf/{n}")));
    add(&mut recording, "/", shelves + "<a href='/all?f=0'>all</a>");
    for shelf in 0..30 {
        let products = (0..10).map(|n| format!("/product?id={}", shelf * 10 + n));
        add(&mut recording, &format!("/shelf/{shelf}"), links(products));
    }
    for n in 0..300 {
        add(
            &mut recording,
            &format!("/product?id={n}"),
            format!("<h1>Product {n}</h1>"),
        );
        let more = links((0..5).map(|m| format!("/all?f={}", n * 5 + m)));
        add(
            &mut recording,
            &format!("/all?f={n}"),
            format!("<h1>Filter {n}</h1>{more}"),
        );
    }
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    let of = |start: &str| {
        pages(&audit)
            .iter()
            .filter(|page| page.starts_with(start))
            .count()
    };
    assert_eq!(of("/product?"), 300);
    // One URL that the start page links to, and twenty that link to each other.
    assert_eq!(of("/all?"), 21);
    let trap = &audit.site.traps[0];
    assert_eq!((trap.kind, &*trap.path), (TrapKind::Queries, "/all"));
    assert_eq!(skipped(&audit), BTreeMap::from([("trap", trap.skipped())]));
}

#[test]
fn a_site_with_relative_links_on_every_url_terminates() {
    let mut recording = Recording::default();
    let mut path = String::from("/");
    // Every page links one level deeper, each time with different text.
    for n in 0..40 {
        add(
            &mut recording,
            &path,
            "<title>Same</title><p>Same<a href='x/'>x</a><a href='y/'>y</a>".to_owned(),
        );
        path = format!("{path}{}/", if n % 2 == 0 { "x" } else { "y" });
    }
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    assert!(audit.site.pages.len() <= 5, "{:?}", pages(&audit));
    let kinds: Vec<_> = audit.site.traps.iter().map(|trap| trap.kind).collect();
    assert!(kinds.contains(&TrapKind::RepeatedSegment), "{kinds:?}");
}

#[test]
fn identical_pages_are_not_expanded_forever() {
    let mut recording = Recording::default();
    for n in 0..200 {
        let path = if n == 0 {
            "/".to_owned()
        } else {
            format!("/p/{n}?v={n}")
        };
        add(
            &mut recording,
            &path,
            format!(
                "<title>Same</title><p>Same<a href='/p/{}?v={}'>on</a>",
                n + 1,
                n + 1
            ),
        );
    }
    // The same text with different links: a gallery.
    for n in 0..50 {
        add(
            &mut recording,
            &format!("/g/{n}"),
            format!("<title>Same</title><p>Same<a href='/g/{}'>on</a>", n + 1),
        );
    }
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    assert_eq!(
        audit.site.pages.len(),
        200,
        "paths differ: nothing is the same"
    );
    let mut recording = Recording::default();
    for n in 0..200 {
        let path = if n == 0 {
            "/".to_owned()
        } else {
            format!("/s/{}/p?v={n}", n % 7)
        };
        let on = format!(
            "<title>Same</title><p>Same<a href='/s/?v={n}'>x</a><a href='p?v={}'>on</a>",
            n + 1
        );
        add(&mut recording, &path, on);
    }
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    assert!(audit.site.pages.len() < 40, "{}", audit.site.pages.len());
}

#[test]
fn urls_with_session_ids_are_requested_at_most_twice() {
    let mut recording = Recording::default();
    let session = |n: usize| format!("{n:016}abcdef");
    for page in 0..5 {
        for n in 0..50 {
            let path = if page == 0 && n == 0 {
                "/".to_owned()
            } else {
                format!("/{page}?PHPSESSID={}", session(n))
            };
            let on = links(
                (0..5).map(|other| format!("/{other}?PHPSESSID={}", session(n * 5 + page + 1))),
            );
            add(
                &mut recording,
                &path,
                format!("<title>Page {page}</title>{on}"),
            );
        }
    }
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    assert_eq!(audit.site.pages.len(), 11);
    assert!(
        audit
            .site
            .traps
            .iter()
            .all(|trap| trap.kind == TrapKind::Sessions)
    );
}

#[test]
fn a_url_is_counted_once_even_if_linked_many_times() {
    let mut recording = Recording::default();
    let all = || links((0..20).map(|n| format!("/p/{n}"))) + "<a href='/deep?x=1'>d</a>";
    add(&mut recording, "/", all());
    for n in 0..20 {
        add(&mut recording, &format!("/p/{n}"), all() + &n.to_string());
    }
    add(&mut recording, "/deep?x=1", "<p>d".to_owned());
    let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
    assert!(audit.result.coverage.complete);
    assert_eq!(audit.site.pages.len(), 22);
}

#[test]
fn urls_that_are_too_long_are_counted_without_their_fragments() {
    let long = "x".repeat(2_100);
    let (audit, _) = crawl(
        &format!("=== /\n<a href=/{long}>l</a><a href=/a#{long}>a</a>\n=== /a\n<p>a\n"),
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/a"]);
    assert_eq!(skipped(&audit), BTreeMap::from([("url_too_long", 1)]));
}

#[test]
fn a_url_that_is_too_long_is_counted_once_and_not_stored() {
    let long = "x".repeat(100_000);
    let away = "https://other.example/";
    let again = format!("<a href=/{long}>l</a><a href=/{long}#f>l</a><a href={away}{long}>e</a>");
    let (audit, _) = crawl(
        &format!(
            "=== /\n{again}<a href=/a>a</a><a href=/old>o</a><a href=/a#{long}>f</a><img src=/{long}>\n\
             === /old\nHTTP/1.1 301 Moved\nLocation: /{long}\n\n\n=== /a\n{again}\n"
        ),
        options(),
    );
    assert_eq!(
        skipped(&audit),
        BTreeMap::from([("external", 1), ("url_too_long", 1)])
    );
    let coverage = &audit.result.coverage;
    assert_eq!(coverage.pages_discovered, coverage.pages_fetched + 1);
    let kept = audit
        .site
        .urls
        .iter()
        .filter(|(_, entry)| entry.url.len() > 2_048);
    // The redirect target.
    assert_eq!(kept.count(), 1);
    let hrefs = audit
        .site
        .links()
        .map(|(_, link)| audit.site.urls.href(link.href).len());
    assert_eq!(hrefs.max(), Some(2_048));
}

#[test]
fn a_base_url_that_is_too_long_is_ignored() {
    let long = "x".repeat(3_000);
    let (audit, _) = crawl(
        &format!("=== /\n<base href='/{long}/'><a href=a>a</a>\n=== /a\n<p>a\n"),
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/a"]);
}

#[test]
fn resources_and_canonicals_per_page_are_limited() {
    let images: String = (0..2_100).map(|n| format!("<img src=/{n}.png>")).collect();
    let canonicals: String = (0..30)
        .map(|n| format!("<link rel=canonical href=/c{n}>"))
        .collect();
    let long = "x".repeat(3_000);
    let (audit, _) = crawl(
        &format!("=== /\n<head><link rel=canonical href=/{long}>{canonicals}</head>{images}\n"),
        options(),
    );
    let page = &audit.site.pages[0];
    assert_eq!(page.resources.len(), 2_000);
    assert_eq!(page.canonicals.len(), 20);
    assert_eq!(page.canonicals[0].path(), "/c0");
}

#[test]
fn urls_beyond_the_storage_limit_are_still_counted() {
    let mut recording = Recording::default();
    add(&mut recording, "/", links((0..40).map(|n| format!("/{n}"))));
    for page in 0..40 {
        add(
            &mut recording,
            &format!("/{page}"),
            links((0..300).map(|n| format!("/{page}/{n}"))),
        );
    }
    let audit = run(
        &ReplayFetcher::new(recording),
        AuditOptions {
            max_pages: 41,
            ..options()
        },
        START,
    )
    .unwrap();
    assert_eq!(audit.site.pages.len(), 41);
    assert_eq!(skipped(&audit), BTreeMap::from([("page_cap", 12_000)]));
    assert_eq!(audit.result.coverage.pages_discovered, 12_041);
    // The queue holds ten times the page cap plus ten thousand URLs.
    assert!(audit.site.urls.len() < 11_000, "{}", audit.site.urls.len());
}

#[test]
fn a_sitemap_may_be_a_feed_and_a_feed_may_be_linked() {
    let (audit, fetcher) = crawl(
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /secret\nSitemap: https://example.com/rss\n\
         === /rss\nHTTP/1.1 200 OK\n\n<rss><channel><item><link>https://example.com/z</link></item></channel></rss>\n\
         === /\n<link rel=alternate type=application/atom+xml href=/atom><link rel=alternate type=application/rss+xml href=/secret.xml>\
         <link rel=alternate type=application/rss+xml href=https://feeds.example.org/f>\n\
         === /atom\nHTTP/1.1 200 OK\n\n<feed><entry><link href='https://example.com/a'/></entry><entry><link href='https://example.org/no'/></entry></feed>\n\
         === /a\n<p>a\n=== /z\n<p>z\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/a", "/z"]);
    assert_eq!(fetcher.hits("https://example.com/secret.xml"), 0);
    assert_eq!(fetcher.hits("https://feeds.example.org/f"), 0);
    let in_sitemap = |path: &str| {
        let url = Url::parse(START).unwrap().join(path).unwrap();
        audit.site.lookup(&url).unwrap().1.in_sitemap
    };
    assert!(in_sitemap("/z") && !in_sitemap("/a"));
}

#[test]
fn a_start_page_refresh_is_followed_only_within_the_site() {
    let (audit, _) = crawl(
        "=== /\n<meta http-equiv=refresh content='0; url=/en/'>\n=== /en/\n<a href=/b>b</a>\n=== /b\n<p>b\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/en/", "/b"]);
    let depths: Vec<_> = audit.site.pages.iter().map(|page| page.depth).collect();
    assert_eq!(depths, [Some(0), Some(1), Some(2)]);
    let (audit, fetcher) = crawl(
        "=== /\n<meta http-equiv=refresh content='0; url=https://example.org/'>\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/"]);
    assert_eq!(fetcher.hits("https://example.org/"), 0);
}

#[test]
fn links_are_resolved_against_the_first_base_that_is_http() {
    let (audit, _) = crawl(
        "=== /\n<base target=_top><base href='sub/'><base href='/no/'><a href=a>a</a>\n\
         === /sub/a\n<base href='data:text/plain,x'><a href=b>b</a>\n=== /sub/b\n<base href='//example.com/c/'><a href=d>d</a>\n\
         === /c/d\n<base href='https://example.org/'><a href=e>e</a>\n",
        options(),
    );
    assert_eq!(pages(&audit), ["/", "/sub/a", "/sub/b", "/c/d"]);
    assert_eq!(skipped(&audit), BTreeMap::from([("external", 1)]));
}

#[test]
fn start_urls_are_normalized() {
    for url in [
        "HTTPS://EXAMPLE.com:443/a?b=1#c",
        "https://example.com/x/../a?b=1",
    ] {
        let fetcher = ReplayFetcher::parse("=== /a?b=1\n<p>a\n").unwrap();
        let audit = run(&fetcher, options(), url).unwrap();
        assert_eq!(audit.site.start.as_str(), "https://example.com/a?b=1");
    }
    let fetcher = ReplayFetcher::parse("=== https://xn--bcher-kva.example/\n<p>a\n").unwrap();
    let audit = run(&fetcher, options(), "https://Bücher.example").unwrap();
    assert_eq!(pages(&audit), ["/"]);
}

#[test]
fn a_redirected_start_url_is_adopted_only_within_the_domain() {
    for landing in [
        "https://www.example.com/",
        "https://example.com/index.html",
        "https://de.example.com/start/",
    ] {
        let fetcher = ReplayFetcher::parse(&format!(
            "=== http://example.com/\nHTTP/1.1 302 Found\nLocation: {landing}\n\n=== {landing}\n<a href=b>b</a>\n\
             === {landing}b\n<p>b\n"
        ))
        .unwrap();
        let audit = run(&fetcher, options(), "http://example.com/").unwrap();
        assert_eq!(audit.site.start.as_str(), landing);
    }
    for landing in [
        "https://example.org/",
        "https://example.com.evil.org/",
        "https://a.example.com:8443/",
    ] {
        let fetcher = ReplayFetcher::parse(&format!(
            "=== http://example.com/\nHTTP/1.1 302 Found\nLocation: {landing}\n\n=== {landing}\n<p>x\n"
        ))
        .unwrap();
        assert!(
            run(&fetcher, options(), "http://example.com/").is_err(),
            "{landing}"
        );
        assert_eq!(fetcher.hits(landing), 0);
    }
}

#[test]
fn a_url_with_a_password_is_rejected() {
    let error = run(
        &ReplayFetcher::default(),
        options(),
        "https://u:secret@example.com/",
    )
    .unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[test]
fn external_links_are_requested_once_and_never_lead_back_into_the_site() {
    let fetcher = ReplayFetcher::parse(
        "=== /robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: *\nDisallow: /secret\n\
         === /\n<a href=https://a.example.org/1#x>1</a><a href=https://a.example.org/1#y>1</a>\
         <a href=https://a.example.org/2>2</a><a href=https://b.example.org/back>b</a><a href=https://b.example.org/loop>l</a>\
         <a href=https://c.example.org/busy>c</a><script src=https://cdn.example.org/x.js></script>\n\
         === https://a.example.org/1\nHTTP/1.1 301 Moved\nLocation: /end\n\n\
         === https://a.example.org/2\nHTTP/1.1 301 Moved\nLocation: /end\n\n=== https://a.example.org/end\n<p>x\n\
         === https://b.example.org/back\nHTTP/1.1 302 Found\nLocation: https://example.com/secret\n\n\
         === https://b.example.org/loop\nHTTP/1.1 302 Found\nLocation: /loop\n\n\
         === https://c.example.org/busy\nHTTP/1.1 429 Busy\n\n",
    )
    .unwrap();
    let audit = run(
        &fetcher,
        AuditOptions {
            external: true,
            ..options()
        },
        START,
    )
    .unwrap();
    for url in [
        "https://a.example.org/1",
        "https://a.example.org/end",
        "https://b.example.org/loop",
    ] {
        assert_eq!(fetcher.hits(url), 1, "{url}");
    }
    assert_eq!(fetcher.hits("https://example.com/secret"), 0);
    // Requested as a resource, and not as a link.
    assert_eq!(fetcher.hits("https://cdn.example.org/x.js"), 1);
    let busy = fetcher.log();
    assert!(
        !busy.contains(&"GET https://c.example.org/busy".to_owned()),
        "{busy:?}"
    );
    let one = Url::parse("https://a.example.org/1").unwrap();
    let end = audit
        .site
        .urls
        .landing(audit.site.lookup(&one).unwrap().0)
        .unwrap();
    assert_eq!(audit.site.urls.url(end), "https://a.example.org/end");
}

#[tokio::test(start_paused = true)]
async fn external_links_have_a_budget_per_host() {
    let many = links((0..300).map(|n| format!("https://a.example.org/{n}")));
    let fetcher = ReplayFetcher::parse(&format!(
        "=== /\n{many}<a href=https://b.example.org/>b</a>\n"
    ))
    .unwrap();
    let options = AuditOptions {
        external: true,
        ..options()
    };
    let auditor = Auditor::with_fetcher(Arc::new(fetcher.clone()), Default::default(), options);
    let audit = auditor.audit(START).await.unwrap();
    let asked = fetcher
        .log()
        .iter()
        .filter(|line| line.starts_with("HEAD https://a.example.org/"))
        .count();
    assert_eq!(asked, 200);
    assert_eq!(fetcher.hits("https://b.example.org/"), 2);
    assert_eq!(skipped(&audit), BTreeMap::from([("budget", 100)]));
}

#[test]
fn style_sheet_imports_and_fonts_are_requested_once() {
    let css = |body: &str| format!("HTTP/1.1 200 OK\nContent-Type: text/css\n\n{body}\n");
    let (audit, fetcher) = crawl(
        &format!(
            "=== /\n<link rel=stylesheet href=/css/a.css>\n=== /css/a.css\n{}=== /css/b.css\n{}",
            css("@import 'b.css';@font-face{src:url(../f.woff2)}p{background:url(/no.png)}"),
            css("@import url(a.css);@import 'b.css';@font-face{src:url(/f.woff2)}"),
        ),
        options(),
    );
    for (path, hits) in [
        ("/css/a.css", 1),
        ("/css/b.css", 1),
        ("/f.woff2", 1),
        ("/no.png", 0),
    ] {
        assert_eq!(
            fetcher.hits(&format!("https://example.com{path}")),
            hits,
            "{path}"
        );
    }
    assert_eq!(audit.site.resources.len(), 3);
}

#[test]
fn external_style_sheet_resources_are_not_links() {
    let (_, fetcher) = crawl(
        "=== /\n<link rel=stylesheet href=/a.css>\n\
         === /a.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n\
         @import 'https://cdn.example.net/b.css';@font-face{src:url(https://cdn.example.net/f.woff2)}\n",
        AuditOptions {
            external: true,
            ..options()
        },
    );
    // With GET only, without HEAD.
    assert_eq!(fetcher.hits("https://cdn.example.net/b.css"), 1);
    assert_eq!(fetcher.hits("https://cdn.example.net/f.woff2"), 1);
}

/// Never responds for hosts whose names start with `hangs`.
struct Hanging(ReplayFetcher);

impl Fetcher for Hanging {
    fn fetch(&self, request: Request) -> FetchFuture<'_> {
        let hangs = |host: &str| host.starts_with("hangs");
        if request.url.host_str().is_some_and(hangs) {
            return Box::pin(std::future::pending());
        }
        self.0.fetch(request)
    }
}

#[tokio::test(start_paused = true)]
async fn a_hanging_host_affects_only_its_own_resources_and_links() {
    let mut recording = Recording::default();
    let away: String = (0..3)
        .map(|n| {
            format!("<img src=https://hangs.example/{n}><a href=https://hangs.example/p{n}>p</a>")
        })
        .collect();
    let own: String = (0..40).map(|n| format!("<img src=/{n}.png>")).collect();
    add(&mut recording, "/", away + &own);
    let options = AuditOptions {
        external: true,
        concurrency: Some(8),
        ..options()
    };
    let fetcher = Arc::new(Hanging(ReplayFetcher::new(recording)));
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    let audit = auditor.audit(START).await.unwrap();
    let read: Vec<_> = (audit.site.resources.iter())
        .map(|resource| resource.url.path().to_owned())
        .collect();
    let expected: Vec<_> = (0..40).map(|n| format!("/{n}.png")).collect();
    assert_eq!(read, expected);
    assert_eq!(skipped(&audit), BTreeMap::from([("budget", 6)]));
}

#[tokio::test(start_paused = true)]
async fn a_sitemap_timeout_is_reported_and_does_not_affect_others() {
    let site = "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\n\
        Sitemap: https://hangs.example/s.txt\nSitemap: https://example.com/a.txt\n\n\
        === /a.txt\nHTTP/1.1 200 OK\n\nhttps://example.com/a\n";
    let options = AuditOptions {
        external: true,
        concurrency: Some(8),
        ..options()
    };
    let fetcher = Arc::new(Hanging(ReplayFetcher::parse(site).unwrap()));
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    let audit = auditor.audit(START).await.unwrap();
    let listed: Vec<_> = (audit.site.sitemaps.iter())
        .map(|file| (file.url.path(), file.status, file.unread))
        .collect();
    assert_eq!(
        listed,
        [
            ("/s.txt", None, Some(SitemapUnread::Late)),
            ("/a.txt", Some(200), None)
        ]
    );
}

#[test]
fn a_sitemap_on_another_site_is_skipped_and_reported() {
    let (audit, fetcher) = crawl(
        "=== /\n<p>x\n=== /robots.txt\nHTTP/1.1 200 OK\n\nSitemap: https://other.example/s.txt\n",
        options(),
    );
    assert_eq!(fetcher.hits("https://other.example/s.txt"), 0);
    let file = &audit.site.sitemaps[0];
    assert_eq!(
        (file.status, file.unread),
        (None, Some(SitemapUnread::External))
    );
}

#[test]
fn references_of_a_redirected_style_sheet_are_resolved_against_its_final_url() {
    let (_, fetcher) = crawl(
        "=== /\n<link rel=stylesheet href=/a.css>\n\
         === /a.css\nHTTP/1.1 302 Found\nLocation: /css/v2/a.css\n\n\n\
         === /css/v2/a.css\nHTTP/1.1 200 OK\nContent-Type: text/css\n\n@import 'b.css';\n",
        options(),
    );
    assert_eq!(fetcher.hits("https://example.com/css/v2/b.css"), 1);
    assert_eq!(fetcher.hits("https://example.com/b.css"), 0);
}

#[derive(Debug, Clone)]
struct Stop {
    max_pages: u32,
    max_depth: Option<u32>,
    include: bool,
    exclude: bool,
    out_of_time: bool,
    external: bool,
}

fn stops() -> impl Strategy<Value = Stop> {
    (
        1_u32..40,
        prop::option::of(0_u32..4),
        any::<bool>(),
        any::<bool>(),
        prop::bool::weighted(0.2),
        any::<bool>(),
    )
        .prop_map(
            |(max_pages, max_depth, include, exclude, out_of_time, external)| Stop {
                max_pages,
                max_depth,
                include,
                exclude,
                out_of_time,
                external,
            },
        )
}

/// Link targets of generated sites: pages, redirects, missing pages, URLs that robots.txt or the
/// gates forbid, queries, deep paths, other sites, and external URLs that the gates forbid.
const TARGETS: [&str; 10] = [
    "/p/",
    "/old/",
    "/gone/",
    "/private/",
    "/q?n=",
    "/a/a/a/",
    "/docs/",
    "http://example.com:81/",
    "https://other.example/",
    "http://127.0.0.1/",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_url_is_fetched_or_skipped_for_exactly_one_reason(
        pages in prop::collection::vec(prop::collection::vec((0..TARGETS.len(), 0_usize..25), 0..8), 1..25),
        listed in prop::collection::vec((0..TARGETS.len(), 0_usize..25), 0..6),
        stop in stops(),
    ) {
        let target = |(kind, n): &(usize, usize)| format!("{}{n}", TARGETS[*kind]);
        let mut recording = Recording::default();
        for (n, found) in pages.iter().enumerate() {
            let body = format!("<title>{n}</title>{}", links(found.iter().map(target)));
            let home = if n == 0 { "/".to_owned() } else { format!("/p/{n}") };
            for path in [home, format!("/docs/{n}"), format!("/q?n={n}"), format!("/private/{n}")] {
                add(&mut recording, &path, body.clone());
            }
            let old = Url::parse(START).unwrap().join(&format!("/old/{n}")).unwrap();
            let location = format!("/old/{}", n + 1);
            recording.add(&old, 301, Headers::from_iter([("location", location.as_str())]), "");
        }
        let robots = Url::parse("https://example.com/robots.txt").unwrap();
        recording.add(&robots, 200, Headers::new(), "User-agent: *\nDisallow: /private\n");
        let map: String = listed.iter().map(|entry| format!("{}\n", Url::parse(START).unwrap().join(&target(entry)).unwrap())).collect();
        recording.add(&Url::parse("https://example.com/sitemap.xml").unwrap(), 200, Headers::new(), map);
        let audit = run(
            &ReplayFetcher::new(recording),
            AuditOptions {
                max_pages: stop.max_pages,
                external: stop.external,
                max_depth: stop.max_depth,
                include: if stop.include { patterns(&["/docs/", "/p/1"]) } else { Vec::new() },
                exclude: if stop.exclude { patterns(&["/p/2", "/old/3"]) } else { Vec::new() },
                crawl_budget: if stop.out_of_time { Duration::from_micros(500) } else { Duration::from_secs(60) },
                ..options()
            },
            START,
        );
        let Ok(audit) = audit else { return Ok(()) };
        let coverage = &audit.result.coverage;
        let skipped: u64 = coverage.skipped.iter().filter(|(reason, _)| !matches!(&**reason, "external" | "budget")).map(|(_, count)| count).sum();
        prop_assert_eq!(coverage.pages_discovered, coverage.pages_fetched + skipped, "{:?}", coverage);
        prop_assert!(coverage.pages_audited <= u64::from(stop.max_pages));
    }
}

#[test]
fn links_beyond_the_per_page_limit_make_the_crawl_incomplete() {
    let of = |links: String| {
        let mut recording = Recording::default();
        add(&mut recording, "/", links);
        add(&mut recording, "/a", "<p>a".to_owned());
        run(&ReplayFetcher::new(recording), options(), START).unwrap()
    };
    let forms = |count: usize| links((0..count).map(|n| format!("/a#{n}")));
    let whole = of(forms(50_000));
    assert_eq!(pages(&whole), ["/", "/a"]);
    assert!(whole.result.coverage.complete);
    let cut = of(forms(50_000) + &links(["/a#x", "/b", "/c", "/b"].map(str::to_owned)));
    let coverage = &cut.result.coverage;
    assert!(!coverage.complete);
    assert_eq!(coverage.stopped_by, None);
    // A redirect to a known page is not another page.
    assert_eq!(coverage.pages_discovered, 4);
    assert_eq!(skipped(&cut), BTreeMap::from([("budget", 2)]));
}

#[test]
fn a_truncated_page_makes_the_crawl_incomplete() {
    let of = |depth: usize| {
        let mut recording = Recording::default();
        add(&mut recording, "/", "<div>".repeat(depth));
        let audit = run(&ReplayFetcher::new(recording), options(), START).unwrap();
        let coverage = audit.result.coverage;
        (coverage.complete, coverage.stopped_by)
    };
    assert_eq!(of(100), (true, None));
    assert_eq!(of(100_000), (false, None));
}
