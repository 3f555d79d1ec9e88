//! Audits in rendered mode, with a renderer that replays pages.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use std::sync::Arc;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::RenderError;
use audit_engine::{Audit, AuditOptions, Auditor, RenderedPages};
use domain::render_allowance::{RenderAllowance, RenderLimit};
use domain::report::CrawlMode;
use domain::target::AllowTargets;
use testkit::{LoopbackServer, ReplayRenderer, TestResponse};
use url::Url;

use crate::replayed::{self, START, options};

fn at(path: &str) -> Url {
    Url::parse(START).unwrap().join(path).unwrap()
}

fn audit(site: &str, renderer: ReplayRenderer, only: &[&str]) -> Audit {
    replayed::audit(site, renderer, options(only))
}

fn audit_as_needed(site: &str, renderer: ReplayRenderer) -> Audit {
    let options = AuditOptions {
        rendered_pages: RenderedPages::AsNeeded,
        ..options(&[])
    };
    replayed::audit(site, renderer, options)
}

fn pages(audit: &Audit) -> Vec<(&str, &str)> {
    let pages = audit.site.pages.iter();
    pages
        .map(|page| {
            let path = &page.url[url::Position::BeforePath..];
            (path, page.title.as_deref().unwrap_or_default())
        })
        .collect()
}

fn html(path: &str, body: &str) -> String {
    format!("=== https://example.com{path}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{body}\n")
}

const SHELL: &str =
    "<!doctype html><title>Loading</title><div id=app></div><script src=a.js></script>";

#[test]
fn pages_are_judged_as_they_are_shown_and_the_response_by_checks_that_need_it() {
    let site = html("/", SHELL);
    let shown = "<!doctype html><title>Written</title><main><img src=a.png><p>Text</main>";
    let renderer = ReplayRenderer::new().shows(&at("/"), shown);
    let found = audit(
        &site,
        renderer,
        &["image-alt", "content-needs-js-suspected"],
    );
    assert_eq!(pages(&found), [("/", "Written")]);
    let ids: Vec<&str> = (found.result.findings.iter())
        .map(|finding| finding.check_id.as_str())
        .collect();
    assert_eq!(ids, ["image-alt", "content-needs-js-suspected"]);
    let coverage = found.result.coverage;
    assert_eq!(
        (coverage.mode, coverage.pages_rendered),
        (CrawlMode::Rendered, 1)
    );
    assert!(coverage.complete);
}

#[test]
fn links_of_the_response_come_first_and_those_of_scripts_follow() {
    let served =
        "<!doctype html><title>Home</title><p>Some text</p><a href=/b>B</a><a href=/gone>Gone</a>";
    let shown = "<title>Home</title><a href=/c>C</a><a href=/a>A</a><a href=/b>B</a>";
    let mut site = html("/", served);
    let mut renderer = ReplayRenderer::new().shows(&at("/"), shown);
    for path in ["/a", "/b", "/c", "/gone"] {
        site += &html(path, "<title>Served</title>");
        renderer = renderer.shows(&at(path), &format!("<title>Shown {path}</title>"));
    }
    let found = audit(&site, renderer, &[]);
    let expected = [
        ("/", "Home"),
        ("/b", "Shown /b"),
        ("/gone", "Shown /gone"),
        ("/c", "Shown /c"),
        ("/a", "Shown /a"),
    ];
    assert_eq!(pages(&found), expected);
    assert_eq!(found.result.coverage.pages_rendered, 5);
}

