//! HTTP/2 peers that violate the protocol: each request ends within its limits, with the right kind of
//! error or with a body marked as truncated.

#![allow(clippy::unwrap_used, reason = "a test panics on unexpected results")]

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use audit_engine::egress::{EgressOptions, GuardedFetcher};
use audit_engine::gather::{FetchError, FetchErrorKind, Fetcher, HttpVersion, Request, Response};
use rstest::rstest;
use testkit::h2::{
    END_HEADERS, END_STREAM, FrameType as Type, STATUS_103, STATUS_200, field, frame, greet,
};
use testkit::{Peer, TestAuthority, TlsStream};
use url::Url;

const NAME: &str = "site.example";
const LIMIT: u64 = 10_000;
/// From the request to the headers, and for the whole response.
const HEADERS: Duration = Duration::from_millis(800);
const TOTAL: Duration = Duration::from_millis(1_200);

type Behaviour = fn(&mut TlsStream, u32) -> io::Result<()>;

async fn fetch(behaviour: Behaviour) -> Result<Response, FetchError> {
    let authority = TestAuthority::new().unwrap();
    let certificate = authority.issue(NAME, 2020..2099).unwrap();
    let peer = Peer::start_tls(certificate.config(&["h2"]).unwrap(), move |tls| {
        let stream = greet(tls)?;
        behaviour(tls, stream)
    })
    .unwrap();
    let port = peer.address().port();
    let allow = [format!("{NAME}:{port}").parse().unwrap()];
    let mut options = EgressOptions::new(allow.into_iter().collect(), "Assay/1".to_owned());
    options.header_timeout = HEADERS;
    options.total_timeout = TOTAL;
    options.extra_ca_pem = vec![authority.pem()];
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    options.resolve.insert(NAME.to_owned(), vec![here]);
    let client = GuardedFetcher::new(options).unwrap();
    let url = Url::parse(&format!("https://{NAME}:{port}/")).unwrap();
    let started = Instant::now();
    let answer = client.fetch(Request::get(url, LIMIT)).await;
    assert!(started.elapsed() < 3 * TOTAL, "{:?}", started.elapsed());
    answer
}

/// Writes the same bytes repeatedly until the client closes the connection.
fn write_forever(tls: &mut TlsStream, bytes: &[u8]) -> io::Result<()> {
    let many = bytes.repeat(4096 / bytes.len().max(1) + 1);
    loop {
        tls.write_all(&many)?;
    }
}

fn head(tls: &mut TlsStream, stream: u32, flags: u8, fields: &[u8]) -> io::Result<()> {
    let payload = [STATUS_200, fields].concat();
    tls.write_all(&frame(Type::Headers, flags, stream, &payload))
}

fn settings_flood(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    write_forever(tls, &frame(Type::Settings, 0, 0, &[]))
}

fn ping_flood(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    write_forever(tls, &frame(Type::Ping, 0, 0, &[0; 8]))
}

fn priority_flood(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    write_forever(tls, &frame(Type::Priority, 0, stream, &[0; 5]))
}

fn window_flood(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    write_forever(
        tls,
        &frame(Type::WindowUpdate, 0, 0, &[0x7f, 0xff, 0xff, 0xff]),
    )
}

fn reset_flood(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    write_forever(tls, &frame(Type::Reset, 0, stream, &[0, 0, 0, 8]))
}

fn reset_of_unknown_streams(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    for number in (101..).step_by(2) {
        tls.write_all(&frame(Type::Reset, 0, number, &[0, 0, 0, 8]))?;
    }
    Ok(())
}

fn endless_continuation(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, 0, &[])?;
    write_forever(tls, &frame(Type::Continuation, 0, stream, &field("x", "y")))
}

fn empty_continuations(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, 0, &[])?;
    write_forever(tls, &frame(Type::Continuation, 0, stream, &[]))
}

fn giant_head(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, 0, &[])?;
    let fields = field("x-filler", &"y".repeat(240)).repeat(60);
    for _ in 0..100 {
        tls.write_all(&frame(Type::Continuation, 0, stream, &fields))?;
    }
    tls.write_all(&frame(Type::Continuation, END_HEADERS, stream, &[]))?;
    write_forever(tls, &frame(Type::Data, 0, stream, b"x"))
}

/// A field of 4,000 bytes is stored in the dynamic table and then referenced with one byte each time.
fn head_of_references(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    let mut kept = vec![0x40, 1, b'x', 127, 0xa1, 0x1e];
    kept.extend([b'y'; 4_000]);
    head(tls, stream, 0, &kept)?;
    let references = vec![0xbe; 16_000];
    for _ in 0..20 {
        tls.write_all(&frame(Type::Continuation, 0, stream, &references))?;
    }
    tls.write_all(&frame(Type::Continuation, END_HEADERS, stream, &[]))?;
    write_forever(tls, &frame(Type::Data, 0, stream, b"x"))
}

