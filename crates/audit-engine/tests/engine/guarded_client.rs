//! The guarded HTTP client against a hostile server on loopback.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::IpAddr;
use std::time::{Duration, Instant};

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};
use domain::target::AllowTargets;
use rstest::rstest;
use testkit::{LoopbackServer, Peer, TestResponse};
use url::Url;

const LIMIT: u64 = 10_000;

/// Timeouts short enough for tests.
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
async fn a_loopback_target_that_is_not_allowed_is_never_connected_to() {
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
async fn a_redirect_is_returned_and_not_followed() {
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
#[case::large_headers(TestResponse::html("x").big_headers(50, 20_000), FetchErrorKind::Protocol)]
#[case::too_many_headers(TestResponse::html("x").big_headers(1_000, 10), FetchErrorKind::Protocol)]
#[case::no_answer(TestResponse::hang(), FetchErrorKind::Timeout)]
#[case::slow_headers(
    TestResponse::raw_drip("HTTP/1.1 200 OK\r\n\r\n", Duration::from_millis(100)),
    FetchErrorKind::Timeout
)]
#[tokio::test]
async fn an_invalid_response_is_the_right_kind_of_error(
    #[case] response: TestResponse,
    #[case] kind: FetchErrorKind,
) {
    let error = fetch(&serving(response)).await.unwrap_err();
    assert_eq!(error.kind, kind, "{error}");
}

/// Writes the same bytes repeatedly until the client closes the connection.
fn write_forever(first: &'static [u8], then: &'static [u8]) -> Peer {
    Peer::start(move |mut stream| {
        let mut request = [0; 4096];
        let _ = stream.read(&mut request);
        // Writing faster than an unoptimized client reads would test the client's speed, so it pauses
        // briefly each time, during which the client may close the connection.
        let _ = stream.set_read_timeout(Some(Duration::from_millis(1)));
        let then = then.repeat(1 + 1024 / then.len());
        let mut sent = stream.write_all(first);
        while sent.is_ok() && !matches!(stream.read(&mut request), Ok(0)) {
            sent = stream.write_all(&then);
        }
    })
    .unwrap()
}

