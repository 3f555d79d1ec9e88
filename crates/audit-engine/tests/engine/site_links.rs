//! The link targets and redirect chains of a result, and what pages tell of their links.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::bounds::{
    MAX_CHAIN_HOPS, MAX_LINK_TARGET_BYTES, MAX_LINK_TARGETS, MAX_LINKING_PAGES, MAX_REDIRECT_CHAINS,
};
use audit_engine::{AuditOptions, Auditor};
use domain::report::{AuditResult, LinkKind, LinkTarget, LinkVerdict, SiteLinks};
use testkit::ReplayFetcher;

fn audit(site: &str, options: AuditOptions) -> AuditResult {
    let fetcher = Arc::new(ReplayFetcher::parse(site).unwrap());
    let options = AuditOptions {
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        only: Some(vec![audit_engine::checks::find("title-missing").unwrap()]),
        ..options
    };
    let auditor = Auditor::with_fetcher(fetcher, Default::default(), options);
    tokio::runtime::Builder::new_multi_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(auditor.audit("https://example.com/"))
        .unwrap()
        .result
}

const SITE: &str = "\
=== /robots.txt
HTTP/1.1 200 OK
Content-Type: text/plain

User-agent: *
Disallow: /private
=== /
<html lang=en><title>Home</title><meta name=description content=About>
<link href=/ rel=canonical><h1>Welcome</h1><p>Some words here.
<a href=/a>a</a><a href=/a#x>a</a><a href=/b>b</a><a href=/old>old</a><a href=/gone>gone</a>
<a href=/private/x>p</a><a href=/loop>loop</a><a href=/denied>d</a><a href=/dead>dead</a>
<a href=https://example.org/>fine</a><a href=https://example.org/gone>gone</a>
<a href=https://example.org/moved>moved</a>
=== /a
<title>A</title><a href=/>home</a><a href=/b>b</a><a href=/gone>gone</a><a href=/a>a</a>
=== /b
<title>B</title><meta name=robots content=noindex><a href=/>home</a><a href=/old>old</a>
=== /old
HTTP/1.1 301 Moved
Location: /older

=== /older
HTTP/1.1 302 Found
Location: /a

=== /gone
HTTP/1.1 410 Gone

=== /loop
HTTP/1.1 301 Moved
Location: /pool

=== /pool
HTTP/1.1 301 Moved
Location: /loop

=== /denied
HTTP/1.1 403 Forbidden

=== /dead
FAILS connect
=== https://example.org/
fine
=== https://example.org/gone
HTTP/1.1 404 Not Found

=== https://example.org/moved
HTTP/1.1 301 Moved
Location: https://example.org/gone

";

#[test]
fn every_link_target_is_listed_with_its_verdict() {
    let links = audit(SITE, AuditOptions::default()).links;
    let shown: Vec<String> = links.targets.iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            "broken /gone 410 (returns status 410) 2 [0, 1]",
            "broken /dead - (does not accept connections) 1 [0]",
            "broken https://example.org/gone 404 (returns status 404) 1 [0]",
            "broken https://example.org/moved 301 (redirects to https://example.org/gone, which returns status 404) 1 [0] → https://example.org/gone",
            "ok /old 301 2 [0, 2] → /a",
            "unverified /loop 301 (redirects in a loop or too often) 1 [0]",
            "ok https://example.org/ 200 1 [0]",
            "ok / 200 2 [1, 2]",
            "ok /a 200 2 [0, 1]",
            "ok /b 200 2 [0, 1]",
            "unverified /denied 403 (returns status 403) 1 [0]",
            "not_requested /private/x - (robots_disallowed) 1 [0]",
        ]
    );
    let totals = LinkKind::ALL.map(|kind| links.counts.of(Some(kind)).total);
    assert_eq!(totals, [4, 3, 3, 9]);
    let all = links.counts.all;
    assert_eq!((all.total, all.stored), (12, 12));
}

fn shown(target: &LinkTarget) -> String {
    let path = |url: &str| url.replacen("https://example.com", "", 1);
    let status = target
        .status
        .map_or_else(|| "-".to_owned(), |status| status.to_string());
    let mut text = format!("{} {} {status} ", target.verdict, path(&target.url));
    if let Some(reason) = &target.reason {
        write!(text, "({reason}) ").unwrap();
    }
    write!(text, "{} {:?}", target.linking_pages, target.first_pages).unwrap();
    if let Some(end) = &target.leads_to {
        write!(text, " → {}", path(end)).unwrap();
    }
    assert_eq!(
        target.internal,
        target.url.starts_with("https://example.com/")
    );
    text
}

#[test]
fn redirect_chains_are_whole() {
    let links = audit(SITE, AuditOptions::default()).links;
    let chains = links.chains.iter().map(|chain| {
        let hops = chain.hops.iter().map(|hop| {
            let status = hop.status.map_or(0, u32::from);
            format!(
                "{} {status}",
                hop.url.replacen("https://example.com", "", 1)
            )
        });
        let hops = hops.collect::<Vec<_>>().join(", ");
        format!("{} {} {hops}", chain.linking_pages, chain.is_loop)
    });
    assert_eq!(
        chains.collect::<Vec<_>>(),
        [
            "2 false /old 301, /older 302, /a 200",
            "1 true /loop 301, /pool 301, /loop 301",
            "1 false https://example.org/moved 301, https://example.org/gone 404",
        ]
    );
    assert_eq!(
        (links.counts.chains.total, links.counts.chains.stored),
        (3, 3)
    );
}

