//! A sitemap that is a plain list (sitemaps.org, "Text file").

use super::loc::{self, Bounded};
use super::{Document, Sitemap, SitemapKind, SitemapProblemKind};
use crate::gather::lines;

/// Reads one URL per line into `sitemap`. The first line that is not empty must be a URL. Otherwise the
/// document is not a sitemap, but for example JSON.
pub(super) fn read(document: &Document<'_>, sitemap: &mut Sitemap) -> SitemapKind {
    let mut is_list = false;
    for (number, line) in lines::numbered(document.text.as_bytes()) {
        let line = std::str::from_utf8(line).unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if !is_list && !starts_with_http(line) {
            return SitemapKind::Invalid {
                reason: "it is neither XML nor a list of URLs".to_owned(),
                line: Some(number),
            };
        }
        is_list = true;
        read_line(number, line, document, sitemap);
        if sitemap.too_many {
            break;
        }
    }
    SitemapKind::Text
}

fn read_line(number: usize, line: &str, document: &Document<'_>, sitemap: &mut Sitemap) {
    let mut bounded = Bounded::default();
    bounded.push(line);
    let (url, problem) = if bounded.is_full() {
        (None, Some(SitemapProblemKind::LocTooLong))
    } else {
        loc::read(line, document.base)
    };
    if let Some(kind) = problem {
        sitemap.problem(kind, number);
    }
    sitemap.entry(bounded.trimmed(), None, number, url.is_some());
}

fn starts_with_http(line: &str) -> bool {
    ["http://", "https://"].into_iter().any(|scheme| {
        line.as_bytes()
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme.as_bytes()))
    })
}
