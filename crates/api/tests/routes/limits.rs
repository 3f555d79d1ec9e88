//! What callers may use at once.

#![allow(clippy::disallowed_types, reason = "the test is the client")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Service;
use actix_web::http::Method;
use actix_web::rt::task::spawn_blocking;
use actix_web::rt::time::timeout;
use actix_web::test::{self, TestRequest};
use actix_web::{HttpResponse, web};
use domain::key::Role;
use httpkit::limits::{CallerLimits, RateLimit, Tiers};
use httpkit::rate_limits::RateLimits;

use crate::wire::{answer, exchange, header, request, serve, serve_app};
use crate::world::{Client, Fixture, Tally, call};

const SITES: &str = "GET /api/mcp/sites";

fn world(limits: CallerLimits) -> Fixture {
    Fixture {
        rate_limits: RateLimits::new(limits),
        ..Fixture::new()
    }
}

fn rate(burst: u32) -> RateLimit {
    RateLimit {
        per_minute: NonZeroU32::MIN,
        burst: NonZeroU32::new(burst).unwrap(),
    }
}

/// The status of an answer.
fn status(answer: &str) -> &str {
    answer.get(9..12).unwrap_or_default()
}

async fn get(address: SocketAddr, key: &str) -> String {
    exchange(address, request(SITES, key, "")).await
}

/// A connection with a request whose body does not come.
async fn unfinished(address: SocketAddr, key: &str) -> TcpStream {
    let more = "Content-Type: application/json\r\nContent-Length: 100\r\n";
    let head = request("POST /api/mcp/start-audit", key, more);
    send(address, head).await
}

async fn send(address: SocketAddr, bytes: Vec<u8>) -> TcpStream {
    spawn_blocking(move || {
        let mut connection = TcpStream::connect(address).unwrap();
        let limit = Some(Duration::from_secs(10));
        connection.set_read_timeout(limit).unwrap();
        connection.write_all(&bytes).unwrap();
        connection
    })
    .await
    .unwrap()
}

/// Everything that is still to come on a connection, until the server closes it.
async fn rest(mut connection: TcpStream) -> Vec<u8> {
    let read = move || {
        let mut rest = Vec::new();
        // A connection that is reset has ended, too; what came before is there.
        let _ = connection.read_to_end(&mut rest);
        rest
    };
    spawn_blocking(read).await.unwrap()
}

/// Calls until the answer has that status.
async fn until(address: SocketAddr, key: &str, wanted: &str) -> String {
    loop {
        let answer = get(address, key).await;
        if status(&answer) == wanted {
            return answer;
        }
    }
}

#[actix_web::test]
async fn a_key_that_has_its_calls_under_way_is_refused_and_others_are_not() {
    let world = world(CallerLimits {
        calls: Tiers {
            key: 2,
            organization: 3,
            total: 100,
        },
        ..CallerLimits::default()
    });
    let other_key = world.key(&world.acme, Role::Admin);
    let (address, server) = serve(&world);
    for key in [&world.admin, &other_key, &world.rival_admin] {
        assert_eq!(status(&get(address, key).await), "200");
    }
    let held = [
        unfinished(address, &world.admin).await,
        unfinished(address, &world.admin).await,
    ];
    let refused = until(address, &world.admin, "429").await;
    assert_eq!(header(&refused, "Retry-After"), Some("1"), "{refused}");
    assert!(refused.contains("\"code\":\"rate_limited\""), "{refused}");
    assert!(
        refused.contains("requests of the key is reached"),
        "{refused}"
    );
    let third = unfinished(address, &other_key).await;
    let refused = until(address, &other_key, "429").await;
    assert!(
        refused.contains("requests of the organization is reached"),
        "{refused}"
    );
    assert_eq!(status(&get(address, &world.rival_admin).await), "200");
    for path in ["/healthz", "/readyz"] {
        let answer = exchange(address, request(&format!("GET {path}"), "", "")).await;
        assert_eq!(status(&answer), "200");
    }
    // Whoever hangs up has no call under way any more.
    drop((held, third));
    until(address, &world.admin, "200").await;
    until(address, &other_key, "200").await;
    server.stop(false).await;
}

#[actix_web::test]
async fn calls_of_all_together_are_bounded() {
    let world = world(CallerLimits {
        calls: Tiers {
            key: 1,
            organization: 1,
            total: 1,
        },
        ..CallerLimits::default()
    });
    let (address, server) = serve(&world);
    for key in [&world.admin, &world.rival_admin] {
        assert_eq!(status(&get(address, key).await), "200");
    }
    let held = unfinished(address, &world.admin).await;
    let refused = until(address, &world.rival_admin, "429").await;
    assert!(
        refused.contains("requests of this server is reached"),
        "{refused}"
    );
    drop(held);
    until(address, &world.rival_admin, "200").await;
    server.stop(false).await;
}

