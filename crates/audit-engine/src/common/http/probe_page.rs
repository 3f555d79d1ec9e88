//! Responses to probe requests, parsed as pages.

use crate::site::ProbeAnswer;
use crate::view::Page;

/// Parses the page in a response; `None` if the response is not HTML.
pub(crate) fn probe_page(answer: &ProbeAnswer) -> Option<Page> {
    let is_html = answer
        .headers
        .get("content-type")
        .is_none_or(|kind| kind.to_ascii_lowercase().contains("html"));
    if !is_html || answer.url.host_str().is_none() {
        return None;
    }
    let mut page = Page::builder().url(answer.url.as_str());
    for (name, value) in answer.headers.iter() {
        if matches!(name, "content-type" | "link" | "x-robots-tag") {
            page = page.header(name, value);
        }
    }
    Some(page.body(&answer.body))
}
