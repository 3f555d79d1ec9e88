//! What only a real connection shows.

#![allow(clippy::disallowed_types, reason = "the test is the client")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use actix_web::dev::ServerHandle;
use domain::ports::{JobQueue, QueueRules, WorkerId};
use testkit::sample;

use crate::world::Fixture;

/// Serves an app on a free port.
macro_rules! serve_app {
    ($state:expr, $app:expr) => {{
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let server = httpkit::server::server(listener, &$state.http(), $app, |builder| {
            builder.workers(1).disable_signals()
        })
        .unwrap();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        (address, handle)
    }};
}

/// Serves a world on a free port.
pub(crate) fn serve(world: &Fixture) -> (SocketAddr, ServerHandle) {
    let state = world.state();
    let app = state.clone();
    serve_app!(&state, move || api::app(&app))
}

pub(crate) use serve_app;

/// Whether an answer has as many bytes as its head announces.
fn is_whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    length.is_some_and(|length| body.len() >= length.parse::<usize>().unwrap())
}

/// Sends bytes, and answers what comes back.
pub(crate) async fn exchange(address: SocketAddr, request: Vec<u8>) -> String {
    let answered = actix_web::rt::task::spawn_blocking(move || {
        let mut connection = TcpStream::connect(address).unwrap();
        connection
            .set_read_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        // The server may answer, and close, before it has read all.
        let _ = connection.write_all(&request);
        answer(&mut connection)
    });
    answered.await.unwrap()
}

