//! Pages that anybody may see: documentation, errors, and the start page of a service without sign-in.

use std::sync::Arc;

use actix_web::http::Method as HttpMethod;
use domain::ports::StoreError;
use domain::report::Variant;
use httpkit::problem::Code;
use rstest::rstest;

use super::browser::{Browser, Reply};
use super::html;
use super::pages::check;
use super::world::{Fixture, PLAIN, SECURE, settings};
use crate::route::{Access, Method};
use crate::router::{paths, routes, served};
use crate::state::{DashboardSettings, DashboardState};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// The state of a service whose dashboard is off.
fn without_sign_in(world: &Fixture, variant: Variant, base_url: &str) -> DashboardState {
    DashboardState {
        settings: Arc::new(DashboardSettings {
            has_sign_in: false,
            ..settings(variant, base_url)
        }),
        ..world.state.clone()
    }
}

async fn as_browser(browser: &Browser, method: HttpMethod, path: &str) -> Reply {
    let request = browser.bare(method, path);
    browser
        .send(request.insert_header(("Accept", BROWSER)))
        .await
}

#[rstest]
#[actix_web::test]
async fn without_sign_in_the_start_page_says_what_this_is_and_where_to_go(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
    #[values(PLAIN, SECURE)] base_url: &str,
) {
    let world = Fixture::new(variant, base_url);
    let state = without_sign_in(&world, variant, base_url);
    let browser = Browser::new(&state).await;
    let answer = browser.get(None, "/").await;
    assert_eq!(answer.status, 200);
    check(&answer, base_url, "/");
    for text in [env!("CARGO_PKG_VERSION"), "Ready", base_url, "/mcp"] {
        assert!(answer.text.contains(text), "{text}: {}", answer.text);
    }
    let links = html::values(&answer.text, "a", "href");
    for link in [
        "/docs/",
        "/openapi.json",
        "/checks",
        "/docs/errors",
        "/healthz",
    ] {
        assert!(links.iter().any(|found| found == link), "{link}: {links:?}");
    }
    assert!(!links.iter().any(|found| found == "/sign-in"), "{links:?}");
    world
        .stores
        .break_with(Some(StoreError::Failed("no table".to_owned())));
    let answer = browser.get(None, "/").await;
    assert_eq!(answer.status, 200);
    assert!(answer.text.contains("Not ready"), "{}", answer.text);
    assert!(!answer.text.contains("no table"), "{}", answer.text);
}

#[actix_web::test]
async fn without_sign_in_nothing_of_an_organization_is_served() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let state = without_sign_in(&world, Variant::Current, PLAIN);
    let browser = Browser::new(&state).await;
    let session = Some(&world.acme.admin.token);
    // The start page tests whether the database can be written to.
    let rows = || {
        let mut rows = world.rows();
        rows.retain(|row| !row.starts_with("health_probes"));
        rows
    };
    let before = rows();
    let mut refused = 0;
    for route in routes(Variant::Current).filter(|route| route.access != Access::Open) {
        if route.path == "/" && route.method == Method::Get {
            continue;
        }
        let path = super::targets::filled(route.path, &world.acme, None);
        let answer = match route.method {
            Method::Get => browser.get(session, &path).await,
            Method::Post => browser.post(session, &path, &[("a", "b")]).await,
        };
        let expected = if route.path == "/" { 405 } else { 404 };
        assert_eq!(answer.status, expected, "{path}");
        refused += 1;
    }
    assert!(refused > 40, "{refused}");
    for route in served(&state.settings) {
        let path = super::targets::filled(route.path, &world.acme, None);
        let answer = browser.get(session, &path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(!answer.text.contains("Sign out"), "{path}");
    }
    assert_eq!(rows(), before);
}

