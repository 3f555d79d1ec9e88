//! The proxy of the browser: which targets it connects to, and what it forwards.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "the browser's side of the proxy, on loopback; a test panics on unexpected results"
)]

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use audit_engine::egress::{
    EgressOptions, GuardedFetcher, Limiter, Tunnel, TunnelCounts, TunnelError, TunnelLimits,
};
use testkit::{Canary, LoopbackServer, TestResponse};

/// A tunnel of a client with these settings.
async fn tunnel(allow: &[&str], settings: impl FnOnce(&mut EgressOptions)) -> Tunnel {
    opened(allow, settings, TunnelLimits::default())
        .await
        .unwrap()
}

async fn opened(
    allow: &[&str],
    settings: impl FnOnce(&mut EgressOptions),
    limits: TunnelLimits,
) -> Result<Tunnel, TunnelError> {
    let allow = allow.iter().map(|target| target.parse().unwrap()).collect();
    let mut options = EgressOptions::new(allow, "test".to_owned());
    settings(&mut options);
    let fetcher = Arc::new(GuardedFetcher::new(options).unwrap());
    Tunnel::open(fetcher, Arc::new(Limiter::default()), limits).await
}

/// Sends bytes as a browser would, and returns what comes back until the site has sent its page, or the connection
/// ends: the server keeps its own open.
async fn exchange(tunnel: &Tunnel, sent: impl Into<Vec<u8>>) -> String {
    let (address, sent) = (tunnel.address(), sent.into());
    let exchange = move || {
        let mut stream = TcpStream::connect(address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        stream.write_all(&sent).unwrap();
        let (mut received, mut chunk) = (Vec::new(), [0; 4_096]);
        // A connection that is reset has received what came before.
        while !received.ends_with(b"the site")
            && let Ok(count @ 1..) = stream.read(&mut chunk)
        {
            received.extend_from_slice(&chunk[..count]);
        }
        String::from_utf8_lossy(&received).into_owned()
    };
    tokio::task::spawn_blocking(exchange).await.unwrap()
}

fn canary() -> Canary {
    Canary::at(Ipv4Addr::LOCALHOST.into(), "").unwrap()
}

fn site() -> LoopbackServer {
    LoopbackServer::start(|request| match request.path() {
        "/large" => TestResponse::html("x".repeat(400_000)),
        _ => TestResponse::html("the site"),
    })
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn targets_that_are_not_allowed_get_the_same_refusal_and_no_connection() {
    let canary = canary();
    let port = canary.address().port();
    let rebound = |options: &mut EgressOptions| {
        options.resolve.insert(
            "inner.example".to_owned(),
            vec!["127.0.0.1".parse().unwrap()],
        );
        let mixed = ["93.184.216.34", "127.0.0.1"].map(|ip| ip.parse().unwrap());
        options
            .resolve
            .insert("mixed.example".to_owned(), mixed.to_vec());
    };
    let tunnel = tunnel(&[], rebound).await;
    let mut refused = 0;
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0.0.0.0",
        "localhost",
        "LOCALHOST.",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::]",
        "169.254.169.254",
        "inner.example",
        "mixed.example",
        "10.0.0.1",
    ] {
        for request in [
            format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}\r\n\r\n"),
            format!("GET http://{host}:{port}/ HTTP/1.1\r\nHost: site.example\r\n\r\n"),
        ] {
            let answer = exchange(&tunnel, request.clone()).await;
            assert!(answer.starts_with("HTTP/1.1 403 "), "{request}: {answer}");
            assert!(
                answer.ends_with("\r\n\r\ntarget_not_allowed"),
                "{request}: {answer}"
            );
            refused += 1;
        }
    }
    assert_eq!(canary.connections(), 0);
    let counts = tunnel.counts();
    assert_eq!((counts.connections, counts.refused), (0, refused));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowed_target_is_connected_in_both_forms() {
    let site = site();
    let authority = site.target();
    let tunnel = tunnel(&[&authority], |_| {}).await;
    let plain = exchange(
        &tunnel,
        format!("GET http://{authority}/ HTTP/1.1\r\nHost: {authority}\r\n\r\n"),
    )
    .await;
    assert!(
        plain.starts_with("HTTP/1.1 200 ") && plain.ends_with("the site"),
        "{plain}"
    );
    let request = format!("GET / HTTP/1.1\r\nHost: {authority}\r\nConnection: close\r\n\r\n");
    let connect = format!("CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n\r\n{request}");
    let through = exchange(&tunnel, connect).await;
    assert!(
        through.starts_with("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 200 "),
        "{through}"
    );
    let counts = tunnel.counts();
    assert_eq!((counts.connections, counts.refused), (2, 0));
    assert!(
        counts.received_bytes > 0 && counts.sent_bytes > 0,
        "{counts:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_request_on_a_connection_reaches_nobody() {
    let (site, other) = (site(), canary());
    let authority = site.target();
    let tunnel = tunnel(&[&authority], |_| {}).await;
    let first = format!("POST http://{authority}/one HTTP/1.1\r\nContent-Length: 2\r\n\r\nab");
    let second = format!("GET http://{}/two HTTP/1.1\r\n\r\n", other.address());
    exchange(&tunnel, format!("{first}{second}")).await;
    exchange(
        &tunnel,
        format!("{first}GET http://{authority}/two HTTP/1.1\r\n\r\n"),
    )
    .await;
    assert_eq!(other.connections(), 0);
    assert_eq!(site.hits("/two"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_for_a_proxy_is_refused() {
    let site = site();
    let authority = site.target();
    let tunnel = tunnel(&[&authority], |_| {}).await;
    for request in [
        "GET / HTTP/1.1\r\n\r\n".to_owned(),
        format!("GET https://{authority}/ HTTP/1.1\r\n\r\n"),
        format!("POST http://{authority}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("CONNECT user@{authority} HTTP/1.1\r\n\r\n"),
    ] {
        let answer = exchange(&tunnel, request.clone()).await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{request}: {answer}");
    }
    assert_eq!(tunnel.counts(), TunnelCounts::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_does_not_answer_is_not_reachable() {
    let canary = canary();
    let address = canary.address();
    drop(canary);
    let tunnel = tunnel(&[&address.to_string()], |_| {}).await;
    let answer = exchange(&tunnel, format!("CONNECT {address} HTTP/1.1\r\n\r\n")).await;
    assert!(answer.starts_with("HTTP/1.1 502 "), "{answer}");
    assert_eq!(tunnel.counts().refused, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_loads_more_than_its_limit_is_cut() {
    let site = site();
    let authority = site.target();
    let limits = TunnelLimits {
        page_bytes: 100_000,
        run_bytes: 10_000_000,
    };
    let tunnel = opened(&[&authority], |_| {}, limits).await.unwrap();
    let large = format!("GET http://{authority}/large HTTP/1.1\r\n\r\n");
    let answer = exchange(&tunnel, large).await;
    assert!(answer.len() <= 100_000, "{}", answer.len());
    assert!(tunnel.counts().is_cut);
    tunnel.begin_page();
    let small = exchange(&tunnel, format!("GET http://{authority}/ HTTP/1.1\r\n\r\n")).await;
    assert!(small.ends_with("the site"), "{small}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_gates_come_before_the_proxy_of_the_operator() {
    let operator = canary();
    let proxy = format!("http://reader:sesame@{}/", operator.address());
    let behind = |options: &mut EgressOptions| {
        options.proxy = Some(proxy.parse().unwrap());
        options.resolve.insert(
            "site.example".to_owned(),
            vec!["93.184.216.34".parse().unwrap()],
        );
    };
    let tunnel = tunnel(&[], behind).await;
    let refused = exchange(&tunnel, "CONNECT 127.0.0.1:443 HTTP/1.1\r\n\r\n").await;
    assert!(refused.starts_with("HTTP/1.1 403 "), "{refused}");
    assert_eq!(operator.connections(), 0);
    exchange(&tunnel, "CONNECT site.example:443 HTTP/1.1\r\n\r\n").await;
    assert_eq!(operator.connections(), 1);
}

#[tokio::test]
async fn a_proxy_of_the_operator_that_speaks_tls_is_an_error() {
    let with_tls = |options: &mut EgressOptions| {
        options.proxy = Some("https://proxy.example:3128".parse().unwrap());
    };
    let error = opened(&[], with_tls, TunnelLimits::default())
        .await
        .unwrap_err();
    assert!(matches!(error, TunnelError::ProxyWithTls), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tunnel_that_is_dropped_listens_no_longer() {
    let tunnel = tunnel(&[], |_| {}).await;
    let address = tunnel.address();
    drop(tunnel);
    let closed = tokio::task::spawn_blocking(move || {
        let deadline = std::time::Instant::now() + Duration::from_secs(20);
        while std::time::Instant::now() < deadline {
            if TcpStream::connect(address).is_err() {
                return true;
            }
            std::thread::yield_now();
        }
        false
    });
    assert!(closed.await.unwrap());
}
