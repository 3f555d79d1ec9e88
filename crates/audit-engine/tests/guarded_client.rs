//! The guarded HTTP client against a hostile server on loopback.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as expected"
)]

use std::time::{Duration, Instant};

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};
use domain::target::AllowTargets;
use rstest::rstest;
use testkit::{LoopbackServer, TestResponse};

const LIMIT: u64 = 10_000;

/// Deadlines short enough to be waited for.
fn client(server: &LoopbackServer) -> GuardedFetcher {
    let allow: AllowTargets = [server.target().parse().unwrap()].into_iter().collect();
    let mut options =
        EgressOptions::new(allow, "TestBot/1.0 (+https://example.com/bot)".to_owned());
    options.header_timeout = Duration::from_millis(300);
    options.total_timeout = Duration::from_millis(600);
    GuardedFetcher::new(options).unwrap()
}

fn serving(response: TestResponse) -> LoopbackServer {
    LoopbackServer::start(move |_| response.clone()).unwrap()
}

async fn fetch(server: &LoopbackServer) -> Result<Response, FetchError> {
    client(server)
        .fetch(Request::get(server.url("/"), LIMIT))
        .await
}

#[tokio::test]
async fn a_page_arrives_decoded_and_the_client_names_itself() {
    let server = serving(TestResponse::html("<p>Hello").gzip());
    let answer = fetch(&server).await.unwrap();
    assert_eq!(&answer.body[..], b"<p>Hello");
    assert_eq!(answer.headers.get("content-encoding"), Some("gzip"));
    let request = server.requests().remove(0);
    let agent = "TestBot/1.0 (+https://example.com/bot)";
    assert_eq!(request.header("user-agent"), Some(agent));
}

#[tokio::test]
async fn a_loopback_target_that_is_not_listed_is_never_dialled() {
    let canary = serving(TestResponse::html("secret"));
    let client = client(&serving(TestResponse::close()));
    let error = client
        .fetch(Request::get(canary.url("/"), LIMIT))
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    assert_eq!(canary.connections(), 0);
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_is_not_followed() {
    let server = serving(TestResponse::redirect(302, "/"));
    let answer = fetch(&server).await.unwrap();
    assert_eq!(answer.status, 302);
    assert_eq!(answer.redirect_target(), Some(server.url("/")));
    assert_eq!(server.hits("/"), 1);
}

#[rstest]
#[case::garbage(
    TestResponse::raw("\u{1}\u{2}garbage\r\n\r\n"),
    FetchErrorKind::Protocol
)]
#[case::too_many_headers(TestResponse::html("x").big_headers(1_000, 10), FetchErrorKind::Protocol)]
#[case::no_answer(TestResponse::hang(), FetchErrorKind::Timeout)]
#[case::slow_headers(
    TestResponse::raw_drip("HTTP/1.1 200 OK\r\n\r\n", Duration::from_millis(100)),
    FetchErrorKind::Timeout
)]
#[tokio::test]
async fn what_is_no_answer_is_an_error_of_its_kind(
    #[case] response: TestResponse,
    #[case] kind: FetchErrorKind,
) {
    let error = fetch(&serving(response)).await.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
}

#[rstest]
#[case::bomb(TestResponse::gzip_bomb(50 << 20))]
#[case::endless(TestResponse::endless("<p>again</p>"))]
#[case::dripping(TestResponse::drip("x".repeat(100), Duration::from_millis(50)))]
#[case::cut(TestResponse::cut_after("x".repeat(100), 10))]
#[tokio::test]
async fn a_body_without_an_end_is_kept_as_far_as_it_came(#[case] response: TestResponse) {
    let server = serving(response);
    let started = Instant::now();
    let answer = fetch(&server).await.unwrap();
    assert!(answer.truncated);
    assert!(!answer.body.is_empty() && answer.body.len() <= 10_000);
    assert!(started.elapsed() < Duration::from_secs(20));
}