#[test]
fn a_page_that_is_not_shown_is_judged_as_served_and_the_crawl_is_not_complete() {
    let home = "<title>Home</title><a href=/a>A</a><a href=/b>B</a>";
    let site = html("/", home) + &html("/a", "<title>A</title>") + &html("/b", "<title>B</title>");
    let renderer = ReplayRenderer::new()
        .shows(&at("/"), home)
        .fails(&at("/a"), RenderError::Crashed)
        .answers(&at("/b"), 503);
    let found = audit(&site, renderer, &[]);
    assert_eq!(pages(&found), [("/", "Home"), ("/a", "A"), ("/b", "B")]);
    let coverage = found.result.coverage;
    assert_eq!((coverage.pages_audited, coverage.pages_rendered), (3, 1));
    assert!(!coverage.complete);
    assert!(
        coverage
            .skipped
            .contains(&("page_not_rendered".to_owned(), 2))
    );
}

/// An audit of a start page with four links, each of which a browser shows. It may show this many pages.
fn audit_of_five(
    most: u64,
    limit: RenderLimit,
    rendered_pages: RenderedPages,
    served: &str,
) -> Audit {
    let links = "<a href=/a>A</a><a href=/b>B</a><a href=/c>C</a><a href=/d>D</a>";
    let mut site = html("/", &format!("{served}{links}"));
    let shown = format!("<title>Shown</title><p>Text</p>{links}");
    let mut renderer = ReplayRenderer::new().shows(&at("/"), &shown);
    for path in ["/a", "/b", "/c", "/d"] {
        site += &html(path, "<title>Served</title><p>Text</p>");
        renderer = renderer.shows(&at(path), "<title>Shown</title><p>Text</p>");
    }
    let options = AuditOptions {
        rendered_pages,
        rendering: Some(RenderAllowance { pages: most, limit }),
        ..options(&[])
    };
    replayed::audit(&site, renderer, options)
}

#[test]
fn pages_beyond_the_allowance_are_judged_as_served_and_the_coverage_says_so() {
    let served = "<title>Home</title><p>Text</p>";
    let found = audit_of_five(2, RenderLimit::Run, RenderedPages::All, served);
    let shown = pages(&found)
        .iter()
        .filter(|(_, title)| *title == "Shown")
        .count();
    let coverage = found.result.coverage;
    assert_eq!((coverage.pages_audited, coverage.pages_rendered), (5, 2));
    assert_eq!((coverage.mode, shown), (CrawlMode::Rendered, 2));
    let reason = ("page_over_run_render_limit".to_owned(), 3);
    assert!(coverage.skipped.contains(&reason), "{:?}", coverage.skipped);
    assert!(!coverage.complete, "links that scripts make are missing");
    let enough = audit_of_five(5, RenderLimit::Run, RenderedPages::All, served);
    let coverage = enough.result.coverage;
    assert_eq!((coverage.pages_rendered, coverage.complete), (5, true));
    assert!(
        !coverage
            .skipped
            .iter()
            .any(|(reason, _)| reason.contains("limit"))
    );
}

#[test]
fn a_run_without_allowance_is_static_in_every_mode_and_says_why() {
    let served = "<title>Home</title><p>Text</p>";
    for rendered_pages in [RenderedPages::All, RenderedPages::AsNeeded] {
        let found = audit_of_five(0, RenderLimit::Month, rendered_pages, served);
        let coverage = found.result.coverage;
        assert_eq!(
            (coverage.mode, coverage.pages_rendered),
            (CrawlMode::Static, 0)
        );
        assert_eq!(coverage.pages_audited, 5);
        let over = (coverage.skipped.iter())
            .find(|(reason, _)| reason == "page_over_monthly_render_limit");
        assert!(
            over.is_some_and(|(_, pages)| *pages > 0),
            "{:?}",
            coverage.skipped
        );
        // A site that does not need scripts is seen whole without a browser.
        assert_eq!(coverage.complete, rendered_pages == RenderedPages::AsNeeded);
        assert!(coverage.measured.is_empty());
    }
}

#[test]
fn a_crawl_of_which_no_page_is_shown_is_static() {
    let site = html("/", "<title>Home</title>");
    let gone = RenderError::Unavailable("it ended 3 times".to_owned());
    let found = audit(&site, ReplayRenderer::new().fails(&at("/"), gone), &[]);
    let coverage = found.result.coverage;
    assert_eq!(
        (coverage.mode, coverage.pages_rendered),
        (CrawlMode::Static, 0)
    );
    assert!(!coverage.complete);
}

