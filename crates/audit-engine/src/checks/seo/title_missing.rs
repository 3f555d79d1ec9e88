//! The page has a title.

use crate::check::{Evidence, Outcome};
use crate::declare_check;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// The document has a `title` element with text.
    ///
    /// ## Why it matters
    /// The title is the headline of the page in search results, in browser tabs and in bookmarks.
    /// Without a title, a search engine generates a headline, and a screen reader announces the
    /// URL.
    ///
    /// ## How to fix it
    /// Add `<title>` to the head, with the subject of this page followed by the name of the site,
    /// for example `<title>Ferry times – Island Line</title>`.
    ///
    /// ## Example
    /// ```html
    /// <!doctype html><html lang="en"><h1>Ferry times</h1></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <!doctype html><html lang="en"><title>Ferry times – Island Line</title><h1>Ferry times</h1></html>
    /// ```
    ///
    /// ## Limits
    /// Only the first `title` counts, as in browsers. A title inside an SVG image is not the title
    /// of the page. In static mode, the check does not see a title that a script sets.
    /// `document-title` reports the same problem for its effect on screen reader users.
    ///
    /// ## Also known as
    /// - Lighthouse: `document-title`
    /// - axe: `document-title`
    /// - Screaming Frog: Page Titles: Missing
    ///
    /// ## References
    /// - HTML Standard, the title element
    /// - W3C ACT rule 2779a5, HTML page has non-empty title
    /// - Lighthouse audit document-title
    TITLE_MISSING {
        id: "title-missing",
        title: "Missing or empty page title",
        dimension: Seo,
        scope: Page,
        severity: Critical,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    Outcome::pass_if(page.title().is_some(), || match page.titles().next() {
        Some(empty) => Evidence::node(empty).message("The title element has no text."),
        None => Evidence::here().message("The document has no title element."),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_passes};

    #[test]
    fn a_title_passes() {
        assert_passes(&TITLE_MISSING, "<title>Ferry times</title><p>x");
    }

    #[test]
    fn a_title_with_only_whitespace_and_nbsp_fails() {
        assert_fails(&TITLE_MISSING, "<title> &nbsp; </title><p>x", 1);
    }

    #[test]
    fn a_page_without_title_fails() {
        assert_fails(&TITLE_MISSING, "<p>x", 1);
    }

    #[test]
    fn a_title_inside_svg_does_not_count() {
        assert_fails(&TITLE_MISSING, "<body><svg><title>Logo</title></svg>", 1);
    }

    #[test]
    fn an_empty_first_title_fails() {
        assert_fails(&TITLE_MISSING, "<title></title><title>Ferry</title>", 1);
    }

    #[test]
    fn a_frameset_document_with_a_title_passes() {
        assert_passes(
            &TITLE_MISSING,
            "<title>API</title><frameset cols='20%,80%'><frame src=a></frameset>",
        );
    }
}
