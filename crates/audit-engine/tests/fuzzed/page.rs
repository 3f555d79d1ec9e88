//! HTML: whatever octets a server sends as a page, they are decoded, parsed, and judged by every page check.
//!
//! An input is the value of `Content-Type` on a line, and the body.

use audit_engine::checks::catalogue;
use audit_engine::dom::MAX_NODES;
use audit_engine::view::{Page, PageBuilder};

/// Makes a page of an input and judges it.
pub(crate) fn hold(bytes: &[u8]) {
    let end = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(bytes.len());
    let (content_type, body) = bytes.split_at(end);
    let builder = Page::builder().header("content-type", &String::from_utf8_lossy(content_type));
    judge(builder, body.get(1..).unwrap_or_default());
}

/// Judges a page by every page check, those too that would not apply to it.
pub(crate) fn judge(builder: PageBuilder, body: &[u8]) {
    let page = builder.body(body);
    for check in catalogue() {
        let _ = check.evaluate_page(&page);
    }
    // What stands on the end of the last chunk that was let in.
    assert!(page.dom().len() <= MAX_NODES + 10_000);
}