#[test]
fn a_page_that_leads_to_another_by_script_is_judged_as_served_and_the_other_is_found() {
    let script = "<title>Moved</title><script>location = '/home'</script>";
    let site = html("/", script) + &html("/home", "<title>Served</title>");
    let home = "<title>Shown</title>";
    let renderer = ReplayRenderer::new()
        .leads(&at("/"), &at("/home"), home)
        .shows(&at("/home"), home);
    let found = audit(&site, renderer, &[]);
    assert_eq!(pages(&found), [("/", "Moved"), ("/home", "Shown")]);
    assert!(found.result.coverage.complete);
}

#[test]
fn routes_of_fragments_are_pages_where_the_site_needs_scripts() {
    let site = html("/", SHELL);
    let shown = |title: &str| {
        format!(
            "<title>{title}</title><a href='#/'>Home</a><a href='#/about'>About</a><a href='#top'>Top</a><a href='#/lost'>Lost</a>"
        )
    };
    let renderer = || {
        ReplayRenderer::new()
            .shows(&at("/"), &shown("Home"))
            .shows(&at("/#/about"), &shown("About"))
    };
    let found = audit(&site, renderer(), &[]);
    assert_eq!(pages(&found), [("/", "Home"), ("/#/about", "About")]);
    // The third route was not shown, and without it there is no page.
    assert!(!found.result.coverage.complete);
    let text = "word ".repeat(100);
    let whole = |title: &str| format!("<!doctype html><p>{text}</p>{}", shown(title));
    let renderer = ReplayRenderer::new().shows(&at("/"), &whole("Home"));
    let found = audit(&html("/", &whole("Home")), renderer, &[]);
    assert_eq!(pages(&found), [("/", "Home")]);
}

#[test]
fn fifty_routes_of_a_site_are_pages_and_further_ones_are_counted() {
    let links: String = (0..60)
        .map(|number| format!("<a href='#/{number}'>x</a>"))
        .collect();
    let mut renderer = ReplayRenderer::new().shows(&at("/"), &links);
    for number in 0..60 {
        let title = format!("<title>Number {number}</title>");
        renderer = renderer.shows(&at(&format!("/#/{number}")), &title);
    }
    let found = audit(&html("/", SHELL), renderer, &[]);
    assert_eq!(found.site.pages.len(), 51);
    let skipped = &found.result.coverage.skipped;
    assert!(skipped.contains(&("budget".to_owned(), 10)), "{skipped:?}");
}

#[test]
fn robots_directives_that_a_script_removes_or_adds_both_count() {
    let page = |robots: &str| format!("<!doctype html><title>Page</title>{robots}<p>Text");
    let noindex = "<meta name=robots content=noindex>";
    for (served, shown) in [(noindex, ""), ("", noindex)] {
        let renderer = ReplayRenderer::new().shows(&at("/"), &page(shown));
        let found = audit(&html("/", &page(served)), renderer, &[]);
        assert!(
            found.site.pages[0].noindex.is_some(),
            "{served:?} {shown:?}"
        );
    }
}

/// A site of a start page and ten pages in each of three folders.
fn folders(home: &str) -> (String, ReplayRenderer) {
    let paths: Vec<String> = ["a", "b", "c"]
        .iter()
        .flat_map(|folder| (0..10).map(move |number| format!("/{folder}/page-{number}")))
        .collect();
    let links: String = paths
        .iter()
        .map(|path| format!("<a href={path}>x</a>"))
        .collect();
    let mut site = html("/", &format!("{home}<title>Home</title>{links}"));
    let mut renderer = ReplayRenderer::new();
    for path in &paths {
        site += &html(path, "<title>Served</title>");
        renderer = renderer.shows(&at(path), "<title>Shown</title>");
    }
    (site, renderer)
}

