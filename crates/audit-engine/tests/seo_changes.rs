//! A clean site in two languages, and one change at a time to it: each raises the checks of search
//! engines that it should, and no others. So no cause is told twice.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where something is not as expected"
)]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use audit_engine::checks::catalogue;
use audit_engine::gather::{RECORDING_BASE, Recording};
use audit_engine::{AuditOptions, Auditor};
use domain::Dimension;
use rstest::rstest;

const TEXTS: [(&str, &str, &str, &str); 6] = [
    (
        "/",
        "en",
        "Ferries to the islands all year",
        "Our two ferries cross the bay every day of the year. The first one leaves the old harbour at six in the morning, and the last one brings you back at nine in the evening.",
    ),
    (
        "/times",
        "en",
        "When the ferries leave the harbour",
        "In summer a ferry leaves every hour from six to nine. In winter there are five a day, and none when the wind blows harder than eight. The clock at the pier tells the next one.",
    ),
    (
        "/fares",
        "en",
        "What a crossing costs this season",
        "A day ticket is nine euros for grown people and four for children. Bicycles travel free before eight and after six. A card for ten crossings is sold at the kiosk beside the lighthouse.",
    ),
    (
        "/de/",
        "de",
        "Fähren zu den Inseln das ganze Jahr",
        "Unsere zwei Fähren fahren an jedem Tag im Jahr über die Bucht. Die erste verlässt den alten Hafen um sechs Uhr am Morgen, und die letzte bringt Sie um neun Uhr am Abend zurück.",
    ),
    (
        "/de/times",
        "de",
        "Wann die Fähren den Hafen verlassen",
        "Im Sommer fährt von sechs bis neun jede Stunde eine Fähre. Im Winter sind es fünf am Tag, und keine, wenn der Wind stärker als acht bläst. Die Uhr am Steg nennt die nächste.",
    ),
    (
        "/de/fares",
        "de",
        "Was eine Überfahrt in diesem Jahr kostet",
        "Eine Tageskarte kostet neun Euro für Erwachsene und vier für Kinder. Fahrräder fahren vor acht und nach sechs frei mit. Eine Karte für zehn Fahrten gibt es am Kiosk neben dem Leuchtturm.",
    ),
];

const ERROR_PAGE: &str = "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'><meta name=description content='There is no page at this address of the site; the menu leads to all that there are.'><title>There is no such page – Island Line</title></head><body><h1>Not found</h1><p>We looked everywhere for this page.</p></body></html>";

/// A GIF of 1,100 by 630 pixels.
const IMAGE: &str = "HTTP/1.1 200 OK\nContent-Type: image/gif\n\nGIF89aL\u{4}v\u{2}";

fn page(path: &str, lang: &str, title: &str, text: &str) -> String {
    let own = path.strip_prefix("/de").unwrap_or(path);
    let german = format!("/de{own}");
    let links: String = TEXTS
        .iter()
        .map(|(path, _, title, _)| format!("<a href='{path}'>{title}</a> "))
        .collect();
    format!(
        "=== {path}\n<!doctype html><html lang={lang}><head><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>{title}</title>\n<meta name=description content='{title}: what there is to know before you go, in a few words on this page.'>\
         <link rel=canonical href='https://example.com{path}'>\n<link rel=alternate hreflang=en href='https://example.com{own}'>\
         <link rel=alternate hreflang=de href='https://example.com{german}'>\
         <link rel=alternate hreflang=x-default href='https://example.com{own}'>\
         <link rel=alternate type=application/rss+xml href=/news.xml>\
         <meta property=og:title content='{title}'><meta property=og:type content=website><meta property=og:description content='{title}'>\
         <meta property=og:url content='https://example.com{path}'>\
         <meta property=og:image content='https://example.com/map.gif'></head>\
         <body><nav>{links}</nav><main><h1>{title}</h1><p>{text}</p></main></body></html>\n"
    )
}

fn site() -> String {
    let pages: String = TEXTS
        .iter()
        .map(|(path, lang, title, text)| page(path, lang, title, text))
        .collect();
    let entries: String = TEXTS
        .iter()
        .map(|(path, ..)| format!("<url><loc>https://example.com{path}</loc></url>\n"))
        .collect();
    let missing: String = [
        "/assay-probe-a379a6f6eeafb9a5",
        "/de/assay-probe-a379a6f6eeafb9a5",
    ]
    .iter()
    .map(|path| {
        format!("=== {path}\nHTTP/1.1 404 Not Found\nContent-Type: text/html\n\n{ERROR_PAGE}\n")
    })
    .collect();
    format!(
        "{pages}{missing}=== /map.gif\n{IMAGE}\n=== /robots.txt\nHTTP/1.1 200 OK\nContent-Type: text/plain\n\nUser-agent: *\nDisallow: /drafts\nSitemap: https://example.com/sitemap.xml\n\
         === /sitemap.xml\nHTTP/1.1 200 OK\nContent-Type: application/xml\n\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n{entries}</urlset>\n\
         === /news.xml\nHTTP/1.1 200 OK\nContent-Type: application/rss+xml\n\n<rss version='2.0'><channel><item><link>https://example.com/times</link></item></channel></rss>\n\
         === http://example.com/\nHTTP/1.1 301 Moved Permanently\nLocation: https://example.com/\n\n\
         === https://www.example.com/\nHTTP/1.1 301 Moved Permanently\nLocation: https://example.com/\n\n\
         === http://www.example.com/\nHTTP/1.1 301 Moved Permanently\nLocation: https://example.com/\n\n"
    )
}

