//! The lists of a report: pages, a page's own view, and the structure of the site.

use domain::report::Variant;
use rstest::rstest;
use testkit::sample;

use super::browser::Reply;
use super::html;
use super::pages::check;
use super::world::{Fixture, PLAIN};

/// The path of a report on the sample site.
fn reported(world: &Fixture) -> String {
    let report = world.complete(&world.acme.id, &sample::audit_result());
    format!("/reports/{report}")
}

async fn page(world: &Fixture, path: &str) -> Reply {
    let browser = world.browser().await;
    let answer = browser.get(Some(&world.acme.admin.token), path).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    if answer.header("Content-Disposition").is_empty() {
        check(&answer, PLAIN, path);
    }
    answer
}

/// The links that a page has to the views of pages, in their order.
fn views(answer: &Reply) -> Vec<String> {
    let links = html::values(&answer.text, "a", "href").into_iter();
    links.filter(|link| link.contains("/page?url=")).collect()
}

#[rstest]
#[actix_web::test]
async fn pages_are_listed_page_by_page(
    #[values(Variant::Current, Variant::Legacy)] variant: Variant,
) {
    let world = Fixture::new(variant, PLAIN);
    let report = reported(&world);
    let path = format!("{report}/pages");
    let first = page(&world, &path).await;
    assert_eq!(views(&first).len(), 50);
    let links = html::values(&first.text, "a", "href");
    let next = links.iter().find(|link| link.contains("after="));
    let next = next.unwrap().split('#').next().unwrap();
    let second = page(&world, next).await;
    // The sample has 60 pages, a missing one and a redirect.
    assert_eq!(views(&second).len(), 12);
    assert!(links.contains(&format!("{path}.csv")), "{links:?}");
    let overview = page(&world, &report).await;
    let links = html::values(&overview.text, "a", "href");
    assert!(links.contains(&path) && links.contains(&format!("{report}/structure")));
}

#[actix_web::test]
async fn an_issue_of_the_site_is_on_no_single_page() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let overview = page(&world, &reported(&world)).await;
    assert!(overview.text.contains("whole site"), "{}", overview.text);
}

#[actix_web::test]
async fn pages_are_sorted_and_filtered_by_the_address() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let path = format!("{}/pages", reported(&world));
    let missing = page(&world, &format!("{path}?status=4xx")).await;
    assert_eq!(views(&missing).len(), 1);
    assert!(missing.text.contains("https://www.example.com/gone"));
    let largest = page(&world, &format!("{path}?sort=-bytes")).await;
    assert!(views(&largest)[0].ends_with("example.com%2F59"));
    assert!(largest.text.contains("aria-sort=\"descending\""));
    let turned = format!("{path}?sort=bytes");
    assert!(html::values(&largest.text, "a", "href").contains(&turned));
    let found = page(&world, &format!("{path}?q=PAGE+1")).await;
    assert_eq!(views(&found).len(), 11);
    let nothing = page(&world, &format!("{path}?q=nothing+at+all")).await;
    assert!(nothing.text.contains("No page matches"));
    // What is no value of a filter is as if it were missing.
    let odd = page(&world, &format!("{path}?sort=x&status=x&issue=x")).await;
    assert_eq!(views(&odd).len(), 50);
    let browser = world.browser().await;
    let answer = browser
        .get(Some(&world.acme.admin.token), &format!("{path}?after=x"))
        .await;
    assert_eq!(answer.status, 400);
}

#[actix_web::test]
async fn the_list_is_a_file_as_well() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let report = reported(&world);
    let file = page(&world, &format!("{report}/pages.csv?status=2xx")).await;
    assert_eq!(file.text.matches("\r\n").count(), 61);
    assert!(file.text.starts_with("url,status,depth,title,description,"));
}

#[actix_web::test]
async fn a_page_has_its_facts_and_findings() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let report = reported(&world);
    let list = page(&world, &format!("{report}/pages?sort=-issueCount")).await;
    let view = &views(&list)[0];
    let answer = page(&world, view).await;
    for text in ["What is known about this page", "Findings in source order"] {
        let is_there = answer.text.contains(text);
        assert!(is_there, "{text}: {}", answer.text);
    }
    let links = html::values(&answer.text, "a", "href");
    assert!(
        links.iter().any(|link| link.contains("/issues/iss_")),
        "{links:?}"
    );
    let browser = world.browser().await;
    for url in ["", "?url=", "?url=https%3A%2F%2Fwww.example.com%2Fnever"] {
        let path = format!("{report}/page{url}");
        let answer = browser.get(Some(&world.acme.admin.token), &path).await;
        assert_eq!(answer.status, 404, "{path}");
    }
}

#[actix_web::test]
async fn the_structure_has_folders_weight_orphans_and_redirects() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let answer = page(&world, &format!("{}/structure", reported(&world))).await;
    for text in [
        "https://www.example.com/",
        "<svg class=\"treemap\"",
        "Orphan pages",
        "https://www.example.com/old",
        "1 redirect chain.",
    ] {
        assert!(answer.text.contains(text), "{text}: {}", answer.text);
    }
    assert!(!answer.text.contains("style="), "{}", answer.text);
}

#[actix_web::test]
async fn a_report_shows_its_pictures_and_sends_them_as_jpeg_files() {
    let world = Fixture::new(Variant::Current, PLAIN);
    let report = format!("/reports/{}", world.acme.report);
    let answer = page(&world, &report).await;
    let path = format!("{report}/pictures/art_1");
    let sources = html::values(&answer.text, "img", "src");
    assert!(sources.contains(&path), "{sources:?}");
    let browser = world.browser().await;
    let picture = browser.get(Some(&world.acme.admin.token), &path).await;
    assert_eq!(picture.status, 200);
    for (name, value) in [
        ("Content-Type", "image/jpeg"),
        ("X-Content-Type-Options", "nosniff"),
        (
            "Content-Security-Policy",
            "default-src 'none'; frame-ancestors 'none'; sandbox",
        ),
        ("Cache-Control", "private, max-age=86400, immutable"),
    ] {
        assert_eq!(picture.header(name), value, "{name}");
    }
    for id in ["art_3", "art_49", "x"] {
        let path = format!("{report}/pictures/{id}");
        let answer = browser.get(Some(&world.acme.admin.token), &path).await;
        assert_eq!(answer.status, 404, "{path}");
    }
}
