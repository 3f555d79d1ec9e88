//! Pages that the crawler could not read completely.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The whole document arrived within the limits of the audit: 10 MiB after decompression, 30
    /// seconds, 500,000 nodes, 2,048 nested elements and 2,000 attributes on one tag, over a
    /// connection that did not break.
    ///
    /// ## Why it matters
    /// The part after the truncation was not checked, so this page may have more issues than the
    /// report lists. Browsers and search engines may also give up on such documents, or show only a
    /// part of them.
    ///
    /// ## How to fix it
    /// Split very long pages into several. If the document is small, find out why the server closes the connection
    /// early, compresses the body incorrectly, or responds slowly.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><title>All ferries since 1911</title>
    /// %repeat 3000 <div>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// A network failure between the audit and the site looks the same, so the check never counts
    /// in the score.
    ///
    /// ## Also known as
    /// - Common name: Incomplete response
    ///
    /// ## References
    /// - RFC 9112, HTTP/1.1, section 8 Handling Incomplete Messages
    PAGE_TRUNCATED {
        id: "page-truncated",
        title: "Page truncated during the crawl",
        dimension: Content,
        scope: Page,
        severity: Info,
        confidence: High,
        effort: Medium,
        needs: [],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let document = page.document();
    let reason = if document.truncated {
        "the end did not arrive within the limits"
    } else if page.dom().truncated() {
        "the markup exceeds the limits on nodes, nesting or attributes"
    } else {
        return Outcome::Passed;
    };
    Outcome::failed(vec![Evidence::here().message(format!(
        "The crawler read {} bytes of the document; {reason}.",
        grouped(document.bytes)
    ))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes};

    #[test]
    fn a_complete_page_passes() {
        assert_passes(&PAGE_TRUNCATED, "<title>A page</title><p>Text.");
    }

    #[test]
    fn a_page_with_too_much_markup_fails() {
        assert_fails(&PAGE_TRUNCATED, &"<div>".repeat(3_000), 1);
    }
}