#[actix_web::test]
async fn calls_without_a_known_key_are_bounded_for_each_address() {
    let world = world(CallerLimits {
        anonymous_per_address: 1,
        ..CallerLimits::default()
    });
    let (address, server) = serve(&world);
    assert_eq!(status(&get(address, &world.rival_admin).await), "200");
    // Nobody knows the key before its first call.
    let held = unfinished(address, &world.admin).await;
    let document = || exchange(address, request("GET /openapi.json", "", ""));
    let refused = loop {
        let answer = document().await;
        if status(&answer) == "429" {
            break answer;
        }
    };
    assert_eq!(header(&refused, "Retry-After"), Some("1"), "{refused}");
    assert_eq!(status(&get(address, &world.rival_admin).await), "200");
    drop(held);
    while status(&document().await) != "200" {}
    server.stop(false).await;
}

#[actix_web::test]
async fn calls_without_a_known_key_have_a_rate_for_each_address() {
    let world = Fixture {
        rate_limit: Some(rate(100)),
        ..world(CallerLimits {
            anonymous_rate: rate(3),
            trusted_proxies: vec!["10.0.0.1/32".parse().unwrap()],
            ..CallerLimits::default()
        })
    };
    let client = world.client().await;
    let ask = |path: &str, peer: [u8; 4], forwarded: &'static str| {
        TestRequest::with_uri(path)
            .peer_addr((peer, 1_234).into())
            .insert_header(("X-Forwarded-For", forwarded))
    };
    let (one, proxy) = ([192, 0, 2, 1], [10, 0, 0, 1]);
    // The key is known after its first call, and does not count here any more.
    let known = || call(Method::GET, &world.admin, "/api/mcp/sites").peer_addr((one, 1).into());
    assert_eq!(client.send(known()).await.status, 200);
    for _ in 0..2 {
        let reply = client.send(ask("/api/mcp/sites", one, "192.0.2.9")).await;
        assert_eq!(reply.status, 401);
    }
    let refused = client.send(ask("/openapi.json", one, "192.0.2.8")).await;
    assert_eq!(
        (refused.status, refused.code().as_str()),
        (429, "rate_limited")
    );
    assert!(refused.header("Retry-After").is_some());
    assert_eq!(client.send(known()).await.status, 200);
    assert_eq!(client.send(ask("/healthz", one, "")).await.status, 200);
    // Behind a proxy that is trusted each client has its own.
    for _ in 0..3 {
        let reply = client.send(ask("/openapi.json", proxy, "192.0.2.1")).await;
        assert_eq!(reply.status, 429);
        let reply = client.send(ask("/openapi.json", proxy, "192.0.2.2")).await;
        assert_eq!(reply.status, 200);
    }
}

#[actix_web::test]
async fn a_refusal_is_measured_by_its_limit() {
    let tally = Arc::new(Tally::default());
    let world = Fixture {
        rate_limit: Some(rate(1)),
        meter: Some(Arc::clone(&tally)),
        ..Fixture::new()
    };
    let client = world.client().await;
    for expected in [200, 429] {
        let reply = client.get(&world.admin, "/api/mcp/sites").await;
        assert_eq!(reply.status, expected);
    }
    let lines = tally.0.lock().unwrap();
    assert!(
        lines.contains(&"refused: rate_of_key".to_owned()),
        "{lines:?}"
    );
}

#[actix_web::test]
async fn every_body_has_its_time_whatever_reads_it() {
    let world = world(CallerLimits {
        body_time: Duration::from_millis(20),
        ..CallerLimits::default()
    });
    let state = world.state();
    let app = state.clone();
    let echo = |body: Result<web::Bytes, actix_web::Error>| async move {
        match body {
            Ok(body) => HttpResponse::Ok().body(body),
            Err(_) => HttpResponse::BadRequest().finish(),
        }
    };
    let (address, server) = serve_app!(&state, move || {
        api::app(&app).service(web::resource("/beside").to(echo))
    });
    for line in ["POST /api/mcp/start-audit", "POST /beside"] {
        for more in [
            "Content-Type: application/json\r\nContent-Length: 100\r\n",
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n",
        ] {
            let answer = exchange(address, request(line, &world.admin, more)).await;
            assert_eq!(status(&answer), "400", "{line}: {answer}");
            assert!(answer.contains("\"code\":\"invalid_request\""), "{answer}");
        }
    }
    server.stop(false).await;
}

