//! POST requests pass the same gates as GET requests.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::time::{Duration, Instant};

use audit_engine::egress::{EgressOptions, GuardedFetcher, Post, Posted};
use audit_engine::gather::{FetchError, FetchErrorKind};
use domain::target::AllowTargets;
use rstest::rstest;
use testkit::{LoopbackServer, TestResponse};

fn client(server: &LoopbackServer) -> GuardedFetcher {
    let allow: AllowTargets = [server.target().parse().unwrap()].into_iter().collect();
    GuardedFetcher::new(EgressOptions::new(allow, "Test/1".to_owned())).unwrap()
}

fn serving(response: TestResponse) -> LoopbackServer {
    LoopbackServer::start(move |_| response.clone()).unwrap()
}

async fn post(client: &GuardedFetcher, url: &str) -> Result<Posted, FetchError> {
    let post = Post {
        url: url.to_owned(),
        headers: vec![("webhook-id", "evt_1".to_owned())],
        body: "{\"a\":1}".into(),
        patience: Duration::from_millis(400),
    };
    client.post(post).await
}

#[tokio::test]
async fn json_arrives_with_its_headers() {
    let server = serving(TestResponse::new(202, "thanks").header("Retry-After", "7"));
    let url = server.url("/in?a=b#c");
    let posted = post(&client(&server), url.as_str()).await.unwrap();
    assert_eq!(
        (posted.status, posted.retry_after.as_deref()),
        (202, Some("7"))
    );
    let request = server.requests().remove(0);
    assert_eq!(
        (request.method.as_str(), request.target.as_str()),
        ("POST", "/in?a=b")
    );
    assert_eq!(request.body, b"{\"a\":1}");
    for (name, value) in [
        ("content-type", "application/json"),
        ("user-agent", "Test/1"),
        ("webhook-id", "evt_1"),
    ] {
        assert_eq!(request.header(name), Some(value));
    }
}

#[tokio::test]
async fn a_redirect_is_returned_and_not_followed() {
    let canary = serving(TestResponse::new(200, "secret"));
    let server = serving(TestResponse::redirect(307, canary.url("/").as_str()));
    let posted = post(&client(&server), server.url("/").as_str()).await;
    assert_eq!(posted.unwrap().status, 307);
    assert_eq!(canary.connections(), 0);
}

#[rstest]
#[case("")]
#[case("http://localhost:{port}/")]
#[case("http://0x7f.1:{port}/")]
#[case("http://[::ffff:127.0.0.1]:{port}/")]
#[tokio::test]
async fn forbidden_targets_are_never_connected_to(#[case] other: &str) {
    let canary = serving(TestResponse::new(200, "secret"));
    let url = match other.is_empty() {
        true => canary.url("/").to_string(),
        false => other.replace("{port}", &canary.url("/").port().unwrap().to_string()),
    };
    let elsewhere = serving(TestResponse::close());
    let error = post(&client(&elsewhere), &url).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    assert_eq!(canary.connections(), 0);
}

#[rstest]
#[case::silent(TestResponse::hang(), None)]
#[case::slow_head(
    TestResponse::raw_drip("HTTP/1.1 200 OK\r\n\r\n", Duration::from_secs(1)),
    None
)]
#[case::dripping_body(TestResponse::drip("a".repeat(100), Duration::from_secs(1)), Some(200))]
#[case::endless_body(TestResponse::endless("a".repeat(1_000)), Some(200))]
#[tokio::test]
async fn no_receiver_can_delay_the_client(
    #[case] response: TestResponse,
    #[case] status: Option<u16>,
) {
    let server = serving(response);
    let begun = Instant::now();
    let posted = post(&client(&server), server.url("/").as_str()).await;
    assert!(begun.elapsed() < Duration::from_secs(5));
    match (posted, status) {
        (Ok(posted), Some(status)) => assert_eq!(posted.status, status),
        (Err(error), None) => assert_eq!(error.kind, FetchErrorKind::Timeout),
        (other, _) => assert!(other.is_err() == status.is_none(), "{other:?}"),
    }
}

#[tokio::test]
async fn connection_errors_are_distinguished() {
    let server = serving(TestResponse::close());
    let url = server.url("/").to_string();
    let client = client(&server);
    assert_eq!(
        post(&client, &url).await.unwrap_err().kind,
        FetchErrorKind::Protocol
    );
    drop(server);
    assert_eq!(
        post(&client, &url).await.unwrap_err().kind,
        FetchErrorKind::Connect
    );
    assert_eq!(
        post(&client, "no url").await.unwrap_err().kind,
        FetchErrorKind::NotAllowed
    );
}
