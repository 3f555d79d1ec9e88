//! Parts of documents, and documents that the caller has.

use actix_web::http::Method;
use actix_web::test::TestRequest;
use chrono::TimeDelta;
use rstest::rstest;

use super::{link, uses};
use crate::world::{Client, Fixture, Reply, call};

/// A link to a report, and its document.
async fn document() -> (Fixture, String, Reply) {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = link(&world, &report).await;
    let whole = world.client().await.get("", &link).await;
    assert_eq!(whole.body.len(), 42, "{}", whole.text());
    (world, link, whole)
}

async fn get(world: &Fixture, link: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = TestRequest::with_uri(link);
    for header in headers {
        request = request.append_header(*header);
    }
    world.client().await.send(request).await
}

#[rstest]
#[case::the_beginning("bytes=0-9", 0, 9)]
#[case::the_middle("bytes=5-7", 5, 7)]
#[case::the_rest("bytes=40-", 40, 41)]
#[case::the_end("bytes=-2", 40, 41)]
#[case::more_than_there_is("bytes=30-1000", 30, 41)]
#[case::all("bytes=0-", 0, 41)]
#[case::the_last_byte("bytes=41-41", 41, 41)]
#[actix_web::test]
async fn one_range_is_a_part(#[case] range: &str, #[case] first: usize, #[case] last: usize) {
    let (world, link, whole) = document().await;
    let reply = get(&world, &link, &[("Range", range)]).await;
    assert_eq!(reply.status, 206);
    assert_eq!(reply.body, whole.body[first..=last]);
    let place = format!("bytes {first}-{last}/42");
    assert_eq!(reply.header("Content-Range"), Some(place.as_str()));
    for name in [
        "ETag",
        "Content-Type",
        "Content-Disposition",
        "Accept-Ranges",
        "Cache-Control",
    ] {
        assert_eq!(reply.header(name), whole.header(name));
        assert!(reply.header(name).is_some(), "{name}");
    }
}

#[rstest]
#[case::beyond("bytes=42-")]
#[case::nothing("bytes=-0")]
#[case::backwards("bytes=9-0")]
#[case::several("bytes=0-1,5-6")]
#[case::another_unit("pages=1-2")]
#[case::nonsense("nonsense")]
#[actix_web::test]
async fn what_is_no_single_range_is_the_whole(#[case] range: &str) {
    let (world, link, whole) = document().await;
    let reply = get(&world, &link, &[("Range", range)]).await;
    assert_eq!((reply.status, &reply.body), (200, &whole.body));
    assert_eq!(reply.header("Content-Range"), None);
}

#[actix_web::test]
async fn a_repeated_range_is_the_whole() {
    let (world, link, _) = document().await;
    let headers = [("Range", "bytes=0-1"), ("Range", "bytes=2-3")];
    assert_eq!(get(&world, &link, &headers).await.status, 200);
}

#[actix_web::test]
async fn the_parts_are_those_of_one_document() {
    let (world, link, whole) = document().await;
    let mut bytes = Vec::new();
    for first in (0..42).step_by(5) {
        let range = format!("bytes={first}-{}", first + 4);
        let reply = get(&world, &link, &[("Range", &range)]).await;
        assert_eq!(reply.header("ETag"), whole.header("ETag"));
        bytes.extend(reply.body);
    }
    assert_eq!(bytes, whole.body);
}

#[actix_web::test]
async fn a_part_is_sent_while_the_document_is_the_same() {
    let (world, link, whole) = document().await;
    let etag = whole.header("ETag").unwrap();
    let weak = format!("W/{etag}");
    for (known, expected) in [
        (etag, 206),
        (weak.as_str(), 200),
        ("\"another\"", 200),
        ("Sat, 21 Nov 2026 12:00:00 GMT", 200),
        ("", 200),
    ] {
        let headers = [("Range", "bytes=1-2"), ("If-Range", known)];
        let reply = get(&world, &link, &headers).await;
        assert_eq!(reply.status, expected, "{known}");
    }
    let without_a_range = get(&world, &link, &[("If-Range", etag)]).await;
    assert_eq!(without_a_range.status, 200);
}

#[actix_web::test]
async fn who_has_the_document_is_told_so() {
    let (world, link, whole) = document().await;
    let etag = whole.header("ETag").unwrap();
    let before = uses(&world, &world.acme);
    for known in [
        etag.to_owned(),
        format!("W/{etag}"),
        format!("\"another\", {etag}"),
        "*".to_owned(),
    ] {
        for method in [Method::GET, Method::HEAD] {
            let request = TestRequest::with_uri(&link)
                .method(method)
                .insert_header(("If-None-Match", known.as_str()))
                .insert_header(("Range", "bytes=0-1"));
            let reply = world.client().await.send(request).await;
            assert_eq!((reply.status, reply.body.len()), (304, 0), "{known}");
            assert_eq!(reply.header("ETag"), Some(etag));
            assert_eq!(reply.header("Cache-Control"), Some("private, no-store"));
            assert_eq!(reply.header("Content-Type"), None);
        }
    }
    assert_eq!(uses(&world, &world.acme), before);
    for other in ["\"another\"", "", etag.trim_matches('"')] {
        let reply = get(&world, &link, &[("If-None-Match", other)]).await;
        assert_eq!(reply.status, 200, "{other}");
    }
}

#[actix_web::test]
async fn a_link_is_judged_before_what_is_known() {
    let (world, link, whole) = document().await;
    let etag = whole.header("ETag").unwrap();
    let altered = link.replace("kid=sample", "kid=simple");
    for headers in [
        ("If-None-Match", "*"),
        ("If-None-Match", etag),
        ("Range", "bytes=0-1"),
    ] {
        let reply = get(&world, &altered, &[headers]).await;
        assert_eq!(reply.code(), "link_invalid", "{headers:?}");
    }
}

#[actix_web::test]
async fn head_looks_and_does_not_use() {
    let (world, link, whole) = document().await;
    let before = uses(&world, &world.acme);
    let request = TestRequest::with_uri(&link)
        .method(Method::HEAD)
        .insert_header(("Range", "bytes=0-1"));
    let reply = world.client().await.send(request).await;
    assert_eq!((reply.status, reply.body.len()), (200, 0));
    for name in [
        "ETag",
        "Content-Type",
        "Content-Disposition",
        "Accept-Ranges",
    ] {
        assert_eq!(reply.header(name), whole.header(name));
    }
    assert_eq!(uses(&world, &world.acme), before);
}

#[actix_web::test]
async fn a_use_is_written_down_once_whatever_is_fetched() {
    let (world, _, _) = document().await;
    for range in ["bytes=1-", "bytes=-1", "bytes=0-0", "bytes=42-", ""] {
        world.clock.advance(TimeDelta::seconds(1));
        let report = world.completed(&world.acme, "https://example.com/").report;
        let link = crate::dl::link(&world, &report).await;
        let before = uses(&world, &world.acme);
        let state = world.state();
        let client = Client::new(&state).await;
        for _ in 0..3 {
            let request = call(Method::GET, "", &link).insert_header(("Range", range));
            assert!(client.send(request).await.status < 300);
        }
        assert_eq!(uses(&world, &world.acme), before + 1, "{range}");
    }
}