/// The next answer on a connection, as far as it comes.
pub(crate) fn answer(connection: &mut TcpStream) -> String {
    let (mut answer, mut chunk) = (Vec::new(), [0; 4_096]);
    while !is_whole(&answer) {
        match connection.read(&mut chunk) {
            Ok(0) | Err(_) => break,
            Ok(length) => answer.extend_from_slice(&chunk[..length]),
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

pub(crate) fn request(line: &str, key: &str, more: &str) -> Vec<u8> {
    format!("{line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n{more}\r\n")
        .into_bytes()
}

#[actix_web::test]
async fn head_announces_the_length_of_get_and_sends_nothing() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    let get = exchange(address, request("GET /api/mcp/sites", &world.admin, "")).await;
    let head = exchange(address, request("HEAD /api/mcp/sites", &world.admin, "")).await;
    let (get_head, get_body) = get.split_once("\r\n\r\n").unwrap();
    let (head_head, head_body) = head.split_once("\r\n\r\n").unwrap();
    assert!(get_head.starts_with("HTTP/1.1 200"), "{get_head}");
    assert!(head_head.starts_with("HTTP/1.1 200"), "{head_head}");
    assert_eq!(head_body, "");
    let length = format!("content-length: {}\r\n", get_body.len());
    assert!(
        format!("{head_head}\r\n").to_lowercase().contains(&length),
        "{head_head}"
    );
    server.stop(false).await;
}

#[actix_web::test]
async fn a_chunked_body_without_an_end_is_too_large() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    let more = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
    let mut bytes = request("POST /api/mcp/start-audit", &world.admin, more);
    for _ in 0..17 {
        bytes.extend_from_slice(b"4000\r\n");
        bytes.extend_from_slice(&[b' '; 0x4000]);
        bytes.extend_from_slice(b"\r\n");
    }
    let answer = exchange(address, bytes).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    assert!(answer.contains("payload_too_large"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn a_body_that_is_announced_too_large_is_not_awaited() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    let more = "Content-Type: application/json\r\nContent-Length: 999999999\r\n";
    let answer = exchange(
        address,
        request("POST /api/mcp/start-audit", &world.admin, more),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn a_caller_without_a_key_is_not_listened_to() {
    let world = Fixture::new();
    let (address, server) = serve(&world);
    let more = "Content-Type: application/json\r\nContent-Length: 1000\r\n";
    let answer = exchange(
        address,
        request("POST /api/mcp/start-audit", "nothing", more),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    server.stop(false).await;
}

/// The value of a header in the head of an answer.
pub(crate) fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split("\r\n\r\n").next().unwrap();
    head.lines().find_map(|line| {
        let (known, value) = line.split_once(": ")?;
        known.eq_ignore_ascii_case(name).then_some(value)
    })
}

#[actix_web::test]
async fn a_brief_is_asked_for_without_a_body() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let (address, server) = serve(&world);
    let line = format!("POST /api/mcp/actions/{}/brief", item.id);
    for more in [
        "",
        "Content-Length: 0\r\n",
        "Content-Type: text/plain\r\nContent-Length: 0\r\n",
    ] {
        let answer = exchange(address, request(&line, &world.member, more)).await;
        assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    }
    let mut empty_chunk = request(&line, &world.member, "Transfer-Encoding: chunked\r\n");
    empty_chunk.extend_from_slice(b"0\r\n\r\n");
    let answer = exchange(address, empty_chunk).await;
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn documents_come_with_their_lengths() {
    let world = Fixture::new();
    let report = world.completed(&world.acme, "https://example.com/").report;
    let link = crate::dl::link(&world, &report).await;
    let (address, server) = serve(&world);
    let ask = async |method: &str, more: &str| {
        let accept = format!("Accept-Encoding: gzip, br\r\n{more}");
        exchange(address, request(&format!("{method} {link}"), "", &accept)).await
    };
    let whole = ask("GET", "").await;
    assert!(whole.starts_with("HTTP/1.1 200"), "{whole}");
    assert_eq!(header(&whole, "Content-Length"), Some("42"));
    assert_eq!(header(&whole, "Content-Encoding"), None);
    assert!(whole.ends_with(" 77"), "{whole}");
    let head = ask("HEAD", "Range: bytes=0-1\r\n").await;
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    assert_eq!(header(&head, "Content-Length"), Some("42"));
    assert!(head.ends_with("\r\n\r\n"), "{head}");
    let part = ask("GET", "Range: bytes=0-3\r\n").await;
    assert!(part.starts_with("HTTP/1.1 206"), "{part}");
    assert_eq!(header(&part, "Content-Length"), Some("4"));
    assert!(part.ends_with("\r\n\r\n%PDF"), "{part}");
    let etag = header(&whole, "ETag").unwrap();
    let known = ask("GET", &format!("If-None-Match: {etag}\r\n")).await;
    assert!(known.starts_with("HTTP/1.1 304"), "{known}");
    assert!(known.ends_with("\r\n\r\n"), "{known}");
    server.stop(false).await;
}

#[actix_web::test]
async fn a_caller_beyond_its_rate_is_not_listened_to() {
    let once = std::num::NonZeroU32::MIN;
    let world = Fixture {
        rate_limit: Some(httpkit::limits::RateLimit {
            per_minute: once,
            burst: once,
        }),
        ..Fixture::new()
    };
    let (address, server) = serve(&world);
    let first = exchange(address, request("GET /api/mcp/sites", &world.admin, "")).await;
    assert!(first.starts_with("HTTP/1.1 200"), "{first}");
    let more = "Content-Type: application/json\r\nContent-Length: 1000\r\n";
    let answer = exchange(
        address,
        request("POST /api/mcp/start-audit", &world.admin, more),
    )
    .await;
    assert!(answer.starts_with("HTTP/1.1 429"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn a_change_without_an_end_is_too_large() {
    let world = Fixture::new();
    let item = world.own_action(&world.acme, "Do it");
    let (address, server) = serve(&world);
    let line = format!("PATCH /api/mcp/actions/{}", item.id);
    let more = "Content-Type: application/json\r\nContent-Length: 999999999\r\n";
    let answer = exchange(address, request(&line, &world.member, more)).await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn nothing_comes_without_a_length_and_a_type() {
    let world = Fixture::new();
    let (_, site) = world.queued(&world.acme, "https://example.com/");
    let (address, server) = serve(&world);
    let line = format!("DELETE /api/mcp/sites/{site}");
    let answer = exchange(address, request(&line, &world.admin, "")).await;
    assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    assert_eq!(header(&answer, "Content-Length"), None);
    assert_eq!(header(&answer, "Content-Type"), None);
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    server.stop(false).await;
}

#[actix_web::test]
async fn a_run_is_watched_while_it_changes_and_a_server_that_stops_waits_for_no_watcher() {
    let world = Fixture::new();
    let (run, _) = world.queued(&world.acme, "https://example.com/");
    let (address, server) = serve(&world);
    let line = format!("GET /api/mcp/runs/{run}/events");
    let request = request(&line, &world.admin, "Accept-Encoding: br, gzip\r\n");
    let (arrive, mut arrived) = tokio::sync::mpsc::unbounded_channel();
    let watcher = actix_web::rt::task::spawn_blocking(move || {
        let mut connection = TcpStream::connect(address).unwrap();
        connection
            .set_read_timeout(Some(Duration::from_secs(10)))
            .unwrap();
        connection.write_all(&request).unwrap();
        let (mut chunk, mut seen) = ([0; 4_096], String::new());
        loop {
            match connection.read(&mut chunk).unwrap() {
                0 => return seen,
                length => {
                    seen.push_str(&String::from_utf8_lossy(&chunk[..length]));
                    // Nobody listens any more once both events are there.
                    let _ = arrive.send(seen.matches("event: ").count());
                }
            }
        }
    });
    let until = async |arrived: &mut tokio::sync::mpsc::UnboundedReceiver<usize>, events| {
        while arrived.recv().await.unwrap() < events {}
    };
    until(&mut arrived, 1).await;
    let worker = WorkerId("worker".to_owned());
    let claimed = world
        .stores
        .claim(&worker, &QueueRules::DEFAULT, sample::noon());
    assert!(claimed.unwrap().is_some());
    until(&mut arrived, 2).await;
    world.rate_limits.stop();
    server.stop(true).await;
    let seen = watcher.await.unwrap();
    assert!(seen.starts_with("HTTP/1.1 200"), "{seen}");
    assert!(!seen.contains("content-encoding"), "{seen}");
    assert!(seen.contains("\"status\":\"running\""), "{seen}");
    assert!(seen.ends_with("0\r\n\r\n"), "it ends properly: {seen}");
}