#[test]
fn pages_tell_of_their_content_and_links() {
    let result = audit(SITE, AuditOptions::default());
    let details = |path: &str| {
        let url = format!("https://example.com{path}");
        let visit = result.pages.iter().find(|visit| visit.url == url);
        visit.unwrap().details.clone()
    };
    let home = details("/");
    assert_eq!(home.description.as_deref(), Some("About"));
    assert_eq!(home.h1.as_deref(), Some("Welcome"));
    assert_eq!(home.canonical.as_deref(), Some("https://example.com/"));
    assert_eq!(home.language.as_deref(), Some("en"));
    assert_eq!(
        (home.indexable, details("/b").indexable),
        (Some(true), Some(false))
    );
    assert!(home.words.is_some_and(|words| words > 0));
    assert!(home.transfer_bytes.is_some_and(|bytes| bytes > 0));
    assert!(home.response_ms.is_some());
    // Each of its links once: /a#x is /a.
    assert_eq!(home.links_out, Some(11));
    // Page a is linked from the start page, and through /old from page b as well; its own link does not count.
    let links_in = ["/", "/a", "/b", "/old", "/older", "/gone"].map(|path| details(path).links_in);
    assert_eq!(links_in, [2, 2, 2, 2, 0, 2].map(Some));
    let gone = details("/gone");
    assert_eq!(
        (gone.indexable, gone.words, gone.links_out),
        (None, None, None)
    );
}

/// The links of a site whose start page has these links, of which none is requested.
fn linked(hrefs: impl Iterator<Item = String>) -> SiteLinks {
    let mut site = "=== /\n<title>Home</title>".to_owned();
    for href in hrefs {
        write!(site, "<a href={href}>x</a>").unwrap();
    }
    let options = AuditOptions {
        max_pages: 1,
        external: false,
        ..AuditOptions::default()
    };
    audit(&site, options).links
}

#[test]
fn link_targets_are_bounded_by_number() {
    let more = MAX_LINK_TARGETS + 7;
    let links = linked((0..more).map(|number| format!("https://example.org/{number}")));
    assert_eq!(links.targets.len(), MAX_LINK_TARGETS);
    let all = links.counts.external;
    assert_eq!(all.total, u64::try_from(more).unwrap());
    assert_eq!(all.stored, u64::try_from(MAX_LINK_TARGETS).unwrap());
    let is_skipped = |target: &LinkTarget| target.verdict == LinkVerdict::NotRequested;
    assert!(links.targets.iter().all(is_skipped));
}

#[test]
fn link_targets_are_bounded_by_bytes() {
    let long = "x".repeat(1_900);
    let links = linked((0..700).map(|number| format!("https://example.org/{number}/{long}")));
    let bytes: usize = links.targets.iter().map(LinkTarget::text_bytes).sum();
    assert!(bytes <= MAX_LINK_TARGET_BYTES && bytes > MAX_LINK_TARGET_BYTES - 2_000);
    assert_eq!(links.counts.all.total, 700);
    assert_eq!(
        links.counts.all.stored,
        u64::try_from(links.targets.len()).unwrap()
    );
}

#[test]
fn linking_pages_are_counted_and_the_first_are_kept() {
    let mut site = "=== /\n<title>Home</title>".to_owned();
    for number in 0..6 {
        write!(site, "<a href=/{number}>x</a>").unwrap();
    }
    for number in 0..6 {
        write!(
            site,
            "\n=== /{number}\n<title>x</title><a href=/gone>x</a><a href=/gone#a>y</a>"
        )
        .unwrap();
    }
    let links = audit(&site, AuditOptions::default()).links;
    let gone = &links.targets[0];
    assert_eq!(
        (gone.linking_pages, gone.first_pages.len()),
        (6, MAX_LINKING_PAGES)
    );
}

#[test]
fn redirect_chains_are_bounded() {
    let count = MAX_REDIRECT_CHAINS + 5;
    let mut site = "=== /\n<title>Home</title>".to_owned();
    for number in 0..count {
        write!(site, "<a href=/{number}>x</a>").unwrap();
    }
    for number in 0..count {
        let target = number + 1;
        write!(
            site,
            "\n=== /{number}\nHTTP/1.1 301 Moved\nLocation: /{target}\n\n"
        )
        .unwrap();
    }
    let options = AuditOptions {
        max_pages: 5_000,
        ..AuditOptions::default()
    };
    let links = audit(&site, options).links;
    assert_eq!(links.chains.len(), MAX_REDIRECT_CHAINS);
    assert_eq!(links.counts.chains.total, u64::try_from(count).unwrap());
    let hops = links.chains.iter().map(|chain| chain.hops.len());
    assert_eq!(hops.max(), Some(MAX_CHAIN_HOPS));
}
