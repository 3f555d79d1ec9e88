//! Pages that scripts change, and what the checks that compare both forms of a page say of each change.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use audit_engine::{Audit, AuditOptions};
use domain::Dimension;
use domain::score::Share;
use rstest::rstest;
use testkit::ReplayRenderer;
use url::Url;

use crate::replayed::{self, START, options};

/// The checks that compare what is served with what is shown.
const COMPARING: [&str; 17] = [
    "content-needs-js",
    "images-only-after-js",
    "links-without-href",
    "render-blank",
    "render-changes-canonical",
    "render-changes-hreflang",
    "render-changes-lang",
    "render-changes-robots",
    "render-changes-title",
    "render-only-links",
    "render-only-social-tags",
    "render-only-structured-data",
    "render-redirects-by-script",
    "render-removes-content",
    "render-soft-404",
    "robots-blocks-rendering-assets",
    "spa-hash-routes",
];

/// A page that is whole without scripts, and has everything that the checks compare.
const WHOLE: &str = r#"<!doctype html><html lang="en"><head><meta name="csrf-token" content="a1b2c3"><title>Ferry times – Island Line</title>
<meta name="description" content="Departure times of all ferries to the islands, with fares and ports."><meta name="robots" content="index, follow">
<link rel="canonical" href="/"><link rel="alternate" hreflang="en" href="/"><link rel="alternate" hreflang="de" href="/de">
<meta property="og:title" content="Ferry times"><meta property="og:image" content="https://example.com/a.png"><meta name="twitter:card" content="summary">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"Island Line","url":"https://example.com/"}</script>
<script nonce="n1" src="/app.js"></script></head><body><nav><a href="/times">Times</a> <a href="/fares">Fares</a> <a href="/ports">Ports</a> <a href="/contact">Contact</a></nav>
<main><h1>Ferry times</h1><p>Our two ferries cross the bay every day of the year, also on holidays, and in summer until late at night. The first one leaves at six from the old pier behind the market hall, the last one at ten. Tickets are sold on board and at the kiosk beside the pier. Children under six travel free, and so do dogs, bicycles and small boats. In storms the ferries stay in the harbour; ask the harbour master by phone, or look at the signal on the tower. A return ticket costs nine pounds, a ticket for a week thirty, and a ticket for a year three hundred.</p>
<p id="updated">Updated at 12:45:03.</p></main></body></html>"#;

/// An application without content in its response.
const SHELL: &str = r#"<!doctype html><html lang="en"><title>Ferry times</title><h1>Ferry times</h1><div id="app"></div><script src="/app.js"></script>"#;

/// A paragraph with this number of different words.
fn words(count: usize) -> String {
    let words: Vec<String> = (0..count).map(|n| format!("extra{n}")).collect();
    format!("<p>{}</p>", words.join(" "))
}

fn audit(served: &str, shown: &str, only: &[&str]) -> Audit {
    let options = AuditOptions {
        max_pages: 1,
        ..options(only)
    };
    let site = format!("=== {START}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{served}\n");
    let renderer = ReplayRenderer::new().shows(&Url::parse(START).unwrap(), shown);
    replayed::audit(&site, renderer, options)
}

/// Six images with these attributes, whose names begin like this.
fn images(attributes: &str, name: &str) -> String {
    let names = ["a", "b", "c", "d", "e", "f"].iter();
    names
        .map(|at| format!("<img {attributes} src=/{at}/{name}.js alt=x>"))
        .collect()
}

/// The checks that fail on a page.
fn failing(served: &str, shown: &str) -> Vec<String> {
    let audit = audit(served, shown, &COMPARING);
    assert_eq!(audit.result.coverage.pages_rendered, 1);
    let findings = audit.result.findings.iter();
    let mut ids: Vec<String> = findings
        .map(|finding| finding.check_id.to_string())
        .collect();
    ids.sort();
    ids
}

/// The whole page with something in place of a part of it.
fn with(part: &str, other: &str) -> String {
    assert!(WHOLE.contains(part), "{part}");
    WHOLE.replacen(part, other, 1)
}

/// The whole page without its long text.
fn without_text() -> String {
    let (before, text) = WHOLE.split_once("<p>Our").unwrap();
    let (_, after) = text.split_once("<p id").unwrap();
    format!("{before}<p id{after}")
}

/// The whole page with something at the end of its body.
fn and(added: &str) -> String {
    with("</body>", &format!("{added}</body>"))
}