fn found(site: &str) -> BTreeSet<&'static str> {
    let options = AuditOptions {
        only: Some(
            catalogue()
                .into_iter()
                .filter(|check| {
                    check.dimension == Dimension::Seo || check.id == "content-duplicate-exact"
                })
                .collect(),
        ),
        retry_pause: Duration::ZERO,
        max_rate: Some(1e6),
        ..AuditOptions::default()
    };
    let recording = Recording::parse(site).unwrap();
    let auditor = Auditor::with_fetcher(Arc::new(recording), Default::default(), options);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build();
    let audit = runtime.unwrap().block_on(auditor.audit(RECORDING_BASE));
    let found = audit.unwrap().result.findings;
    catalogue()
        .into_iter()
        .map(|check| check.id)
        .filter(|id| found.iter().any(|finding| finding.check_id == *id))
        .collect()
}

/// The section of a page, with a replacement in it.
fn in_page(path: &str, from: &str, to: &str) -> String {
    let site = site();
    let begin = site.find(&format!("=== {path}\n")).expect("the page");
    let (before, rest) = site.split_at(begin);
    let end = rest
        .get(4..)
        .and_then(|rest| rest.find("=== "))
        .expect("a next section")
        + 4;
    let (page, after) = rest.split_at(end);
    assert!(page.contains(from), "{from}");
    format!("{before}{}{after}", page.replace(from, to))
}

/// The site with another answer at an address.
fn with(path: &str, answer: &str) -> String {
    format!("{}=== {path}\n{answer}\n", site())
}

fn replaced(from: &str, to: &str) -> String {
    let site = site();
    assert!(site.contains(from), "{from}");
    site.replace(from, to)
}

#[test]
fn nothing_is_found_on_the_clean_site() {
    assert_eq!(found(&site()), BTreeSet::new());
}

