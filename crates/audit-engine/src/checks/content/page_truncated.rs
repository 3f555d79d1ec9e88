//! Pages could be read to their end.

use crate::check::{Evidence, Outcome};
use crate::common::measures::numbers::grouped;
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The whole document arrived within the limits of the audit: 10 MiB after decompression,
    /// 30 seconds, 500,000 nodes, 2,048 elements one in the other and 2,000 attributes of one tag,
    /// over a connection that did not break off.
    ///
    /// ## Why it matters
    /// What lies behind the cut was not judged, so this page may have more issues than are told.
    /// Browsers and search engines give up on such documents as well, or show them in pieces.
    ///
    /// ## How to fix it
    /// Split very long pages into several. Where the document is small, look at why the server ends
    /// the connection early, compresses wrongly, or takes so long.
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
    /// A fault of the network between the audit and the site looks the same; for that reason the
    /// check never counts in the score.
    ///
    /// ## References
    /// - RFC 9112, HTTP/1.1, section 8 Handling Incomplete Messages
    PAGE_TRUNCATED {
        id: "page-truncated",
        title: "Pages that could not be read to their end",
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
        "its end did not arrive within the limits"
    } else if page.dom().truncated() {
        "its markup is larger or deeper than is kept"
    } else {
        return Outcome::Passed;
    };
    Outcome::failed(vec![Evidence::here().message(format!(
        "The document was read up to {} bytes; {reason}.",
        grouped(document.bytes)
    ))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes};

    #[test]
    fn a_page_that_was_read_whole_passes() {
        assert_passes(&PAGE_TRUNCATED, "<title>A page</title><p>Text.");
    }

    #[test]
    fn a_page_of_too_much_markup_fails() {
        assert_fails(&PAGE_TRUNCATED, &"<div>".repeat(3_000), 1);
    }
}
