//! Responses that are invalid HTTP, or endless.

use std::time::Duration;

use super::{Behaviour, PAUSE};
use crate::TestResponse;

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n";
const PAGE: &str =
    "<!doctype html><html lang=\"en\"><title>A page</title><h1>A page</h1><p>Text.</p></html>";
/// Bytes of slow responses: more than a day of them.
const SLOW_BYTES: usize = 5_000_000;

pub(super) fn answer(behaviour: Behaviour) -> Option<TestResponse> {
    Some(match behaviour {
        Behaviour::SlowHead => {
            TestResponse::raw_drip(format!("{HEAD}X-Filler: {}", "x".repeat(SLOW_BYTES)), PAUSE)
        }
        Behaviour::SlowBody => TestResponse::drip(padded(SLOW_BYTES), PAUSE),
        Behaviour::NoAnswer => TestResponse::hang(),
        Behaviour::Closed => TestResponse::close(),
        Behaviour::Reset => TestResponse::reset(""),
        Behaviour::ResetInBody => {
            TestResponse::reset(format!("{HEAD}Content-Length: 100000\r\n\r\n{PAGE}"))
        }
        Behaviour::Garbage => TestResponse::raw(&b"\x16\x03\x01\0\xff\xfe not HTTP\r\n\r\n"[..]),
        Behaviour::Http09 => TestResponse::raw(PAGE),
        Behaviour::EndlessHeaders => TestResponse::raw_endless(
            HEAD,
            "X-Filler: again and again\r\n".repeat(1_000),
            Duration::ZERO,
        ),
        Behaviour::ManyHeaders => TestResponse::html(PAGE).big_headers(5_000, 10),
        Behaviour::LargeHeader => TestResponse::html(PAGE).big_headers(1, 1 << 20),
        Behaviour::CookieFlood => (0..2_000).fold(TestResponse::html(PAGE), |answer, number| {
            answer.header("Set-Cookie", &format!("c{number}={}", "x".repeat(90)))
        }),
        Behaviour::InformationalFlood => TestResponse::raw_endless(
            "",
            "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(10),
            Duration::from_millis(1),
        ),
        Behaviour::EndlessBody => TestResponse::endless(format!("{PAGE}\n").repeat(1_000)),
        Behaviour::EndlessChunks => TestResponse::raw_endless(
            format!("{HEAD}Transfer-Encoding: chunked\r\n\r\n"),
            format!("{:x}\r\n{PAGE}\r\n", PAGE.len()).repeat(1_000),
            Duration::ZERO,
        ),
        Behaviour::BrokenChunks => TestResponse::raw(format!(
            "{HEAD}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{PAGE}\r\nnonsense\r\n",
            PAGE.len()
        )),
        Behaviour::LengthTooLong => TestResponse::cut_after(padded(10_000), 1_000),
        Behaviour::LengthTooShort => {
            TestResponse::raw(format!("{HEAD}Content-Length: 60\r\n\r\n{PAGE}"))
        }
        Behaviour::TwoLengths => TestResponse::raw(format!(
            "{HEAD}Content-Length: 60\r\nContent-Length: 70\r\n\r\n{PAGE}"
        )),
        Behaviour::Status999 => TestResponse::status(999),
        _ => return None,
    })
}

/// The page with this number of additional bytes.
fn padded(bytes: usize) -> String {
    format!("{PAGE}{}", " ".repeat(bytes))
}
