//! The operator's proxy: targets are checked before the proxy is used, and the proxy itself is not
//! checked.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, Request, Response};
use rstest::rstest;
use testkit::{
    Canary, DnsAnswer, DnsQuestion, DnsServer, LoopbackServer, Peer, TestAuthority, TestResponse,
    accept_tls,
};
use url::Url;

/// Names below `public.example` resolve to a public address where nothing listens; all other names are
/// private.
fn dns() -> DnsServer {
    DnsServer::start(|question: &DnsQuestion| {
        let public = question.name.ends_with("public.example");
        DnsAnswer::fleeting(&[if public { "93.184.216.34" } else { "127.0.0.1" }])
    })
    .unwrap()
}

fn options(proxy: SocketAddr, dns: &DnsServer) -> EgressOptions {
    let mut options = EgressOptions::new(Default::default(), "Assay/1".to_owned());
    options.dns_server = Some(dns.address());
    options.proxy = Some(format!("http://reader:sesame@{proxy}").parse().unwrap());
    options.header_timeout = Duration::from_secs(5);
    options
}

async fn fetch(options: EgressOptions, url: &str) -> Result<Response, FetchError> {
    let client = GuardedFetcher::new(options).unwrap();
    client
        .fetch(Request::get(Url::parse(url).unwrap(), 1_000))
        .await
}

fn forwarding() -> LoopbackServer {
    LoopbackServer::start(|request| TestResponse::html(format!("by proxy: {}", request.target)))
        .unwrap()
}

#[tokio::test]
async fn requests_go_through_the_proxy_under_the_name_of_the_site() {
    let (proxy, dns) = (forwarding(), dns());
    let answer = fetch(
        options(proxy.address(), &dns),
        "http://www.public.example/a?b",
    )
    .await;
    let answer = answer.unwrap();
    assert_eq!(&answer.body[..], b"by proxy: http://www.public.example/a?b");
    let request = proxy.requests().remove(0);
    assert_eq!(request.header("host"), Some("www.public.example"));
    assert!(request.header("proxy-authorization").is_some());
    assert_eq!(
        dns.questions().len(),
        2,
        "both kinds of address are asked for"
    );
}

#[rstest]
#[case::literal("http://127.0.0.1/")]
#[case::spelling("http://0x7f.1:8080/")]
#[case::metadata("http://169.254.169.254/latest/meta-data/")]
#[case::private_name("http://intranet.corp/")]
#[case::name_with_a_private_address("http://rebind.example/")]
#[case::https("https://rebind.example/")]
#[case::port("http://www.public.example:25/")]
#[case::user_information("http://a:b@www.public.example/")]
#[tokio::test]
async fn targets_are_checked_before_the_proxy(#[case] url: &str) {
    let (proxy, dns) = (forwarding(), dns());
    let error = fetch(options(proxy.address(), &dns), url)
        .await
        .unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    assert_eq!(proxy.connections(), 0);
}

#[tokio::test]
async fn a_proxy_name_is_resolved_and_not_checked() {
    let (proxy, dns) = (forwarding(), dns());
    let mut options = options(proxy.address(), &dns);
    let url = format!("http://proxy.corp:{}", proxy.address().port());
    options.proxy = Some(url.parse().unwrap());
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    options.resolve.insert("Proxy.corp".to_owned(), vec![here]);
    assert!(
        fetch(options.clone(), "http://www.public.example/")
            .await
            .is_ok()
    );
    // As a target it is checked like any other.
    let error = fetch(options, &url).await.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::NotAllowed);
    assert_eq!(proxy.connections(), 1);
}

#[tokio::test]
async fn https_is_tunnelled_with_the_certificate_of_the_site() {
    let authority = TestAuthority::new().unwrap();
    let certificate = authority.issue("www.public.example", 2020..2099).unwrap();
    let config = certificate.config(&["http/1.1"]).unwrap();
    let asked = Arc::new(Mutex::new(String::new()));
    let proxy = Peer::start({
        let asked = Arc::clone(&asked);
        move |stream: TcpStream| {
            let mut lines = BufReader::new(&stream).lines();
            *asked.lock().unwrap() = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
            (&stream)
                .write_all(b"HTTP/1.1 200 Connected\r\n\r\n")
                .unwrap();
            let mut site = accept_tls(&config, stream).unwrap();
            let mut head = [0; 4096];
            let _ = site.read(&mut head).unwrap();
            let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
            site.write_all(answer).unwrap();
        }
    })
    .unwrap();
    let dns = dns();
    let mut options = options(proxy.address(), &dns);
    options.extra_ca_pem = vec![authority.pem()];
    let answer = fetch(options, "https://www.public.example/").await.unwrap();
    assert_eq!(&answer.body[..], b"hello");
    assert_eq!(
        *asked.lock().unwrap(),
        "CONNECT www.public.example:443 HTTP/1.1"
    );
}

#[rstest]
#[case::forbids(TestResponse::status(403))]
#[case::wants_a_password(TestResponse::status(407))]
#[case::hangs_up(TestResponse::close())]
#[tokio::test]
async fn a_proxy_that_refuses_a_tunnel_is_named_in_the_error(#[case] answer: TestResponse) {
    let proxy = LoopbackServer::start(move |_| answer.clone()).unwrap();
    let dns = dns();
    let error = fetch(
        options(proxy.address(), &dns),
        "https://www.public.example/",
    )
    .await;
    let error = error.unwrap_err();
    assert_eq!(error.kind, FetchErrorKind::Connect, "{error}");
    assert!(error.message.contains("the proxy"), "{error}");
    assert!(!error.message.contains("sesame"), "{error}");
}

/// Counterpart of the gate tests: without the gates, the proxy receives the request.
#[tokio::test]
async fn an_allowed_target_is_requested_through_the_proxy() {
    let (proxy, dns) = (forwarding(), dns());
    let canary = Canary::at(Ipv4Addr::LOCALHOST.into(), "canary").unwrap();
    let mut options = options(proxy.address(), &dns);
    options.allow_targets = [canary.address().to_string().parse().unwrap()]
        .into_iter()
        .collect();
    let url = format!("http://{}/", canary.address());
    assert!(fetch(options, &url).await.is_ok());
    assert_eq!((proxy.connections(), canary.connections()), (1, 0));
}
