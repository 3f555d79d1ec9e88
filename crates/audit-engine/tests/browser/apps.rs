//! Single-page applications, audited in both modes.

use std::sync::Arc;
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher, Limiter};
use audit_engine::gather::Renderer;
use audit_engine::{Audit, AuditOptions, Auditor, LabOptions, default_user_agent};
use domain::report::CrawlMode;
use testkit::{LoopbackServer, TestRequest, TestResponse};

use crate::chromium::{any, renderer};

const SHELL: &str = include_str!("apps/shell.html");

/// What a report says of a page: path with its fragment, status, title, heading, whether it is indexable, canonical
/// path.
type PageRow = (String, u16, String, Option<String>, bool, Option<String>);

fn script(text: &'static str) -> TestResponse {
    TestResponse::new(200, text).header("Content-Type", "text/javascript")
}

/// Audits the site in static and in rendered mode; none where there is no browser.
async fn audits(
    site: impl Fn(&TestRequest) -> TestResponse + Send + Sync + 'static,
) -> Option<[Audit; 2]> {
    let (options, folder) = any()?;
    let server = LoopbackServer::start(site).unwrap();
    let target = server.target();
    let audit_options = || AuditOptions {
        external: false,
        max_rate: Some(1e6),
        retry_pause: Duration::ZERO,
        // That takes time, and is not what these tests are about.
        lab: LabOptions {
            pages: 0,
            ..LabOptions::default()
        },
        ..AuditOptions::default()
    };
    let auditor = |renderer: Option<Arc<dyn Renderer>>| {
        let allow: domain::target::AllowTargets = [target.parse().unwrap()].into_iter().collect();
        let egress = EgressOptions::new(allow.clone(), default_user_agent());
        let fetcher = Arc::new(GuardedFetcher::new(egress).unwrap());
        let auditor = Auditor::with_fetcher(fetcher, allow, audit_options());
        let auditor = auditor.sharing_limits(Arc::new(Limiter::default()));
        match renderer {
            Some(renderer) => auditor.rendering_with(renderer),
            None => auditor,
        }
    };
    let start = server.url("/");
    let without = auditor(None).audit(start.as_str()).await.unwrap();
    let chromium = Arc::new(renderer(options, &[&target]));
    let own: Arc<dyn Renderer> = chromium.clone();
    let with = auditor(Some(own)).audit(start.as_str()).await.unwrap();
    chromium.close().await;
    assert!(folder.profiles().is_empty());
    Some([without, with])
}

fn path(url: &str) -> String {
    let url = url::Url::parse(url).unwrap();
    url[url::Position::BeforePath..].to_owned()
}

fn rows(audit: &Audit) -> Vec<PageRow> {
    let pages = audit.result.pages.iter().filter(|page| page.audited);
    pages
        .map(|page| {
            let details = &page.details;
            (
                path(&page.url),
                page.status.unwrap(),
                page.title.clone().unwrap_or_default(),
                details.h1.clone(),
                details.indexable.unwrap(),
                details.canonical.as_deref().map(path),
            )
        })
        .collect()
}

fn row(path: &str, title: &str, h1: Option<&str>) -> PageRow {
    let h1 = h1.map(str::to_owned);
    (path.to_owned(), 200, title.to_owned(), h1, true, None)
}

/// The targets of the links on the page with this path.
fn links(audit: &Audit, of: &str) -> Vec<String> {
    let page = audit.site.pages.iter();
    let page = page.clone().find(|page| path(page.url.as_str()) == of);
    let links = page.unwrap().links.iter();
    links
        .map(|link| path(audit.site.urls.url(link.target)))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_of_paths_are_pages() {
    let site = |request: &TestRequest| match request.path() {
        "/app.js" => script(include_str!("apps/path.js")),
        "/" | "/routes" | "/routes/north" | "/routes/south" | "/about" => TestResponse::html(SHELL),
        _ => TestResponse::not_found(),
    };
    let Some([without, with]) = audits(site).await else {
        return;
    };
    assert_eq!(rows(&without), [row("/", "Loading", None)]);
    assert_eq!(links(&without, "/"), Vec::<String>::new());
    let expected = [
        row("/", "Ferries – Island Line", Some("Ferries")),
        row("/routes", "Routes – Island Line", Some("Routes")),
        row(
            "/routes/north",
            "North island – Island Line",
            Some("North island"),
        ),
        row(
            "/routes/south",
            "South island – Island Line",
            Some("South island"),
        ),
        row("/about", "About us – Island Line", Some("About us")),
    ];
    assert_eq!(rows(&with), expected);
    for page in ["/", "/about"] {
        let all = ["/", "/routes", "/routes/north", "/routes/south", "/about"];
        assert_eq!(links(&with, page), all, "{page}");
    }
    let coverage = &with.result.coverage;
    assert_eq!(
        (coverage.mode, coverage.pages_rendered),
        (CrawlMode::Rendered, 5)
    );
    assert!(coverage.complete);
    assert_eq!(without.result.coverage.mode, CrawlMode::Static);
    assert_eq!(without.result.coverage.pages_rendered, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_of_fragments_are_pages() {
    let site = |request: &TestRequest| match request.path() {
        "/app.js" => script(include_str!("apps/hash.js")),
        "/data.json" => TestResponse::new(200, "{}").header("Content-Type", "application/json"),
        "/" => TestResponse::html(SHELL),
        _ => TestResponse::not_found(),
    };
    let Some([without, with]) = audits(site).await else {
        return;
    };
    assert_eq!(rows(&without), [row("/", "Loading", None)]);
    let expected = [
        row("/", "Recipes – Kitchen", Some("Recipes")),
        row("/#/bread", "Bread – Kitchen", Some("Bread")),
        row("/#/soup", "Soup – Kitchen", Some("Soup")),
    ];
    assert_eq!(rows(&with), expected);
    // `#/` is the start page, and `#app` a place on each page.
    assert_eq!(links(&with, "/#/soup"), ["/", "/", "/#/bread", "/#/soup"]);
    assert_eq!(with.result.coverage.pages_rendered, 3);
    assert!(with.result.coverage.complete);
}

#[tokio::test(flavor = "multi_thread")]
async fn title_robots_and_canonical_url_of_scripts_count() {
    let site = |request: &TestRequest| {
        match request.path() {
        "/app.js" => script(include_str!("apps/head.js")),
        "/" | "/tickets" | "/internal" => TestResponse::html(
            "<!doctype html><html lang=en><head><title>Page</title><body><h1>Museum</h1><p>Open from nine to five.</p>
            <a href=/tickets>Tickets</a> <a href=/internal>Internal</a><script src=/app.js></script></html>",
        ),
        _ => TestResponse::not_found(),
    }
    };
    let Some([without, with]) = audits(site).await else {
        return;
    };
    let museum = Some("Museum");
    let served = ["/", "/tickets", "/internal"].map(|path| row(path, "Page", museum));
    assert_eq!(rows(&without), served);
    let mut shown = [
        row("/", "Museum", museum),
        row("/tickets", "Tickets", museum),
        row("/internal", "Internal", museum),
    ];
    // A canonical URL elsewhere and `noindex` keep a page out of search results.
    shown[1].4 = false;
    shown[1].5 = Some("/".to_owned());
    shown[2].4 = false;
    assert_eq!(rows(&with), shown);
    assert_eq!(links(&with, "/"), links(&without, "/"));
}