#[rstest]
#[case::noindex_removed(with("index, follow", "noindex"), WHOLE.to_owned(), "render-changes-robots")]
#[case::noindex_added(WHOLE.to_owned(), with("index, follow", "noindex"), "render-changes-robots")]
#[case::nofollow_added(WHOLE.to_owned(), with("index, follow", "nofollow"), "render-changes-robots")]
#[case::canonical_changed(WHOLE.to_owned(), with("\"canonical\" href=\"/\"", "\"canonical\" href=\"/times\""), "render-changes-canonical")]
#[case::canonical_added(WHOLE.to_owned(), with("<link rel=\"canonical\"", "<link rel=canonical href=/b><link rel=\"canonical\""), "render-changes-canonical")]
#[case::canonical_removed(WHOLE.to_owned(), with("rel=\"canonical\"", "rel=\"none\""), "render-changes-canonical")]
#[case::title_changed(with("Ferry times – Island Line", "Loading…"), WHOLE.to_owned(), "render-changes-title")]
#[case::title_only_after(with("<title>Ferry times – Island Line</title>", ""), WHOLE.to_owned(), "render-changes-title")]
#[case::description_only_after(with("name=\"description\"", "name=\"none\""), WHOLE.to_owned(), "render-changes-title")]
#[case::heading_only_after(with("<h1>Ferry times</h1>", ""), WHOLE.to_owned(), "render-changes-title")]
#[case::links_only_after(with("<a href=\"/fares\">Fares</a> <a href=\"/ports\">Ports</a> <a href=\"/contact\">Contact</a>", ""), WHOLE.to_owned(), "render-only-links")]
#[case::text_only_after(WHOLE.to_owned(), and(&words(300)), "content-needs-js")]
#[case::text_removed(WHOLE.to_owned(), without_text(), "render-removes-content")]
#[case::version_changed(WHOLE.to_owned(), with("href=\"/de\"", "href=\"/at\""), "render-changes-hreflang")]
#[case::version_only_after(with("<link rel=\"alternate\" hreflang=\"de\" href=\"/de\">", ""), WHOLE.to_owned(), "render-changes-hreflang")]
#[case::language(with("lang=\"en\"", "lang=\"de\""), WHOLE.to_owned(), "render-changes-lang")]
#[case::social_tag(with("og:image", "none"), WHOLE.to_owned(), "render-only-social-tags")]
#[case::structured_data(WHOLE.to_owned(), and("<script type=application/ld+json>{\"@context\":\"https://schema.org\",\"@type\":\"Product\",\"name\":\"Ticket\"}</script>"), "render-only-structured-data")]
#[case::images_only_after(WHOLE.to_owned(), and(&images("", "ship")), "images-only-after-js")]
#[case::link_without_href(WHOLE.to_owned(), and("<div role=link onclick=x()>Offers</div>"), "links-without-href")]
#[case::error_page(SHELL.to_owned(), "<html lang=en><title>Ferry times</title><script src=a.js></script><h1>Ferry times: page not found</h1>".to_owned(), "render-soft-404")]
#[case::blank(SHELL.to_owned(), SHELL.to_owned(), "render-blank")]
#[case::hash_routes(SHELL.to_owned(), format!("{SHELL}{}", "<p>Our two ferries cross the bay every day of the year, also on holidays, and in summer until late at night.<a href='#/times'>x</a><a href='#/fares'>y</a>"), "spa-hash-routes")]
fn each_difference_alone_is_found(
    #[case] served: String,
    #[case] shown: String,
    #[case] expected: &str,
) {
    assert_eq!(failing(&served, &shown), [expected]);
}

#[rstest]
#[case::nothing(WHOLE.to_owned())]
#[case::nonce(with("nonce=\"n1\"", "nonce=\"\""))]
#[case::token(with("a1b2c3", "d4e5f6"))]
#[case::white_space(WHOLE.replace(". ", ".\n\t  ").replace("<title>Ferry", "<title>\n  Ferry"))]
#[case::entities(WHOLE.replace('–', "&ndash;").replace("ferries", "ferr&#105;es"))]
#[case::time(with("12:45:03", "12:45:09"))]
#[case::absolute_canonical(with(
    "\"canonical\" href=\"/\"",
    "\"canonical\" href=\"https://example.com/\""
))]
#[case::canonical_without_slash(with(
    "\"canonical\" href=\"/\"",
    "\"canonical\" href=\"https://example.com\""
))]
#[case::robots_case(with("index, follow", "INDEX,Follow"))]
#[case::robots_more(with("index, follow", "index, follow, max-image-preview:large"))]
#[case::links_with_slash(WHOLE.replace("href=\"/times\"", "href=\"/times/\"").replace("href=\"/fares\"", "href=\"https://www.example.com/fares\""))]
#[case::links_with_parameters(WHOLE.replace("href=\"/times\"", "href=\"/times?from=nav\"").replace("href=\"/fares\"", "href=\"/fares?_gl=1\"").replace("href=\"/ports\"", "href=\"/ports?x\""))]
#[case::cookie_banner(and(&format!("<div id=cookie-consent role=dialog><h1>We value your privacy</h1>{}<a href=/privacy>a</a><a href=/cookies>b</a><a href=/imprint>c</a></div>", words(400))))]
#[case::banner_by_name(and(&format!("<div class=onetrust-banner>{}<a href=/privacy>a</a><a href=/cookies>b</a><a href=/imprint>c</a></div>", words(400))))]
#[case::experiment(with("<h1>Ferry times", "<h1>Ferry schedule"))]
#[case::experiment_in_title(with("<title>Ferry times", "<title>Ferry schedule"))]
#[case::counter(with("<title>Ferry", "<title>(3) Ferry"))]
#[case::class_of_the_root(with("<html lang=\"en\"", "<html class=\"js no-touch\" lang=\"en\""))]
#[case::region(with("lang=\"en\"", "lang=\"en-GB\""))]
#[case::widget(and(
    "<div class=chat><p>Hello! How can we help you today?</p><a href=/help>Help</a><a href=/contact>Contact</a></div>"
))]
#[case::analytics(and(
    "<script src=https://a.example/t.js></script><img width=1 height=1 src=https://a.example/p.gif alt=''>"
))]
#[case::json_order(with(
    "\"@type\":\"WebSite\",\"name\":\"Island Line\"",
    "\"name\": \"Island Line\", \"@type\": \"WebSite\""
))]
#[case::hidden_text(with("<p>Our", "<p hidden>Our"))]
#[case::lazy_images(and(&images("", "app")))]
#[case::small_images(and(&images("width=24 height=24", "ship")))]
#[case::images_of_a_dialog(and(&format!("<div role=dialog>{}</div>", images("", "ship"))))]
#[case::menu_button(and("<div onclick=x()>Menu</div><button onclick=x()>Search</button>"))]
#[case::anchors(and("<a href='#/'>Top</a><a href='#times'>Times</a><a href='#/menu'>Menu</a>"))]
fn differences_without_a_meaning_are_quiet(#[case] shown: String) {
    let found = failing(WHOLE, &shown);
    assert!(found.is_empty(), "{found:?}");
}

