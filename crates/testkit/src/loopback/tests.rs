use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use audit_engine::gather::Recording;

use super::{LoopbackServer, TestResponse};

/// Sends bytes on a new connection and reads until the server closes it.
fn exchange(server: &LoopbackServer, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A reset is an expected end as well.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends a GET for `/` and nothing after it.
fn get(server: &LoopbackServer) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn serving(response: TestResponse) -> LoopbackServer {
    LoopbackServer::start(move |_| response.clone()).unwrap()
}

#[test]
fn the_handler_responds_and_requests_are_logged() {
    let server = LoopbackServer::start(|request| match request.path() {
        "/" => TestResponse::html("hello").header("X-A", "1"),
        _ => TestResponse::not_found(),
    })
    .unwrap();
    let answers = exchange(
        &server,
        "GET /?a=b HTTP/1.1\r\nUser-Agent: t\r\n\r\nPOST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\nhiHEAD / HTTP/1.1\r\n\r\n\r\n",
    );
    assert!(answers.starts_with("HTTP/1.1 200 "), "{answers}");
    assert!(answers.contains("X-A: 1\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 404 "));
    assert!(answers.ends_with("Content-Length: 5\r\n\r\n"), "{answers}");
    assert_eq!(server.log(), ["GET /?a=b", "POST /x", "HEAD /"]);
    assert_eq!(
        (server.hits("/"), server.hits("/x"), server.hits("/y")),
        (2, 1, 0)
    );
    let requests = server.requests();
    assert_eq!(requests[0].header("user-agent"), Some("t"));
    assert_eq!(requests[0].query(), Some("a=b"));
    assert_eq!(requests[1].body, b"hi");
    assert_eq!(
        (server.connections(), server.most_connections_at_once()),
        (1, 1)
    );
}

#[test]
fn a_chunked_answer_has_its_chunks() {
    let answer = get(&serving(TestResponse::chunked(["ab", "", "cde"])));
    assert!(
        answer.ends_with("Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"),
        "{answer}"
    );
}

#[test]
fn a_cut_response_declares_more_than_it_sends() {
    let answer = get(&serving(TestResponse::cut_after("abcdef", 2)));
    assert!(answer.ends_with("Content-Length: 6\r\n\r\nab"), "{answer}");
}

#[test]
fn raw_bytes_and_a_closed_connection_are_sent_as_they_are() {
    assert_eq!(
        get(&serving(TestResponse::raw("\u{1}garbage"))),
        "\u{1}garbage"
    );
    assert_eq!(get(&serving(TestResponse::close())), "");
}

#[test]
fn big_headers_and_redirects_are_sent() {
    let answer = get(&serving(
        TestResponse::redirect(302, "/").big_headers(3, 10),
    ));
    assert!(
        answer.starts_with("HTTP/1.1 302 Test\r\nLocation: /\r\n"),
        "{answer}"
    );
    assert!(answer.contains("X-Filler-2: xxxxxxxxxx\r\n"), "{answer}");
}

#[test]
fn a_bomb_is_small_on_the_wire() {
    let answer = get(&serving(TestResponse::gzip_bomb(1 << 20)));
    assert!(answer.contains("Content-Encoding: gzip\r\n"), "{answer}");
    assert!(answer.len() < 8_000, "{}", answer.len());
}

#[test]
fn dropping_the_server_closes_open_connections() {
    for response in [
        TestResponse::hang(),
        TestResponse::endless("x"),
        TestResponse::raw_endless("", "HTTP/1.1 103 Early Hints\r\n\r\n", Duration::ZERO),
        TestResponse::repeated("x".repeat(1 << 20), 1 << 20),
        TestResponse::drip("abc", Duration::from_secs(600)),
        TestResponse::raw_drip("abc", Duration::from_secs(600)),
        TestResponse::html("late").after(Duration::from_secs(600)),
    ] {
        let server = serving(response);
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let started = Instant::now();
        while server.hits("/") == 0 {
            assert!(started.elapsed() < Duration::from_secs(30));
            std::thread::yield_now();
        }
        drop(server);
        let _ = stream.read_to_end(&mut Vec::new());
        assert!(started.elapsed() < Duration::from_secs(30));
    }
}

#[test]
fn a_recording_is_served_by_its_paths() {
    let recording = Recording::parse("=== /a\nHTTP/1.1 410 Gone\nX-B: 2\n\ngone\n").unwrap();
    let server = LoopbackServer::replay(recording).unwrap();
    let answers = exchange(
        &server,
        "GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n\r\n",
    );
    assert!(
        answers.starts_with("HTTP/1.1 410 Test\r\nx-b: 2\r\n"),
        "{answers}"
    );
    assert!(answers.contains("\r\n\r\ngoneHTTP/1.1 404 "), "{answers}");
}

#[test]
fn a_reset_is_no_orderly_end() {
    for beginning in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
        let server = serving(TestResponse::reset(beginning));
        let mut stream = TcpStream::connect(server.address()).unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
        let error = stream.read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    }
}

#[test]
fn a_repeated_response_has_a_length_and_an_endless_one_has_none() {
    let answer = get(&serving(TestResponse::repeated("abc", 3)));
    assert!(
        answer.ends_with("Content-Length: 9\r\n\r\nabcabcabc"),
        "{answer}"
    );
    let server = serving(TestResponse::raw_endless(
        "HTTP/1.1 200 OK\r\n",
        "X-A: 1\r\n",
        Duration::ZERO,
    ));
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let mut much = vec![0; 1 << 20];
    stream.read_exact(&mut much).unwrap();
    assert!(much.starts_with(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 1\r\n"));
}
