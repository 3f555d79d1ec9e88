//! The HTML document is within the size limit of Googlebot.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The uncompressed HTML document has at most 2 MB (2,097,152 bytes).
    ///
    /// ## Why it matters
    /// Googlebot fetches the first 2 MB of a document and ignores the rest, including its text and
    /// links.
    ///
    /// ## How to fix it
    /// Shorten the HTML: move inline images, style sheets, scripts and data into separate files, and split very long
    /// pages into several.
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
    /// Google has changed this limit before; its documentation has stated 2 MB since February 2026. The check
    /// does not count content that scripts add later. The first example represents a document of that size.
    /// In rendered mode, too, the check judges the size of the response, to which Google's limit applies.
    ///
    /// ## Also known as
    /// - Common name: Googlebot file size limit
    ///
    /// ## References
    /// - Google Search Central, Googlebot
    HTML_OVER_GOOGLEBOT_LIMIT {
        id: "html-over-googlebot-limit",
        title: "HTML exceeds the Googlebot limit of 2 MB",
        dimension: Seo,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Indexable, AsServed],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

const MAX_BYTES: u64 = 2 * 1024 * 1024;

fn evaluate(page: &Page) -> Outcome {
    let bytes = page.document().bytes;
    Outcome::pass_if(bytes <= MAX_BYTES, || {
        Evidence::here().message(format!(
            "The HTML document has {} bytes; expected at most {}, because Googlebot ignores the rest.",
            grouped(bytes),
            grouped(MAX_BYTES)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_passes, outcome_of};

    #[test]
    fn two_megabytes_pass_and_one_byte_more_fails() {
        let html = "x".repeat(2 * 1024 * 1024);
        assert_passes(&HTML_OVER_GOOGLEBOT_LIMIT, &html);
        let page = Page::builder().html(&format!("{html}x"));
        assert!(matches!(
            outcome_of(&HTML_OVER_GOOGLEBOT_LIMIT, &page),
            Outcome::Failed(_)
        ));
    }
}