#[actix_web::test]
async fn pages_for_anybody_need_neither_tls_nor_the_database() {
    let world = Fixture::new(Variant::Current, "http://assay.example");
    let browser = world.browser().await;
    assert_eq!(browser.get(None, "/sign-in").await.status, 403);
    let session = Some(&world.acme.admin.token);
    for path in [
        "/checks",
        "/checks/image-alt",
        "/checks/image-alt.md",
        "/docs/errors",
    ] {
        let answer = browser.get(session, path).await;
        assert_eq!(answer.status, 200, "{path}");
        // The session of somebody on the way is not used.
        assert!(!answer.text.contains("Sign out"), "{path}");
    }
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let session = Some(&world.acme.admin.token);
    assert!(
        browser
            .get(session, "/checks")
            .await
            .text
            .contains("Sign out")
    );
    world
        .stores
        .break_with(Some(StoreError::Unavailable("away".to_owned())));
    let answer = browser.get(session, "/checks").await;
    assert_eq!(answer.status, 200);
    assert!(!answer.text.contains("Sign out"));
}

#[rstest]
#[case(HttpMethod::GET, "/no-such-page", 404, "not_found")]
#[case(HttpMethod::GET, "/checks/nothing", 404, "")]
#[case(HttpMethod::POST, "/checks", 405, "method_not_allowed")]
#[case(HttpMethod::PUT, "/", 405, "method_not_allowed")]
#[actix_web::test]
async fn errors_are_pages_of_the_same_face_for_browsers(
    #[case] method: HttpMethod,
    #[case] path: &str,
    #[case] status: u16,
    #[case] code: &str,
    #[values(true, false)] has_sign_in: bool,
) {
    let world = Fixture::new(Variant::Current, SECURE);
    let state = match has_sign_in {
        true => world.state.clone(),
        false => without_sign_in(&world, Variant::Current, SECURE),
    };
    let browser = Browser::new(&state).await;
    let answer = as_browser(&browser, method.clone(), path).await;
    assert_eq!(answer.status, status);
    check(&answer, SECURE, path);
    assert_eq!(answer.header("Content-Type"), "text/html; charset=utf-8");
    assert!(
        answer.text.contains(answer.header("X-Request-Id")),
        "{}",
        answer.text
    );
    assert!(
        answer.text.contains(crate::assets::stylesheet()),
        "{}",
        answer.text
    );
    let links = html::values(&answer.text, "a", "href");
    if !code.is_empty() {
        let explained = format!("/docs/errors#{code}");
        assert!(links.contains(&explained), "{links:?}");
        let request = browser.bare(method, path);
        let answer = browser
            .send(request.insert_header(("Accept", "application/json")))
            .await;
        assert_eq!(answer.header("Content-Type"), "application/problem+json");
    }
    assert_eq!(
        links.iter().any(|link| link == "/sign-in"),
        has_sign_in && !code.is_empty(),
        "{links:?}"
    );
}

#[actix_web::test]
async fn every_code_is_explained_where_its_type_points() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let page = browser.get(None, "/docs/errors").await;
    let ids = html::values(&page.text, "section", "id");
    assert_eq!(ids, Code::ALL.map(Code::as_str));
    let contents = html::values(&page.text, "a", "href");
    for id in ids {
        assert!(contents.contains(&format!("#{id}")), "{id}");
    }
}

#[actix_web::test]
async fn a_check_is_explained_where_its_help_url_points() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let page = browser.get(None, "/checks/image-alt").await;
    check(&page, PLAIN, "/checks/image-alt");
    assert_eq!(page.text.matches("<h1").count(), 1, "{}", page.text);
    for text in [
        "<h1>Images without a text alternative</h1>",
        "<h2>What it checks</h2>",
        "accessible name &amp; &lt;b&gt;more&lt;/b&gt;",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "(up to 45 points)",
    ] {
        assert!(page.text.contains(text), "{text}: {}", page.text);
    }
    let source = browser.get(None, "/checks/image-alt.md").await;
    assert_eq!(
        source.header("Content-Type"),
        "text/markdown; charset=utf-8"
    );
    assert!(
        source
            .text
            .starts_with("# Images without a text alternative\n\n- Check: `image-alt`\n")
    );
    for name in [
        "nothing",
        "Image-Alt",
        "image-alt%20",
        "%ff",
        "..%2fdocs",
        "style.css",
        ".md",
    ] {
        let answer = browser.get(None, &format!("/checks/{name}")).await;
        assert_eq!(answer.status, 404, "{name}");
    }
}