#[test]
fn a_few_pages_of_each_pattern_are_shown_of_a_site_that_needs_no_scripts() {
    let (site, renderer) = folders("<h1>Home</h1>");
    let shown = "<title>Home</title><h1>Home</h1>";
    let found = audit_as_needed(&site, renderer.shows(&at("/"), shown));
    let shown: Vec<&str> = (pages(&found).into_iter())
        .filter_map(|(path, title)| (title == "Shown").then_some(path))
        .collect();
    let expected =
        ["a", "b", "c"].map(|folder| [0, 1, 2].map(|number| format!("/{folder}/page-{number}")));
    assert_eq!(shown, expected.concat());
    let coverage = &found.result.coverage;
    assert_eq!((coverage.pages_audited, coverage.pages_rendered), (31, 10));
    assert!(
        coverage.complete,
        "the others are judged as they were served"
    );
}

#[test]
fn every_page_is_shown_of_a_site_that_needs_scripts() {
    let (site, renderer) = folders(SHELL);
    let words = "word ".repeat(100);
    let links: String = (0..20)
        .map(|number| format!("<a href=/only/{number}>x</a>"))
        .collect();
    let found = audit_as_needed(
        &site,
        renderer.shows(&at("/"), &format!("<title>Home</title>{words}{links}")),
    );
    assert_eq!(found.result.coverage.pages_rendered, 31);
}

#[test]
fn a_shell_that_is_not_shown_needs_scripts_all_the_same() {
    let (site, renderer) = folders("");
    let shell = SHELL.replace("<title>Loading</title>", "");
    let site = site.replacen("<title>Home</title>", &shell, 1);
    let found = audit_as_needed(&site, renderer.fails(&at("/"), RenderError::Crashed));
    assert_eq!(found.result.coverage.pages_rendered, 30);
}

#[test]
fn the_page_that_the_start_page_leads_to_decides() {
    let site = html("/", "<title>Choose</title><a href=/other>Other</a>")
        + &html("/en", SHELL)
        + &html("/other", "<title>Served</title>")
        + &html("/en/a", SHELL);
    let app = format!(
        "<title>App</title>{}<a href=/en/a>A</a>",
        "word ".repeat(100)
    );
    let renderer = ReplayRenderer::new()
        .leads(&at("/"), &at("/en"), &app)
        .shows(&at("/en"), &app)
        .shows(&at("/other"), "<title>Shown</title>")
        .shows(&at("/en/a"), "<title>Shown</title>");
    let found = audit_as_needed(&site, renderer);
    let expected = [
        ("/", "Choose"),
        ("/en", "App"),
        ("/other", "Shown"),
        ("/en/a", "Shown"),
    ];
    assert_eq!(pages(&found), expected);
}

#[tokio::test]
async fn a_page_that_does_not_arrive_whole_is_not_shown() {
    let server = LoopbackServer::start(|request| match request.path() {
        "/" => TestResponse::html("<title>Home</title><a href=/cut>Cut</a>"),
        "/cut" => TestResponse::cut_after("<title>Cut</title><p>Some text and more", 30)
            .header("Content-Type", "text/html"),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let renderer = ["/", "/cut"]
        .iter()
        .fold(ReplayRenderer::new(), |renderer, path| {
            renderer.shows(&server.url(path), "<title>Shown</title>")
        });
    let allow: AllowTargets = [server.target().parse().unwrap()].into_iter().collect();
    let egress = EgressOptions::new(allow.clone(), "test".to_owned());
    let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
    let auditor = Auditor::with_fetcher(fetcher, allow, options(&[]));
    let auditor = auditor.rendering_with(Arc::new(renderer));
    let found = auditor.audit(server.url("/").as_str()).await.unwrap();
    assert_eq!(pages(&found), [("/", "Shown"), ("/cut", "Cut")]);
    assert_eq!(found.result.coverage.pages_rendered, 1);
}