fn early_hints_without_end(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    write_forever(tls, &frame(Type::Headers, END_HEADERS, stream, STATUS_103))
}

fn pushes(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    let payload = [&[0, 0, 0, 2], &[0x82, 0x86, 0x84][..]].concat();
    write_forever(tls, &frame(Type::Push, END_HEADERS, stream, &payload))
}

fn goodbye(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    tls.write_all(&frame(Type::GoAway, 0, 0, &[0; 8]))
}

fn noise(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    write_forever(tls, &[0xff])
}

fn a_frame_that_is_too_long(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    tls.write_all(&frame(
        Type::Headers,
        END_HEADERS,
        stream,
        &vec![0x88; 1 << 20],
    ))
}

fn http_1(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    tls.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
}

fn silence(tls: &mut TlsStream, _: u32) -> io::Result<()> {
    io::copy(tls, &mut io::sink()).map(drop)
}

#[rstest]
#[case::settings_flood(settings_flood)]
#[case::ping_flood(ping_flood)]
#[case::priority_flood(priority_flood)]
#[case::window_flood(window_flood)]
#[case::reset_flood(reset_flood)]
#[case::reset_of_unknown_streams(reset_of_unknown_streams)]
#[case::endless_continuation(endless_continuation)]
#[case::empty_continuations(empty_continuations)]
#[case::giant_head(giant_head)]
#[case::head_of_references(head_of_references)]
#[case::early_hints_without_end(early_hints_without_end)]
#[case::pushes(pushes)]
#[case::goodbye(goodbye)]
#[case::noise(noise)]
#[case::a_frame_that_is_too_long(a_frame_that_is_too_long)]
#[case::http_1(http_1)]
#[case::silence(silence)]
#[tokio::test]
async fn a_peer_without_a_response_is_an_error_within_the_limits(#[case] behaviour: Behaviour) {
    let error = fetch(behaviour).await.unwrap_err();
    assert!(
        matches!(
            error.kind,
            FetchErrorKind::Protocol | FetchErrorKind::Timeout
        ),
        "{error:?}"
    );
}

fn endless_body(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &[])?;
    write_forever(tls, &frame(Type::Data, 0, stream, &[b'x'; 100]))
}

fn empty_pieces(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &[])?;
    tls.write_all(&frame(Type::Data, 0, stream, b"x"))?;
    write_forever(tls, &frame(Type::Data, 0, stream, &[]))
}

fn padding_alone(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &[])?;
    tls.write_all(&frame(Type::Data, 0, stream, b"x"))?;
    let mut padded = vec![200];
    padded.extend([0; 200]);
    write_forever(tls, &frame(Type::Data, 8, stream, &padded))
}

fn body_that_stops(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &[])?;
    tls.write_all(&frame(Type::Data, 0, stream, b"x"))?;
    silence(tls, stream)
}

fn body_that_is_reset(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &[])?;
    tls.write_all(&frame(Type::Data, 0, stream, b"x"))?;
    tls.write_all(&frame(Type::Reset, 0, stream, &[0, 0, 0, 2]))?;
    silence(tls, stream)
}

fn body_shorter_than_declared(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(tls, stream, END_HEADERS, &field("content-length", "100"))?;
    tls.write_all(&frame(Type::Data, END_STREAM, stream, b"x"))?;
    silence(tls, stream)
}

#[rstest]
#[case::endless_body(endless_body)]
#[case::empty_pieces(empty_pieces)]
#[case::padding_alone(padding_alone)]
#[case::body_that_stops(body_that_stops)]
#[case::body_that_is_reset(body_that_is_reset)]
#[case::body_shorter_than_declared(body_shorter_than_declared)]
#[tokio::test]
async fn an_incomplete_body_is_truncated(#[case] behaviour: Behaviour) {
    let answer = fetch(behaviour).await.unwrap();
    assert_eq!(answer.version, HttpVersion::Http2);
    assert!(answer.truncated);
    assert!(answer.wire_bytes <= LIMIT, "{}", answer.wire_bytes);
}

fn well_behaved(tls: &mut TlsStream, stream: u32) -> io::Result<()> {
    head(
        tls,
        stream,
        END_HEADERS,
        &field("content-type", "text/html"),
    )?;
    tls.write_all(&frame(Type::Data, END_STREAM, stream, b"hello"))?;
    silence(tls, stream)
}

/// Counterpart of the tests above: the same peer works if it follows the protocol.
#[tokio::test]
async fn a_conforming_peer_is_understood() {
    let answer = fetch(well_behaved).await.unwrap();
    assert_eq!((answer.status, answer.version), (200, HttpVersion::Http2));
    assert_eq!(&answer.body[..], b"hello");
    assert!(!answer.truncated);
}