#[rstest]
#[case::variant_without_canonical(
    {
        let bare = in_page("/times", "<link rel=canonical href='https://example.com/times'>", "");
        let text = bare.split_once("=== /times\n").unwrap().1.split_once("=== ").unwrap().0.to_owned();
        let linked = bare.replacen("<a href='/times'>", "<a href='/times?from=menu'>Times</a><a href='/times'>", 1);
        format!("{linked}=== /times?from=menu\n{text}")
    },
    // No sitemap lists the copy.
    &["canonical-missing", "sitemap-coverage-gap"]
)]
#[case::all_pages_to_root(
    replaced("<link rel=canonical href='https://example.com/times'>", "<link rel=canonical href='https://example.com/'>")
        .replace("href='https://example.com/fares'>\n", "href='https://example.com/'>\n")
        .replace("href='https://example.com/de/fares'>\n", "href='https://example.com/'>\n"),
    &["canonical-to-homepage"]
)]
#[case::canonical_elsewhere(
    in_page("/times", "<link rel=canonical href='https://example.com/times'>", "<link rel=canonical href='https://example.com/fares'>"),
    &["sitemap-url-noncanonical"]
)]
#[case::www_answers(
    {
        let home = site().split_once("=== /times").unwrap().0.replace("=== /\n", "");
        with("https://www.example.com/", &home.replace("<link rel=canonical href='https://example.com/'>", "<link rel=canonical href='https://www.example.com/'>"))
    },
    &["host-variants-both-live"]
)]
#[case::www_answers_with_the_canonical_url(
    {
        let home = site().split_once("=== /times").unwrap().0.replace("=== /\n", "");
        with("https://www.example.com/", &home)
    },
    &[]
)]
#[case::no_return(
    in_page("/de/times", "<link rel=alternate hreflang=en href='https://example.com/times'>", "")
        .replace("<link rel=alternate hreflang=de href='https://example.com/de/times'><link rel=alternate hreflang=x-default href='https://example.com/times'><link rel=alternate type", "<link rel=alternate hreflang=de href='https://example.com/de/times'><link rel=alternate type"),
    &["hreflang-no-return"]
)]
#[case::no_self(
    in_page("/times", "<link rel=alternate hreflang=en href='https://example.com/times'>", "")
        .replacen("<link rel=alternate hreflang=x-default href='https://example.com/times'>", "", 1),
    &["hreflang-no-self"]
)]
#[case::version_gone(
    in_page("/times", "</head>", "<link rel=alternate hreflang=fr href='https://example.com/fr/times'></head>"),
    &["hreflang-to-error"]
)]
#[case::version_redirected(
    format!("{}=== /fr\nHTTP/1.1 301 X\nLocation: /de/\n\n", in_page("/", "</head>", "<link rel=alternate hreflang=fr href='https://example.com/fr'></head>")),
    &["hreflang-to-redirect"]
)]
#[case::version_with_noindex(
    in_page("/de/times", "<meta charset=utf-8>", "<meta charset=utf-8><meta name=robots content=noindex>"),
    // Who links, lists and translates it has something to correct each.
    &["hreflang-to-noindex", "noindex-page", "sitemap-url-noindex"]
)]
#[case::feed_lists_what_is_gone(
    replaced("<link>https://example.com/times</link>", "<link>https://example.com/storm</link>"),
    &["http-client-error"]
)]
#[case::link_to_what_is_gone(
    in_page("/times", "<main>", "<main><a href=/storm>Storm</a>"),
    &["link-broken-internal"]
)]
#[case::sitemap_lists_what_is_gone(
    replaced("</urlset>", "<url><loc>https://example.com/storm</loc></url></urlset>"),
    &["sitemap-url-error"]
)]
#[case::http_link(
    format!(
        "{}=== http://tides.example.org/\nHTTP/1.1 301 X\nLocation: https://tides.example.org/\n\n=== https://tides.example.org/\n<p>x\n",
        in_page("/times", "<main>", "<main><a href=http://tides.example.org/>Tides</a>")
    ),
    &["link-https-to-http"]
)]
#[case::http_link_within_the_site(
    format!(
        "{}=== http://example.com/fares\nHTTP/1.1 301 X\nLocation: https://example.com/fares\n\n",
        in_page("/times", "<main>", "<main><a href=http://example.com/fares>Fares</a>")
    ),
    &["redirect-internal-link"]
)]
#[case::preview_gone(replaced("=== /map.gif", "=== /plan.gif"), &["og-image-bad"])]
#[case::preview_relative(
    in_page("/times", "content='https://example.com/map.gif'", "content='/map.gif'"),
    &["og-image-bad"]
)]
#[case::preview_missing(
    in_page("/times", "<meta property=og:image content='https://example.com/map.gif'>", ""),
    &["og-incomplete"]
)]
#[case::no_card(
    in_page("/times", "<meta property=og:description content='When the ferries leave the harbour'>", ""),
    &["twitter-card-missing"]
)]
#[case::noindex_that_googlebot_cannot_read(
    in_page("/times", "<meta charset=utf-8>", "<meta charset=utf-8><meta name=robots content=noindex>")
        .replace("User-agent: *", "User-agent: Googlebot\nDisallow: /times\n\nUser-agent: *")
        .replace("<url><loc>https://example.com/times</loc></url>\n", ""),
    &["robots-meta-unseen", "hreflang-to-noindex"]
)]
#[case::sitemap_page_closed(
    replaced("User-agent: *", "User-agent: Googlebot\nDisallow: /fares\n\nUser-agent: *"),
    &["sitemap-url-blocked"]
)]
#[case::linked_page_closed(
    replaced("User-agent: *", "User-agent: Googlebot\nDisallow: /menu\n\nUser-agent: *")
        .replacen("<main>", "<main><a href=/menu.pdf>Menu</a>", 1)
        + "=== /menu.pdf\nHTTP/1.1 200 OK\nContent-Type: application/pdf\n\n%PDF\n",
    &["robots-blocks-linked-page"]
)]
#[case::robots_of_another_origin_fails(
    format!(
        "{}=== https://www.example.com/robots.txt\nHTTP/1.1 503 X\n\n",
        in_page("/times", "<main>", "<main><a href=https://www.example.com/x>x</a>")
    ),
    &["robots-unreachable"]
)]
#[case::sitemap_too_large(
    replaced("</urlset>", "%repeat 50000 <url><loc>https://example.com/</loc></url>\n</urlset>")
        .replace("</url>\n%repeat", "</url>\n\n%repeat"),
    &["sitemap-too-large"]
)]
#[case::error_page_with_success(
    format!("{}=== /storm\n{ERROR_PAGE}\n", in_page("/times", "<main>", "<main><a href=/storm>Storm</a>"))
        .replace("</urlset>", "<url><loc>https://example.com/storm</loc></url></urlset>"),
    &["soft-404"]
)]
#[case::trailing_slash_is_another_page(
    in_page("/times", "href='https://example.com/de/times'>", "href='https://example.com/de/times/'>")
        + "=== /de/times/\nHTTP/1.1 301 X\nLocation: /de/times\n\n",
    &["hreflang-to-redirect"]
)]
fn a_change_raises_what_it_should_and_nothing_else(
    #[case] site: String,
    #[case] expected: &[&'static str],
) {
    let expected: BTreeSet<&str> = expected.iter().copied().collect();
    assert_eq!(found(&site), expected);
}
