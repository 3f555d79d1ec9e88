//! Pictures of audits, with a renderer that replays them.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test panics on unexpected results"
)]

use audit_engine::gather::{Photo, RenderError};
use audit_engine::{Audit, AuditOptions};
use domain::artifact::ArtifactKind;
use testkit::ReplayRenderer;
use url::Url;

use crate::replayed::{self, START, options};

const HOME: &str = "<!doctype html><html lang=en><title>Home</title><img src=/a.png><img src=/b.png><a href=/about>About</a>";
const ABOUT: &str = "<!doctype html><html lang=en><title>About</title><p>Text";

fn at(path: &str) -> Url {
    Url::parse(START).unwrap().join(path).unwrap()
}

fn photo(bytes: usize) -> Photo {
    Photo {
        width: 412,
        height: 823,
        jpeg: vec![7; bytes],
    }
}

fn audit(renderer: ReplayRenderer, pictures: bool) -> Audit {
    let html = |path: &str, markup: &str| {
        format!(
            "=== https://example.com{path}\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n{markup}\n"
        )
    };
    let site = html("/", HOME) + &html("/about", ABOUT);
    let renderer = renderer.shows(&at("/"), HOME).shows(&at("/about"), ABOUT);
    let options = AuditOptions {
        pictures,
        ..options(&["image-alt"])
    };
    replayed::audit(&site, renderer, options)
}

#[test]
fn pages_and_what_was_found_on_them_are_pictured() {
    let renderer = ReplayRenderer::new()
        .pictures(&at("/"), photo(10))
        .pictures(&at("/about"), photo(20));
    let result = audit(renderer, true).result;
    let pictures: Vec<_> = result
        .artifacts
        .iter()
        .map(|one| (one.id.to_string(), one.kind, one.jpeg.len()))
        .collect();
    let expected = [
        ("art_1", ArtifactKind::Viewport, 10),
        ("art_2", ArtifactKind::WithoutScripts, 10),
        ("art_3", ArtifactKind::Viewport, 20),
        ("art_4", ArtifactKind::Element, 10),
        ("art_5", ArtifactKind::Element, 10),
    ];
    assert_eq!(
        pictures,
        expected.map(|(id, kind, size)| (id.to_owned(), kind, size))
    );
    let found = result.findings[0].occurrences();
    let ids: Vec<_> = found.map(|one| one.artifact.unwrap().to_string()).collect();
    assert_eq!(ids, ["art_4", "art_5"]);
}

#[test]
fn an_audit_that_wants_no_pictures_has_none() {
    let result = audit(ReplayRenderer::new().pictures(&at("/"), photo(10)), false).result;
    assert_eq!(result.artifacts, []);
    assert!(
        result.findings[0]
            .occurrences()
            .all(|one| one.artifact.is_none())
    );
}

#[test]
fn a_page_that_cannot_be_pictured_has_no_pictures() {
    // The renderer takes none of the start page.
    let renderer = ReplayRenderer::new()
        .pictures(&at("/about"), photo(10))
        .fails(&at("/gone"), RenderError::Crashed);
    let result = audit(renderer, true).result;
    let urls: Vec<_> = result
        .artifacts
        .iter()
        .map(|one| one.url.as_str())
        .collect();
    assert_eq!(urls, ["https://example.com/about"]);
    assert!(
        result.findings[0]
            .occurrences()
            .all(|one| one.artifact.is_none())
    );
}
