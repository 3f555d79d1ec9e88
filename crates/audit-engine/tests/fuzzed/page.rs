//! HTML: any octets are decoded and parsed as a page, and every page check runs on it.
//!
//! An input is the value of `Content-Type` on one line, followed by the body.

use audit_engine::checks::catalogue;
use audit_engine::dom::MAX_NODES;
use audit_engine::view::{Page, PageBuilder};

/// Builds a page from the input and runs the checks.
pub(crate) fn check_property(bytes: &[u8]) {
    let end = bytes
        .iter()
        .position(|byte| *byte == b'\n')
        .unwrap_or(bytes.len());
    let (content_type, body) = bytes.split_at(end);
    let builder = Page::builder().header("content-type", &String::from_utf8_lossy(content_type));
    run_checks(builder, body.get(1..).unwrap_or_default());
}

/// Runs every page check on a page, including those that are not applicable to it.
pub(crate) fn run_checks(builder: PageBuilder, body: &[u8]) {
    let page = builder.body(body);
    for check in catalogue() {
        let _ = check.evaluate_page(&page);
    }
    // The tree may exceed the limit by the last chunk.
    assert!(page.dom().len() <= MAX_NODES + 10_000);
}