/// The checks that fail on a site with these files, whose start page is the whole page.
fn failing_with(files: &str, renderer: ReplayRenderer) -> Vec<String> {
    let served = format!("=== {START}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{WHOLE}\n");
    let audit = replayed::audit(&format!("{served}{files}"), renderer, options(&COMPARING));
    let found = audit.result.findings.iter();
    found.map(|finding| finding.check_id.clone()).collect()
}

#[test]
fn a_redirect_by_script_is_found_and_one_of_the_server_is_not() {
    let at = |path: &str| Url::parse(START).unwrap().join(path).unwrap();
    let html = |path: &str, body: &str| {
        format!(
            "=== {}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{body}\n",
            at(path)
        )
    };
    let moved =
        "<!doctype html><html lang=en><title>Times</title><script>location = '/fares'</script>";
    let refresh = "<!doctype html><html lang=en><title>Times</title><meta http-equiv=refresh content='0;url=/fares'>";
    let fares = WHOLE.replace("canonical\" href=\"/\"", "canonical\" href=\"/fares\"");
    let renderer = || {
        ReplayRenderer::new()
            .shows(&at("/"), WHOLE)
            .shows(&at("/fares"), &fares)
            .leads(&at("/times"), &at("/fares"), &fares)
    };
    let by_script = html("/times", moved) + &html("/fares", &fares);
    assert_eq!(
        failing_with(&by_script, renderer()),
        ["render-redirects-by-script"]
    );
    let by_refresh = html("/times", refresh) + &html("/fares", &fares);
    assert_eq!(failing_with(&by_refresh, renderer()), [""; 0]);
    let by_server = format!(
        "=== {}\nHTTP/1.1 302 Found\nLocation: /fares\n\n",
        at("/times")
    ) + &html("/fares", &fares);
    assert_eq!(failing_with(&by_server, renderer()), [""; 0]);
}

#[test]
fn a_script_that_robots_txt_blocks_is_found_and_one_that_it_allows_is_not() {
    let robots = |rules: &str| {
        let file =
            format!("=== {START}robots.txt\nHTTP/1.1 200 OK\n\nUser-agent: Googlebot\n{rules}\n");
        failing_with(
            &file,
            ReplayRenderer::new().shows(&Url::parse(START).unwrap(), WHOLE),
        )
    };
    assert_eq!(
        robots("Disallow: /app.js"),
        ["robots-blocks-rendering-assets"]
    );
    assert_eq!(robots("Disallow: /app/"), [""; 0]);
}

#[test]
fn pages_without_scripts_are_not_compared() {
    let served = with("<script nonce=\"n1\" src=\"/app.js\"></script>", "");
    let shown = served
        .replace("index, follow", "noindex")
        .replace("Ferry", "Train");
    let found = failing(&served, &shown);
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn a_text_that_needs_scripts_has_one_price() {
    let shown = format!("{SHELL}<main>{}</main>", words(300));
    let score = |only: &[&str]| -> Share {
        let tallies = audit(SHELL, &shown, only).result.tallies;
        let mut pages = tallies.pages.iter();
        let total = pages.find(|(dimension, _)| **dimension == Dimension::AiReadiness);
        total.unwrap().1.mean()
    };
    let (known, suspected) = ("content-needs-js", "content-needs-js-suspected");
    let cheapest = score(&[known]).min(score(&[suspected]));
    assert!(cheapest < Share::ONE);
    assert_eq!(score(&[known, suspected]), cheapest);
}