#[actix_web::test]
async fn a_client_that_reads_nothing_is_cut_off() {
    const BYTES: usize = 32 * 1_024 * 1_024;
    let world = world(CallerLimits {
        stall_time: Duration::from_millis(50),
        ..CallerLimits::default()
    });
    let state = world.state();
    let app = state.clone();
    let much = || async { HttpResponse::Ok().body(vec![b'a'; BYTES]) };
    let (address, server) = serve_app!(&state, move || {
        api::app(&app).service(web::resource("/much").to(much))
    });
    let mut connection = send(address, request("GET /much", "", "")).await;
    // The first byte came; what the connection holds beside it is little.
    let connection = spawn_blocking(move || {
        connection.read_exact(&mut [0; 1]).unwrap();
        connection
    });
    let connection = connection.await.unwrap();
    // A server that stops waits for what is sent: it would wait for the client for ever.
    let stopped = timeout(Duration::from_secs(10), server.stop(true)).await;
    assert!(stopped.is_ok(), "the client is not cut off");
    let rest = rest(connection).await;
    assert!(rest.len() < BYTES / 2, "{} bytes came", rest.len());
}

#[actix_web::test]
async fn connections_of_an_address_are_bounded() {
    let tally = Arc::new(Tally::default());
    let world = Fixture {
        meter: Some(Arc::clone(&tally)),
        ..world(CallerLimits {
            connections_per_address: 1,
            ..CallerLimits::default()
        })
    };
    let (address, server) = serve(&world);
    let held = send(address, b"GET".to_vec()).await;
    let refused = exchange(address, request("GET /healthz", "", "")).await;
    assert_eq!(status(&refused), "429", "{refused}");
    assert_eq!(header(&refused, "Retry-After"), Some("5"));
    assert_eq!(
        header(&refused, "Content-Type"),
        Some("application/problem+json")
    );
    assert!(refused.contains("\"code\":\"rate_limited\""), "{refused}");
    let lines = tally.0.lock().unwrap().clone();
    assert!(
        lines.contains(&"refused: connections".to_owned()),
        "{lines:?}"
    );
    drop(held);
    let ask = || exchange(address, request("GET /healthz", "", ""));
    while status(&ask().await) != "200" {}
    server.stop(false).await;
}

/// Detail and request id of a complete 400 response, which is a problem document.
fn bad_request(answer: &[u8]) -> (String, String) {
    let text = String::from_utf8(answer.to_vec()).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{text}");
    assert!(head.contains("\r\ncontent-type: application/problem+json\r\n"));
    assert!(head.contains("\r\nconnection: close\r\n"), "{head}");
    let problem: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(problem["code"], "invalid_request");
    let text = |name: &str| problem[name].as_str().unwrap().to_owned();
    let id = text("requestId");
    assert!(
        head.contains(&format!("\r\nx-request-id: {id}\r\n")),
        "{head}"
    );
    (text("detail"), id)
}

#[actix_web::test]
async fn what_is_no_request_is_answered_with_a_problem() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    for bytes in [
        "nonsense\r\n\r\n",
        "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        "GET a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHo st: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ] {
        let answer = rest(send(address, bytes.into()).await).await;
        let (detail, _) = bad_request(&answer);
        assert!(detail.contains("not valid HTTP/1.1"), "{bytes:?}: {detail}");
    }
    // After a request of the same connection as well.
    let mut connection = send(address, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".into()).await;
    let asking = spawn_blocking(move || {
        assert_eq!(status(&answer(&mut connection)), "200");
        connection.write_all(b"nonsense\r\n\r\n").unwrap();
        connection
    });
    let connection = asking.await.unwrap();
    bad_request(&rest(connection).await);
    // What the parser accepts is answered as usual.
    for (line, expected) in [
        ("FOO /api/mcp/sites", "401"),
        ("GET /api/mcp/sites/%zz", "401"),
    ] {
        let answer = exchange(address, request(line, "", "")).await;
        assert_eq!(status(&answer), expected, "{line}: {answer}");
    }
    server.stop(false).await;
}

#[actix_web::test]
async fn a_head_that_is_too_long_is_not_read_to_its_end() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    let mut head = request("GET /healthz", "", "");
    head.truncate(head.len() - 2);
    head.extend_from_slice(b"X-Long: ");
    head.resize(48 * 1_024, b'a');
    let connection = send(address, head).await;
    let answer = rest(connection).await;
    let (detail, id) = bad_request(&answer);
    assert!(detail.contains("send fewer headers"), "{detail}");
    assert!(!id.is_empty());
    let mut line = b"GET /".to_vec();
    line.resize(48 * 1_024, b'a');
    let answer = rest(send(address, line).await).await;
    assert!(bad_request(&answer).0.contains("Shorten the URL"));
    let usual = request(
        "GET /healthz",
        "",
        &format!("X-Long: {}\r\n", "a".repeat(8_000)),
    );
    assert_eq!(status(&exchange(address, usual).await), "200");
    server.stop(false).await;
}