#[actix_web::test]
async fn checks_lead_to_those_before_and_after_them() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    let neighbours = |answer: &Reply| {
        let tags = html::read(&answer.text).unwrap().into_iter();
        let value = |tag: &html::Tag, name: &str| {
            let mut attributes = tag.attributes.iter();
            attributes
                .find(|(known, _)| known == name)
                .map(|(_, value)| value.clone())
        };
        tags.filter(|tag| tag.name == "a")
            .filter_map(|tag| Some((value(&tag, "rel")?, value(&tag, "href")?)))
            .collect::<Vec<_>>()
    };
    let first = browser.get(None, "/checks/image-alt").await;
    let next = ("next".to_owned(), "/checks/llms-txt-missing".to_owned());
    assert_eq!(neighbours(&first), [next]);
    let last = browser.get(None, "/checks/llms-txt-missing").await;
    let previous = ("prev".to_owned(), "/checks/image-alt".to_owned());
    assert_eq!(neighbours(&last), [previous]);
    assert!(
        last.text.contains("<h1>No &#60;llms.txt&#62;</h1>"),
        "{}",
        last.text
    );

    let legacy = Fixture::new(Variant::Legacy, PLAIN);
    let browser = legacy.browser().await;
    let only = browser.get(None, "/checks/image-alt").await;
    assert!(neighbours(&only).is_empty());
    assert_eq!(
        browser.get(None, "/checks/llms-txt-missing").await.status,
        404
    );
}

#[actix_web::test]
async fn the_catalogue_is_searched_without_script() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let browser = world.browser().await;
    for (query, expected) in [
        ("", &["image-alt", "llms-txt-missing"][..]),
        ("?q=text+alternative", &["image-alt"][..]),
        ("?dimension=aiReadiness", &["llms-txt-missing"][..]),
        ("?q=nothing+like+it", &[][..]),
    ] {
        let page = browser.get(None, &format!("/checks{query}")).await;
        let links = html::values(&page.text, "a", "href");
        let found: Vec<_> = links
            .iter()
            .filter_map(|link| link.strip_prefix("/checks/"))
            .collect();
        assert_eq!(found, expected, "{query}");
    }
}

#[actix_web::test]
async fn crawlers_are_kept_out_and_browsers_find_an_icon() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let state = without_sign_in(&world, Variant::Current, PLAIN);
    let browser = Browser::new(&state).await;
    let robots = browser.get(None, "/robots.txt").await;
    assert_eq!(robots.text, "User-agent: *\nDisallow: /\n");
    assert_eq!(robots.header("Content-Type"), "text/plain; charset=utf-8");
    let icon = crate::assets::favicon();
    // The header of an icon file with two images.
    assert!(icon.starts_with(&[0, 0, 1, 0, 2, 0]));
}

#[actix_web::test]
async fn addresses_are_below_the_path_of_the_base_url() {
    let base_url = "https://example.com/assay";
    let world = Fixture::new(Variant::Current, base_url);
    let state = without_sign_in(&world, Variant::Current, base_url);
    let browser = Browser::new(&state).await;
    for path in [
        "/",
        "/checks",
        "/checks/image-alt",
        "/docs/errors",
        "/nothing",
    ] {
        let answer = as_browser(&browser, HttpMethod::GET, path).await;
        for (element, attribute) in [
            ("a", "href"),
            ("link", "href"),
            ("script", "src"),
            ("form", "action"),
        ] {
            for address in html::values(&answer.text, element, attribute) {
                let is_below = address.starts_with("/assay/") || !address.starts_with('/');
                assert!(is_below, "{path}: {address}");
            }
        }
    }
    assert!(!paths(&state.settings).is_empty());
}
