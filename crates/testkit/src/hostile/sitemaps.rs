//! Sitemaps that are large, nested, or bombs.

use super::codings::gzip_bomb;
use super::{Behaviour, PAUSE, number, origin};
use crate::{TestRequest, TestResponse};

const DECLARATION: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const URLSET: &str = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
const INDEX: &str = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
/// Files of a large sitemap index.
const FILES: u64 = 10_000;

pub(super) fn answer(
    behaviour: Behaviour,
    below: &str,
    request: &TestRequest,
) -> Option<TestResponse> {
    let base = format!("{}{}", origin(request), behaviour.path());
    Some(match behaviour {
        Behaviour::SitemapBomb => {
            TestResponse::new(200, gzip_bomb()).header("Content-Type", "application/gzip")
        }
        Behaviour::SitemapEntities => xml(&entities(&base)),
        Behaviour::SitemapExternalEntity => xml(&format!(
            "{DECLARATION}<!DOCTYPE urlset [<!ENTITY file SYSTEM \"file:///etc/passwd\">]>\n{URLSET}<url><loc>{base}/&file;</loc></url>\n</urlset>\n"
        )),
        Behaviour::SitemapNested => index([format!("{base}/{}", number(below).wrapping_add(1))]),
        Behaviour::SitemapCircle => index([base]),
        Behaviour::SitemapManyFiles => match below {
            "" => index((1..=FILES).map(|file| format!("{base}/{file}"))),
            _ => xml(&format!(
                "{DECLARATION}{URLSET}<url><loc>{base}/page/{}</loc></url>\n</urlset>\n",
                number(below)
            )),
        },
        Behaviour::SitemapLarge => {
            // Without a root element an XML parser could stop immediately, so each piece includes the beginning,
            // and the next piece is nested in it.
            let piece = format!(
                "{URLSET}{}",
                format!("<url><loc>{base}/page</loc></url>\n").repeat(1_000)
            );
            let times = 100_000_000_usize.div_ceil(piece.len());
            TestResponse::repeated(piece, times).header("Content-Type", "application/xml")
        }
        Behaviour::SitemapSlow => TestResponse::drip(
            format!("{DECLARATION}{URLSET}{}", " ".repeat(1_000_000)),
            PAUSE,
        ),
        _ => return None,
    })
}

fn xml(body: &str) -> TestResponse {
    TestResponse::new(200, body.to_owned()).header("Content-Type", "application/xml")
}

fn index(files: impl IntoIterator<Item = String>) -> TestResponse {
    let files: String = files
        .into_iter()
        .map(|file| format!("<sitemap><loc>{file}</loc></sitemap>\n"))
        .collect();
    xml(&format!("{DECLARATION}{INDEX}{files}</sitemapindex>\n"))
}

/// Ten entities, each ten times as long as the previous one.
fn entities(base: &str) -> String {
    let mut out = format!("{DECLARATION}<!DOCTYPE urlset [\n<!ENTITY e0 \"laugh\">\n");
    for level in 1..=10 {
        let inner = format!("&e{};", level - 1).repeat(10);
        out.push_str(&format!("<!ENTITY e{level} \"{inner}\">\n"));
    }
    out.push_str(&format!(
        "]>\n{URLSET}<url><loc>{base}/&e10;</loc></url>\n<url><loc>{base}/page</loc></url>\n</urlset>\n"
    ));
    out
}