#[actix_web::test]
async fn heads_of_requests_that_are_answered_at_once_do_not_add_up() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    for (line, expected) in [("GET /healthz", "200"), ("GET /api/mcp/sites", "401")] {
        let head = format!(
            "{line} HTTP/1.1\r\nHost: a\r\nX-Long: {}\r\n\r\n",
            "a".repeat(8_000)
        );
        let mut connection = send(address, Vec::new()).await;
        let asking = spawn_blocking(move || {
            // 64 KiB of heads together, twice as much as one may have.
            for number in 0..8 {
                connection.write_all(head.as_bytes()).unwrap();
                let answer = answer(&mut connection);
                assert_eq!(status(&answer), expected, "request {number}: {answer}");
            }
        });
        asking.await.unwrap();
    }
    server.stop(false).await;
}

/// Sends requests whose answers are held, and one that is not.
macro_rules! held_and_next {
    ($world:expr, $path:expr, $key:expr) => {{
        let app = test::init_service(api::app(&$world.state())).await;
        let held = app
            .call(call(Method::GET, $key, $path).to_request())
            .await
            .unwrap();
        assert_eq!(held.status(), 200);
        (app, held)
    }};
}

#[actix_web::test]
async fn exports_and_comparisons_count_until_they_are_sent() {
    let world = Fixture {
        rate_limit: Some(rate(100)),
        ..world(CallerLimits {
            exports: Tiers {
                key: 1,
                organization: 1,
                total: 10,
            },
            ..CallerLimits::default()
        })
    };
    let report = world.completed(&world.acme, "https://example.com/").report;
    let csv = format!("/api/mcp/reports/{report}?format=csv");
    let (app, held) = held_and_next!(world, &csv, &world.admin);
    let diff = format!("/api/mcp/reports/{report}/diff?against={report}");
    let get = async |path: &str| {
        let request = call(Method::GET, &world.admin, path).to_request();
        app.call(request).await.unwrap()
    };
    for path in [&csv, &diff] {
        let refused = get(path).await;
        assert_eq!(refused.status(), 429, "{path}");
        assert_eq!(refused.headers().get("Retry-After").unwrap(), "5");
        assert!(refused.headers().contains_key("RateLimit"), "{path}");
    }
    // Reads have other threads, and the link to a PDF costs little.
    for path in [
        format!("/api/mcp/reports/{report}"),
        format!("/api/mcp/reports/{report}?format=pdf_url"),
    ] {
        assert_eq!(get(&path).await.status(), 200, "{path}");
    }
    drop(held);
    assert_eq!(get(&diff).await.status(), 200);
}

#[actix_web::test]
async fn whole_reports_wait_and_are_refused_where_nobody_reads_the_others() {
    let world = Fixture {
        rate_limit: Some(rate(100)),
        ..world(CallerLimits {
            reports: Tiers {
                key: 1,
                organization: 1,
                total: 10,
            },
            ..CallerLimits::default()
        })
    };
    let report = world.completed(&world.acme, "https://example.com/").report;
    let path = format!("/api/mcp/reports/{report}");
    let (app, held) = held_and_next!(world, &path, &world.admin);
    tokio::time::pause();
    let get = async |path: &str| {
        let request = call(Method::GET, &world.admin, path).to_request();
        app.call(request).await.unwrap()
    };
    let refused = get(&path).await;
    assert_eq!(refused.status(), 429);
    assert_eq!(refused.headers().get("Retry-After").unwrap(), "2");
    assert!(refused.headers().contains_key("RateLimit"));
    assert_eq!(get("/api/mcp/sites").await.status(), 200);
    drop(held);
    assert_eq!(get(&path).await.status(), 200);
}

#[actix_web::test]
async fn a_key_that_is_revoked_fails_on_its_next_call_though_it_was_known() {
    let world = Fixture {
        rate_limit: Some(rate(100)),
        ..Fixture::new()
    };
    let client = Client::new(&world.state()).await;
    assert_eq!(
        client.get(&world.reader, "/api/mcp/account").await.status,
        200
    );
    let account = client.get(&world.reader, "/api/mcp/account").await.json();
    let key = domain::id::KeyId::parse(account["key"]["keyId"].as_str().unwrap()).unwrap();
    domain::ports::KeyStore::revoke_key(
        &world.stores,
        &world.acme,
        &key,
        testkit::sample::noon(),
        &domain::audit_log::Actor::CommandLine,
    )
    .unwrap();
    assert_eq!(
        client.get(&world.reader, "/api/mcp/account").await.status,
        401
    );
}
