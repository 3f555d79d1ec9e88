//! Documents that are hard to parse, to store, or to traverse.

use std::fmt::Write;

use bytes::Bytes;

use super::Behaviour;
use crate::TestResponse;

const BEGINNING: &str =
    "<!doctype html><html lang=\"en\"><head><title>A hostile page</title></head><body>";

pub(super) fn answer(behaviour: Behaviour) -> Option<TestResponse> {
    if let Some(body) = body(behaviour) {
        return Some(TestResponse::html(body));
    }
    Some(match behaviour {
        Behaviour::BrokenCharset => TestResponse::new(
            200,
            [
                BEGINNING.as_bytes(),
                b"<p>\xff\xfe\xc0\x80\xed\xa0\x80\xf5</p>",
            ]
            .concat(),
        )
        .header("Content-Type", "text/html; charset=no-such-charset"),
        Behaviour::HtmlAsImage => TestResponse::new(200, format!("{BEGINNING}<p>Text.</p>"))
            .header("Content-Type", "image/png"),
        Behaviour::ImageAsHtml => TestResponse::html(
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".as_slice(), &[0xb7; 50_000]].concat(),
        ),
        _ => return None,
    })
}

/// The document of a behavior that consists only of a document, for tests that need no server.
#[must_use]
pub(super) fn body(behaviour: Behaviour) -> Option<Bytes> {
    let mut html = String::from(BEGINNING);
    match behaviour {
        Behaviour::DeepTree => html.push_str(&"<div>".repeat(100_000)),
        Behaviour::Misnested => {
            for number in 0..100_000 {
                let _ = write!(html, "<b id=i{number}><p>x");
            }
        }
        Behaviour::ManyAttributes => {
            html.push_str("<p");
            for number in 0..1_000_000 {
                let _ = write!(html, " a{number}");
            }
            html.push_str(">Text.</p>");
        }
        Behaviour::HugeTag => {
            html.push_str("<p title=\"");
            html.push_str(&"x".repeat(9_000_000));
            html.push_str("\">Text.</p>");
        }
        Behaviour::ManyLinks => {
            for number in 0..1_000_000 {
                let _ = write!(html, "<a href=/l/{number}>");
            }
        }
        Behaviour::NulBytes => html.push_str(&"<p\0>\0<a hr\0ef=\"\0\">te\0xt</a>".repeat(10_000)),
        _ => return None,
    }
    Some(html.into())
}
