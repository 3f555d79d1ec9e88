//! The document is small enough for Googlebot.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The HTML document, uncompressed, has no more than 2 MB (2,097,152 bytes).
    ///
    /// ## Why it matters
    /// Googlebot fetches the first 2 MB of a document and ignores the rest: its text and its
    /// links are not found.
    ///
    /// ## How to fix it
    /// Move inline images, style sheets, scripts and data into files of their own, and split very
    /// long pages into several.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>All ferries since 1911</title>
    /// %repeat 50000 <p>A ferry left the island and came back in the evening.</p>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Google has changed this limit before; 2 MB is what its documentation says since February
    /// 2026. What a script adds later is not counted. The first example stands for a document of
    /// that size.
    ///
    /// ## References
    /// - Google Search Central, Googlebot
    HTML_OVER_GOOGLEBOT_LIMIT {
        id: "html-over-googlebot-limit",
        title: "The document is larger than Googlebot reads",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Indexable],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MAX_BYTES: u64 = 2 * 1024 * 1024;

fn evaluate(page: &Page) -> Outcome {
    let bytes = page.document().bytes;
    Outcome::of(bytes <= MAX_BYTES, || {
        Evidence::here().message(format!(
            "The document has {} bytes; Googlebot reads the first {}.",
            grouped(bytes),
            grouped(MAX_BYTES)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_passes, judge};

    #[test]
    fn two_megabytes_pass_and_one_byte_more_does_not() {
        let html = "x".repeat(2 * 1024 * 1024);
        assert_passes(&HTML_OVER_GOOGLEBOT_LIMIT, &html);
        let page = Page::builder().html(&format!("{html}x"));
        assert!(matches!(
            judge(&HTML_OVER_GOOGLEBOT_LIMIT, &page),
            Outcome::Failed(_)
        ));
    }
}