#[rstest]
#[case::headers(b"HTTP/1.1 200 OK\r\n", b"X-Header: value\r\n")]
#[case::one_header(b"HTTP/1.1 200 OK\r\nX-Header: ", b"value")]
#[case::one_name(b"HTTP/1.1 200 OK\r\n", b"X-Header")]
#[case::folded_header(b"HTTP/1.1 200 OK\r\nX-Header: a\r\n", b" more\r\n")]
#[case::status_line(b"HTTP/1.1 200 ", b"fine ")]
#[case::early_hints(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")]
#[case::leave_to_continue(b"", b"HTTP/1.1 100 Continue\r\n\r\n")]
#[case::empty_lines(b"", b"\r\n")]
#[tokio::test]
async fn an_endless_head_is_an_error_within_the_limits(
    #[case] first: &'static [u8],
    #[case] then: &'static [u8],
) {
    let peer = write_forever(first, then);
    let allow: AllowTargets = [peer.address().to_string().parse().unwrap()]
        .into_iter()
        .collect();
    let mut options = EgressOptions::new(allow, "TestBot/1.0".to_owned());
    options.header_timeout = Duration::from_millis(500);
    let client = GuardedFetcher::new(options).unwrap();
    let url = Url::parse(&format!("http://{}/", peer.address())).unwrap();
    let started = Instant::now();
    let error = client.fetch(Request::get(url, LIMIT)).await.unwrap_err();
    assert!(
        matches!(
            error.kind,
            FetchErrorKind::Protocol | FetchErrorKind::Timeout
        ),
        "{error:?}"
    );
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_limits_of_the_service_are_five_ten_and_thirty_seconds() {
    let options = EgressOptions::new(AllowTargets::default(), String::new());
    let limits = [
        options.connect_timeout,
        options.header_timeout,
        options.total_timeout,
    ];
    assert_eq!(limits.map(|limit| limit.as_secs()), [5, 10, 30]);
}

#[tokio::test]
async fn a_service_on_all_interfaces_is_not_reached_on_any_address_of_the_machine() {
    let own = serving(TestResponse::html("internal"));
    let port = own.address().port();
    let client = |targets: &[&str]| {
        let allow = targets.iter().map(|target| target.parse().unwrap());
        let allow = allow.collect::<AllowTargets>();
        let allow = allow.with_own_listeners([([0, 0, 0, 0], port).into()]);
        GuardedFetcher::new(EgressOptions::new(allow, "TestBot/1.0".to_owned())).unwrap()
    };
    // Represents a public address of the machine, which the gates do not forbid.
    let url = Url::parse(&format!("http://127.3.2.1:{port}/")).unwrap();
    let wide = client(&["127.3.0.0/16"]);
    let error = wide
        .fetch(Request::get(url.clone(), LIMIT))
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    let exact = client(&[&format!("127.0.0.1:{port}")]);
    assert!(exact.fetch(Request::get(own.url("/"), LIMIT)).await.is_ok());
    assert_eq!(own.connections(), 1);
}

/// Tries every spelling that leads to this process's own port, as a literal, by name and by redirect,
/// while the operator allows every address.
#[rstest]
#[case::on_loopback("127.0.0.1", &["127.0.0.1"])]
#[case::on_every_address("0.0.0.0", &["127.0.0.1", "127.0.0.2", "127.3.2.1"])]
#[tokio::test]
async fn no_spelling_reaches_the_own_listener(#[case] listening: &str, #[case] also: &[&str]) {
    let own = serving(TestResponse::html("internal"));
    let port = own.address().port();
    let ip: IpAddr = listening.parse().unwrap();
    let mut hosts: Vec<String> = ["0.0.0.0", "0", "0x0.0", "[::]", "[::ffff:0.0.0.0]"]
        .map(str::to_owned)
        .to_vec();
    for address in also {
        hosts.push((*address).to_owned());
        hosts.push(format!("[::ffff:{address}]"));
    }
    hosts.extend(["2130706433", "0x7f.1", "0177.0.0.1", "127.1"].map(str::to_owned));
    let names: HashMap<String, Vec<IpAddr>> =
        ["0.0.0.0", "::", "::ffff:0.0.0.0", "::ffff:127.0.0.1"]
            .iter()
            .chain(also)
            .enumerate()
            .map(|(at, address)| {
                let name = format!("own{at}.example.com");
                (name, vec![address.parse().unwrap()])
            })
            .collect();
    hosts.extend(names.keys().cloned());
    let elsewhere = {
        let hosts = hosts.clone();
        let at = move |target: &str| target.trim_start_matches('/').parse::<usize>().unwrap();
        LoopbackServer::start(move |request| {
            let to = format!("http://{}:{port}/", hosts[at(&request.target)]);
            TestResponse::new(302, "").header("Location", &to)
        })
        .unwrap()
    };
    let allow = ["0.0.0.0/0", "::/0"].map(|entry| entry.parse().unwrap());
    let allow = AllowTargets::from_iter(allow).with_own_listeners([(ip, port).into()]);
    let mut options = EgressOptions::new(allow, "TestBot/1.0".to_owned());
    options.resolve = names;
    let client = GuardedFetcher::new(options).unwrap();
    for (at, host) in hosts.iter().enumerate() {
        let url = Url::parse(&format!("http://{host}:{port}/")).unwrap();
        let refused = client.fetch(Request::get(url.clone(), LIMIT)).await;
        let error = refused.unwrap_err();
        assert_eq!(error.kind, FetchErrorKind::NotAllowed, "{url}: {error:?}");
        // The fetcher returns the redirect; its target is checked by the same gates.
        let hop = elsewhere.url(&format!("/{at}"));
        let answer = client.fetch(Request::get(hop, LIMIT)).await.unwrap();
        let location = answer.headers.get("location").unwrap().to_owned();
        let next = Request::get(Url::parse(&location).unwrap(), LIMIT);
        let refused = client.fetch(next).await.unwrap_err();
        assert_eq!(refused.kind, FetchErrorKind::NotAllowed, "{location}");
    }
    assert_eq!(own.connections(), 0);
    // The same addresses reach another listener, so the port is the reason.
    let other = serving(TestResponse::html("other"));
    let url = format!("http://0.0.0.0:{}/", other.address().port());
    let reached = client.fetch(Request::get(Url::parse(&url).unwrap(), LIMIT));
    assert!(reached.await.is_ok());
}

#[rstest]
#[case::bomb(TestResponse::gzip_bomb(50 << 20))]
#[case::endless(TestResponse::endless("<p>again</p>"))]
#[case::dripping(TestResponse::drip("x".repeat(100), Duration::from_millis(50)))]
#[case::cut(TestResponse::cut_after("x".repeat(100), 10))]
#[tokio::test]
async fn an_endless_body_is_truncated(#[case] response: TestResponse) {
    let server = serving(response);
    let started = Instant::now();
    let answer = fetch(&server).await.unwrap();
    assert!(answer.truncated);
    assert!(!answer.body.is_empty() && answer.body.len() <= 10_000);
    assert!(started.elapsed() < Duration::from_secs(20));
}
